import { CodeFromText } from '../../code-from-text.ts'
import type { Algorithm } from '../../language/algorithm.ts'
import type { ValueType } from '../../language/value-types.ts'
import { ByteWriter } from '../bytes.ts'
import type { State } from '../state.ts'
import { type Remedy, unknownMembers, Violation } from './violation.ts'

/** The holder of the state that a view shows. */
export interface StateHolder {
  raw: State
  /** The field whose uses are traced, if there is one. */
  readonly traced: string | null
  /** It is written, or an object in it is read, which may then be changed. */
  touch(): void
}

const ASSIGNED_BY = {
  status: 'net.lead(), net.follow(id) or net.withdraw()',
  leader: 'net.lead() or net.follow(id)',
  stopped: 'net.stop()',
} as const
const INPUTS = ['value', 'chosen']

type FieldEntry = readonly [name: string, type: ValueType<unknown>]

/** The fields that the handlers of an algorithm see, and views of states that have just these. */
export class StateFields {
  /** The fields that handlers may write. */
  private readonly own: readonly FieldEntry[]
  /** Those of them whose values can be changed without an assignment. */
  private readonly collections: readonly FieldEntry[]
  /** The fields that handlers can only read. */
  private readonly fixed: readonly string[]
  private readonly params: readonly string[]
  private readonly open: (holder: StateHolder, assign: Assign, refuse: Refuse) => object
  private readonly prototype: object
  private readonly scratch = new ByteWriter()

  constructor(algorithm: Algorithm) {
    const { layout, needs, defers } = algorithm
    this.params = Object.keys(algorithm.params)
    // Deferred messages are kept by the driver, in a field of their own.
    this.own = Object.entries(layout.own).filter(([name]) => !(defers && name === 'waiting'))
    this.collections = this.own.filter(([, { codec }]) => codec === undefined)
    const inputs = needs.knows?.includes('inputs') ? INPUTS : []
    const ids = layout.hasIds ? ['id'] : []
    this.fixed = [...ids, ...Object.keys(ASSIGNED_BY), ...inputs, ...this.params]
    const names = [...this.fixed, ...this.own.map(([name]) => name)]
    this.prototype = unknownMembers('my', names, undeclaredField)
    this.open = viewMaker(this.own, this.fixed)
  }

  /** The state as handlers see it: other members throw, and so do values of another type. */
  view(holder: StateHolder): object {
    const view = this.open(
      holder,
      (i, value) => {
        const [name, type] = this.own[i]
        const problem = type.check(value, `my.${name}`)
        if (problem !== null) throw wrongValue(problem)
        if (holder.traced === name) holder.touch()
      },
      (name) => {
        throw this.unassignable(name)
      },
    )
    return Object.freeze(Object.setPrototypeOf(view, this.prototype))
  }

  /** The state for functions that only read it, and that of the other node of a meeting. */
  reader(raw: State, whose: 'my' | 'other' = 'my'): object {
    const holder = { raw, traced: null, touch() {} }
    const refuse = (name: string) => {
      throw whose === 'my'
        ? new Violation(`my.${name} is assigned here.`, 'Assign fields in handlers only.')
        : new Violation(
            `other.${name} cannot be assigned: a node decides only about itself.`,
            'Assign fields of my; meet is called at the other node, too.',
          )
    }
    const view = this.open(holder, (i) => refuse(this.own[i][0]), refuse)
    return Object.freeze(Object.setPrototypeOf(view, this.prototype))
  }

  /** A copy of all that handlers see, however the engine stores states. */
  copy(raw: Readonly<State>): State {
    const copy: Record<string, unknown> = {}
    for (const name of this.fixed) copy[name] = raw[name]
    for (const [name, type] of this.own) copy[name] = type.copy(raw[name])
    return copy as State
  }

  /**
   * Checks the values that may have been changed without an assignment, and copies them, so that no
   * object is shared with a message, another field or a variable outside of the state.
   */
  settle(raw: State): void {
    for (const [name, type] of this.collections) {
      const problem = type.check(raw[name], `my.${name}`)
      if (problem !== null) throw wrongValue(problem, name)
      raw[name] = type.copy(raw[name])
    }
  }

  /** The first own field in which two states differ, and how; null where they are equal. */
  difference(
    one: Readonly<State>,
    other: Readonly<State>,
  ): { readonly field: string; readonly text: string } | null {
    for (const [name, type] of this.own) {
      if (Object.is(one[name], other[name])) continue
      if (this.bytes(type, one[name]) !== this.bytes(type, other[name]))
        return {
          field: name,
          text: `state field ${name}: ${type.text(one[name])} and ${type.text(other[name])}`,
        }
    }
    return null
  }

  private bytes(type: ValueType<unknown>, value: unknown): string {
    type.write(this.scratch, value)
    return this.scratch.take().join()
  }

  private unassignable(name: string): Violation {
    if (name in ASSIGNED_BY) {
      const { [name as keyof typeof ASSIGNED_BY]: calls } = ASSIGNED_BY
      return new Violation(`my.${name} cannot be assigned.`, `Call ${calls}.`)
    }
    if (name === 'id')
      return new Violation('my.id cannot be assigned.', 'The id of a node is fixed.')
    const what = this.params.includes(name) ? 'a parameter' : 'an input of the node'
    return new Violation(
      `my.${name} cannot be assigned: it is ${what}.`,
      'Declare a field of your own in state.',
    )
  }
}

type Assign = (field: number, value: unknown) => void
type Refuse = (name: string) => void

/** Generates the accessors, one pair per field: V8 inlines these, and no lookup by name. */
function viewMaker(own: readonly FieldEntry[], fixed: readonly string[]): StateFields['open'] {
  const key = JSON.stringify
  const get = (name: string) => `get [${key(name)}]() { return holder.raw[${key(name)}] }`
  const getObject = (name: string) => `get [${key(name)}]() {
    if (holder.traced === ${key(name)}) holder.touch()
    return holder.raw[${key(name)}]
  }`
  const accessors = [
    ...fixed.map((name) => `${get(name)}, set [${key(name)}](value) { refuse(${key(name)}) }`),
    ...own.map(
      ([name, { codec }], i) =>
        `${codec === undefined ? getObject(name) : get(name)},
         set [${key(name)}](value) { assign(${i}, value); holder.raw[${key(name)}] = value }`,
    ),
  ]
  return new CodeFromText(
    `return (holder, assign, refuse) => ({ ${accessors.join(', ')} })`,
  )() as StateFields['open']
}

function wrongValue(problem: string, field: string | null = null): Violation {
  return new Violation(`${problem}.`, 'Correct the value, or the type in state.', true, field)
}

/** Why a node has no such field, and how to get it. */
export function undeclaredField(name: string): ReturnType<Remedy> {
  const problem = `my.${name} is not available: the definition does not declare it.`
  if (name === 'id')
    return {
      problem: 'my.id is not available: the nodes are anonymous.',
      hint: "Add ids: 'unique' to needs.",
      exists: true,
    }
  if (INPUTS.includes(name))
    return { problem, hint: "Add knows: ['inputs'] to needs.", exists: true }
  return { problem, hint: `Add it to state: { ${name}: nat }, with its type.` }
}
