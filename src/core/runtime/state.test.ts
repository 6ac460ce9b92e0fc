import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { list, map } from '../language/collections.ts'
import { flag, maybe, nat, uid } from '../language/value-types.ts'
import { OrderedMap } from '../ordered-collections.ts'
import { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts'
import { type State, StateLayout } from './state.ts'

const form = new StateLayout(
  { active: flag, first: maybe(uid), seen: list(nat), votes: map(uid, nat) },
  true,
  ['patience'],
)
const nameless = new StateLayout({ active: flag }, false, [])

function bytesOf(shape: StateLayout, state: State): Uint8Array {
  const out = new ByteWriter()
  shape.write(out, state)
  return out.take()
}

describe('a state', () => {
  it('begins asleep, with its id, its parameters and the starting values of its fields', () => {
    expect({ ...form.create(7, { patience: 4 }) }).toEqual({
      id: 7,
      status: 'asleep',
      leader: null,
      stopped: false,
      active: false,
      first: null,
      seen: [],
      votes: new OrderedMap(),
      patience: 4,
    })
  })

  it('has no id where nodes are anonymous', () => {
    expect(nameless.create(7, {})).not.toHaveProperty('id')
  })

  it('does not share what it holds with another', () => {
    const [one, other] = [form.create(1, {}), form.create(2, {})]
    ;(one.seen as number[]).push(5)
    expect(other.seen).toEqual([])
  })

  it('is copied down to the last element', () => {
    const state = form.create(3, { patience: 2 })
    const copy = form.copy(state)
    expect(copy).toEqual(state)
    ;(copy.seen as number[]).push(1)
    ;(copy.votes as Map<number, number>).set(1, 1)
    copy.status = 'leader'
    expect({ ...state }).toEqual({ ...form.create(3, { patience: 2 }) })
  })

  it('is decoded from its bytes, with the parameters of the state underneath', () => {
    const states = fc.record({
      id: fc.maxSafeNat(),
      status: fc.constantFrom('asleep', 'unknown', 'leader', 'lost') as fc.Arbitrary<
        State['status']
      >,
      leader: fc.option(fc.maxSafeNat()),
      stopped: fc.boolean(),
      active: fc.boolean(),
      first: fc.option(fc.maxSafeNat()),
      seen: fc.array(fc.nat()),
      votes: fc.array(fc.tuple(fc.nat(9), fc.nat(9))).map((entries) => new OrderedMap(entries)),
    })
    fc.assert(
      fc.property(states, (fields) => {
        const state: State = { ...form.create(0, { patience: 6 }), ...fields }
        const base = form.create(99, { patience: 6 })
        const input = new ByteReader(bytesOf(form, state))
        expect(form.read(input, base)).toEqual(state)
        input.end()
      }),
    )
  })

  it('differs in its bytes wherever it differs', () => {
    const state = form.create(3, {})
    const others: Partial<State>[] = [
      { id: 4 },
      { status: 'unknown' },
      { leader: 0 },
      { stopped: true },
      { active: true },
      { first: 0 },
      { seen: [0] },
      { votes: new Map([[0, 0]]) },
    ]
    const all = [{}, ...others].map((change) => bytesOf(form, { ...state, ...change }).join())
    expect(new Set(all).size).toBe(all.length)
  })

  it('that is cut off is refused', () => {
    const bytes = bytesOf(form, form.create(3, {}))
    const input = new ByteReader(bytes.subarray(0, bytes.length - 1))
    expect(() => form.read(input, form.create(3, {}))).toThrow(MalformedBytes)
  })

  it("is shown by the algorithm's own fields", () => {
    expect(form.json(form.create(3, { patience: 1 }))).toEqual({
      active: false,
      first: null,
      seen: [],
      votes: [],
    })
    expect(nameless.json(nameless.create(3, {}))).toEqual({ active: false })
  })
})
