import type { AnyBody } from '../../core/runtime/message-codec.ts'
import { undeclaredField } from '../../core/runtime/sealed/state-view.ts'
import { type Remedy, unknownMembers } from '../../core/runtime/sealed/violation.ts'
import { UnmetCondition } from '../refusal.ts'
import type { Sort } from '../sorts.ts'
import { type Field, FROM, ID } from '../vocabulary.ts'
import { LinkSet, type SetChange } from './link-sets.ts'

/** The codes of some fields, by the place of the field. */
export type Codes = readonly (readonly [field: number, code: number])[]

/** How values and codes are turned into each other, and what decides a field that is read. */
export interface Decider {
  decide(sort: Sort): number
  value(sort: Sort, code: number): unknown
  code(where: string, field: Field, value: unknown): number
  /** The membership of the sender of the message in a set; the link that leads to it. */
  readonly senderLink: number
}

/** The state of a node or the body of a message, whose fields are decided when they are read. */
export class RecordReader {
  readonly view: AnyBody
  private readonly decided: (number | undefined)[] = []
  private readonly written: (number | undefined)[] = []
  private readonly sets = new Map<number, LinkSet>()

  constructor(
    private readonly name: string,
    private readonly fields: readonly Field[],
    private readonly decider: Decider,
    constants: Readonly<Record<string, () => unknown>> = {},
  ) {
    const members = fields.flatMap(({ name: member, member: at = -1 }, i) =>
      at >= 0
        ? []
        : [
            [
              member,
              {
                get: () => this.read(i),
                set: (value: unknown) => this.write(i, value),
                enumerable: true,
              },
            ],
          ],
    )
    const known = Object.entries(constants).map(([member, get]) => [member, { get }])
    const own = Object.fromEntries([...members, ...known])
    const undeclared = unknownMembers(name === 'my' ? name : 'body', Object.keys(own), (member) =>
      name === 'my' ? undeclaredField(member) : unknownBodyField(name, member, fields),
    )
    this.view = Object.create(undeclared, own)
    Object.preventExtensions(this.view)
  }

  begin(): void {
    this.decided.length = this.written.length = 0
    for (const [i, { name, member }] of this.fields.entries())
      if (member === -1) this.sets.set(i, new LinkSet(`${this.name}.${name}`, i, this.decider))
  }

  read(field: number): unknown {
    const set = this.sets.get(field)
    if (set !== undefined) return set
    const { sort } = this.fields[field]
    const code = this.written[field] ?? this.decided[field] ?? this.decider.decide(sort)
    if (this.written[field] === undefined) this.decided[field] = code
    return this.decider.value(sort, code)
  }

  write(field: number, value: unknown): void {
    const set = this.sets.get(field)
    if (set !== undefined) this.sets.set(field, set.replacedBy(value))
    else if (field === ID && this.name === 'my')
      throw new UnmetCondition('a handler changes my.id.', 'Ids are given, and stay unique.')
    else this.written[field] = this.decider.code(this.name, this.fields[field], value)
  }

  reads(): Codes {
    const labels = [...this.sets.values()].flatMap((set) => set.labelRead())
    return [...this.known(this.decided), ...labels]
  }

  writes(): Codes {
    return [...this.known(this.written), ...this.changes().flatMap(({ label }) => [label])]
  }

  /** What is read of sets and done to them. */
  changes(): SetChange[] {
    return [...this.sets.values()].flatMap((set) => set.change())
  }

  memberReads(): Codes {
    return [...this.sets.values()].flatMap((set) => set.memberRead())
  }

  private known(codes: readonly (number | undefined)[]): [number, number][] {
    return codes.flatMap((code, field): [number, number][] =>
      code === undefined || this.fields[field].sort.kind === 'counter' ? [] : [[field, code]],
    )
  }
}

function unknownBodyField(
  word: string,
  member: string,
  fields: readonly Field[],
): ReturnType<Remedy> {
  const names = fields.slice(FROM + 1).map(({ name }) => name)
  return {
    problem: `${word} has no field ${member}.`,
    hint: `Add it to message({ ... }), or use ${names.join(', ') || 'no field'}.`,
  }
}
