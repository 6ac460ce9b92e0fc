import type { Algorithm } from '../../core/language/algorithm.ts'
import { isScalar, type ValueType, writeFields } from '../../core/language/value-types.ts'
import { ByteReader, ByteWriter } from '../../core/runtime/bytes.ts'
import type { State } from '../../core/runtime/state.ts'

/** The stable fields of an algorithm's states, as bytes that a storage keeps. */
export class StableFields {
  private readonly entries: readonly [string, ValueType<unknown>][]
  private readonly out = new ByteWriter()
  private committed: Uint8Array
  /** The values that were compared last; null where some can be changed in place. */
  private values: unknown[] | null

  constructor({ layout }: Algorithm, initial: State) {
    this.entries = Object.entries(layout.own).filter(([, { stable }]) => stable)
    this.committed = this.bytesOf(initial)
    const scalar = this.entries.every(([, type]) => isScalar(type))
    this.values = scalar ? this.entries.map(([name]) => initial[name]) : null
  }

  bytesOf(state: State): Uint8Array {
    writeFields(this.out, this.entries, state)
    return this.out.take()
  }

  /** The bytes if they differ from those of the last call that returned some; else null. */
  changed(state: State): Uint8Array | null {
    if (this.isSame(state)) return null
    const bytes = this.bytesOf(state)
    if (areEqual(bytes, this.committed)) return null
    this.committed = bytes
    return bytes
  }

  /** Whether nothing has changed since the last call, without writing anything. */
  private isSame(state: State): boolean {
    const { entries, values } = this
    if (values === null) return false
    let same = true
    for (let i = 0; i < entries.length; i++) {
      const value = state[entries[i][0]]
      if (value !== values[i]) same = false
      values[i] = value
    }
    return same
  }

  /** Puts stored fields into a state; throws MalformedBytes where they are others. */
  static restore({ layout }: Algorithm, stored: Uint8Array, state: State): void {
    const input = new ByteReader(stored)
    for (const [name, type] of Object.entries(layout.own))
      if (type.stable) state[name] = type.read(input)
    input.end()
  }
}

/** Copies of everything that handlers may change in a state, to be put back. */
export class SavedFields {
  private readonly names: readonly string[]
  /** Those whose values can be changed in place. */
  private readonly compound: readonly (readonly [index: number, ValueType<unknown>])[]

  constructor({ layout }: Algorithm) {
    const entries = Object.entries({ ...layout.own, ...layout.kept })
    const kept = ['status', 'leader', 'stopped', ...(layout.hasIds ? ['id'] : [])]
    this.names = [...entries.map(([name]) => name), ...kept]
    this.compound = entries.flatMap(([, type], index) =>
      isScalar(type) ? [] : [[index, type] as const],
    )
  }

  save(my: State): readonly unknown[] {
    const { names, compound } = this
    const values: unknown[] = []
    for (let i = 0; i < names.length; i++) values.push(my[names[i]])
    for (const [i, type] of compound) values[i] = type.copy(values[i])
    return values
  }

  restore(my: State, values: readonly unknown[]): void {
    for (const [i, name] of this.names.entries()) my[name] = values[i]
  }
}

function areEqual(some: Uint8Array, others: Uint8Array): boolean {
  if (some.length !== others.length) return false
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false
  return true
}
