import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { type Algorithm, algorithm } from '../language/algorithm.ts'
import { flag, maybe, nat, oneOf, real, stable, uid } from '../language/value-types.ts'
import { constantsOf, initialState, type World } from '../language/world.ts'
import { network } from '../networks/network.ts'
import { Random } from './random.ts'
import type { State } from './state.ts'
import { initialStates } from './states.ts'

const own = {
  share: real,
  mood: oneOf('calm', 'keen', 'angry'),
  heard: maybe(uid),
  busy: flag,
  attempts: stable(nat),
}

/** An algorithm whose states are nothing but numbers, some of them fractions. */
const weigher: Algorithm = algorithm({
  name: 'weigher',
  needs: { topology: 'any', ids: 'unique', knows: ['inputs'] },
  messages: {},
  params: { patience: { says: 'how long it waits', value: () => 3 } },
  state: own,
  wakes: true,
  start: () => {},
  on: {},
  theory: lcr.theory,
})

const N = 5

function worldOf(one: Algorithm): World {
  return {
    algorithm: one,
    topology: network(`ring:${N}`, { random: Random.from(1) }),
    ids: Float64Array.from({ length: N }, (_, node) => 2 ** 40 + node),
    values: Float64Array.from({ length: N }, (_, node) => node / 3),
    chosen: Int32Array.from({ length: N }, (_, node) => 1 - node),
    params: one === weigher ? { patience: 7 } : {},
  }
}

const changes = fc.record(
  {
    status: fc.constantFrom('asleep', 'unknown', 'leader', 'lost') as fc.Arbitrary<State['status']>,
    leader: fc.option(fc.maxSafeNat()),
    stopped: fc.boolean(),
    share: fc.double(),
    mood: fc.constantFrom('calm', 'keen', 'angry'),
    heard: fc.option(fc.maxSafeNat()),
    busy: fc.boolean(),
    attempts: fc.maxSafeNat(),
    value: fc.double(),
    chosen: fc.integer({ min: -1, max: 9 }),
  },
  { requiredKeys: [] },
)

/** All that can be read of a state, wherever it lies. */
function contents(state: State): Record<string, unknown> {
  const fields = ['id', 'status', 'leader', 'stopped', 'patience', 'value', 'chosen']
  return Object.fromEntries([...fields, ...Object.keys(own)].map((name) => [name, state[name]]))
}

describe('the states of a world', () => {
  it.each([lcr, weigher])('begin as sleepers: $name', (one) => {
    const world = worldOf(one)
    const expected = Array.from({ length: N }, (_, node) => contents(initialState(world, node)))
    expect(initialStates(world).reader.all().map(contents)).toEqual(expected)
  })

  it('lie in columns where some of their numbers are fractions, and only there', () => {
    for (const one of [lcr, weigher]) {
      const states = initialStates(worldOf(one))
      expect(states.at(0) === states.at(1)).toBe(one === weigher)
      expect(states.reader.of(0)).not.toBe(states.reader.of(1))
    }
  })

  it.each([lcr, weigher])('can be read without moving what a handler writes to: $name', (one) => {
    const states = initialStates(worldOf(one))
    const { reader } = states
    const my = states.at(1)
    expect(reader.of(3).id).not.toBe(my.id)
    const [first, second] = [reader.cursor(), reader.cursor()]
    const two = first(2)
    expect(second(3).id).toBe(reader.of(3).id)
    expect(two.id).toBe(reader.of(2).id)
    expect(reader.all()).toHaveLength(N)
    states.set(4, 'leader', 7)
    states.replace(0, initialState(worldOf(one), 0))
    my.status = 'lost'
    expect(reader.all().map(({ status }) => status === 'lost')).toEqual(
      Array.from({ length: N }, (_, node) => node === 1),
    )
    expect(reader.of(4).leader).toBe(7)
  })

  it('in columns they take what records take, each for itself', () => {
    const node = fc.nat(N - 1)
    const steps = fc.array(fc.tuple(node, changes, fc.constantFrom('set', 'replace', 'revive')))
    fc.assert(
      fc.property(steps, (taken) => {
        const world = worldOf(weigher)
        const { layout } = weigher
        const records = Array.from({ length: N }, (_, v) => initialState(world, v))
        const states = initialStates(world)
        const kept = states.reader.all()
        for (const [v, change, how] of taken) {
          if (how === 'revive') records[v] = layout.recovered(records[v], 1, constantsOf(world, v))
          else Object.assign(records[v], change)
          if (how === 'set') Object.assign(states.at(v), change)
          else states.replace(v, records[v])
        }
        const expected = records.map(contents)
        expect(kept.map(contents)).toEqual(expected)
        expect(records.map((_, v) => contents(states.at(v)))).toEqual(expected)
        expect(kept.map((state) => layout.json(state))).toEqual(
          records.map((it) => layout.json(it)),
        )
      }),
    )
  })
})
