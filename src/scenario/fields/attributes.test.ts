import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  named,
  possibleSize,
  preparation,
  shuffled,
  simulate,
} from '../../../test/support/random-worlds.ts'
import { afekGafni } from '../../algorithms/complete/afek-gafni.ts'
import { bully } from '../../algorithms/complete/bully.ts'
import { singh } from '../../algorithms/complete/singh.ts'
import { echoExtinction } from '../../algorithms/graph/echo-extinction.ts'
import { ghs } from '../../algorithms/graph/ghs.ts'
import { wireless } from '../../algorithms/graph/wireless.ts'
import { catalogue, hirschbergSinclair, lcr, timeSlice } from '../../algorithms/index.ts'
import { checkWorld } from '../../check/index.ts'
import type { Property, TraceEvent } from '../../core/index.ts'
import { idOf, realIds } from '../../core/language/world.ts'
import { electedBy, keysBy } from '../../core/runtime/election-keys.ts'
import { sealed } from '../../core/runtime/sealed/sealed.ts'
import { simulationOf as begin, resultOf } from '../../sim/index.ts'
import type { ScenarioInput } from '../scenario.ts'

const comparing = catalogue.filter(
  ({ needs, elects }) => needs.ids === 'unique' && elects === 'largest',
)

const BEST = 'the best by the attribute leads'

/** Where an attribute decides, others elect the largest too: themselves, or one in their place. */
const attributed = catalogue.filter(
  ({ needs, elects, byAttribute }) =>
    needs.ids === 'unique' && (elects === 'largest' || byAttribute !== null),
)

/** Few different values, so that ids must break ties. */
const someValues = (n: number) =>
  fc.array(fc.integer({ min: -2, max: 2 }), { minLength: n, maxLength: n })

const someNodes = fc
  .record({ n: fc.integer({ min: 1, max: 9 }), seed: fc.nat(1000) })
  .chain(({ n, seed }) => fc.record({ ids: fc.constant(shuffled(n, seed)), values: someValues(n) }))

/** The position that beats every other in a duel. */
function champion(n: number, beats: (a: number, b: number) => boolean): number {
  const nodes = Array.from({ length: n }, (_, node) => node)
  return nodes.find((a) => nodes.every((b) => a === b || beats(a, b)))!
}

describe('keys', () => {
  it('compare like (value, id), and remember the ids', () => {
    fc.assert(
      fc.property(someNodes, fc.boolean(), fc.nat(3), ({ ids, values }, smallestWins, room) => {
        const { keys, names } = keysBy(
          Float64Array.from(ids),
          (node) => values[node],
          smallestWins,
          room,
        )
        expect([...keys].sort((a, b) => a - b)).toEqual(ids.map((_, rank) => room + rank + 1))
        expect([...keys].map((key) => names.get(key))).toEqual(ids)
        for (const a of ids.keys())
          for (const b of ids.keys()) {
            const better = smallestWins ? values[a] < values[b] : values[a] > values[b]
            const wins = better || (values[a] === values[b] && ids[a] > ids[b])
            expect(keys[a] > keys[b]).toBe(wins)
          }
      }),
    )
  })

  it('follow any function of a node and the world around it', () => {
    const { world, conditions } = preparation(wireless, { topology: 'star:5', ids: '3,1,5,4,2' })
    const held = [1, 9, 3, 3, 0]
    const run = begin(
      electedBy(world, (node, { topology }) => held[node] * topology.degree(node)),
      conditions,
      [],
    )
    run.finish()
    expect(run.monitor.leaders).toEqual([1])
    const twice = electedBy(
      electedBy(world, (node) => held[node]),
      () => 0,
    )
    expect([...realIds(twice)]).toEqual([3, 1, 5, 4, 2])
    expect([...twice.ids]).toEqual([3, 1, 5, 4, 2])
    expect(() => electedBy(world, () => Number.NaN)).toThrow(/position 0 is not a number/)
    expect(() => electedBy({ ...world, algorithm: timeSlice }, () => 1)).toThrow(/computes with/)
  })

  it('are the ids themselves where nothing else decides', () => {
    const { world } = preparation(lcr, { ids: '30,10,20', values: '1,2,3', 'elect-by': 'id' })
    expect([...world.ids]).toEqual([30, 10, 20])
    expect(world.names).toBeUndefined()
    expect(idOf(world, 30)).toBe(30)
  })
})

describe('an election by value', () => {
  it.each(named(attributed))('%s: the largest value wins, then the largest id', (_, algorithm) => {
    fc.assert(
      fc.property(someNodes, fc.boolean(), (drawn, smallest) => {
        const size = possibleSize(algorithm, drawn.ids.length)
        const [ids, values] = [drawn.ids.slice(0, size), drawn.values.slice(0, size)]
        const best = champion(ids.length, (a, b) =>
          values[a] === values[b] ? ids[a] > ids[b] : values[a] > values[b] !== smallest,
        )
        const result = simulate(algorithm, {
          ids,
          values,
          delay: algorithm.needs.time === 'rounds' ? undefined : 'uniform:1:4',
          ...(smallest && { 'elect-by': 'value:min' }),
        })
        expect(result.verdict).toMatchObject({ ok: true })
        expect(result.leader).toEqual({ node: best, id: ids[best] })
        const nodes = result.nodes!.map(({ id, value, leader }) => ({ id, value, leader }))
        expect(nodes).toEqual(
          ids.map((id, node) => ({ id, value: values[node], leader: ids[best] })),
        )
      }),
      { numRuns: 30 },
    )
  })

  it('is that of the nodes that took part, where only starters do', () => {
    const given = { topology: 'complete:4', ids: '1,2,3,4', values: '5,7,6,9' }
    const { leader, verdict } = simulate(echoExtinction, { ...given, wake: '0,2' })
    expect([leader?.node, verdict.ok]).toEqual([2, true])
    expect(verdict.properties.map(({ name }) => name)).toContain(BEST)
    expect(simulate(echoExtinction, given).leader?.node).toBe(3)
  })

  it.each(named(catalogue.filter((one) => !attributed.includes(one))))(
    '%s is refused: its leader need not be the best',
    (_, algorithm) => {
      const given = { n: 4, values: '5,7,6,9', 'elect-by': 'value' }
      expect(() => preparation(algorithm, given)).toThrow(/cannot be elected by attributes/)
    },
  )

  it('is judged in every run: a worse leader is a violation', () => {
    // It leads as ghs does without an attribute: at an end of the last core.
    const careless = { ...ghs, byAttribute: null, elects: 'largest' } as const
    const given = { n: 5, values: '6,1,3,8,2', 'elect-by': 'value:min' }
    const { verdict } = simulate(careless, given)
    expect(verdict.properties.find(({ name }) => name === BEST)).toEqual({
      name: BEST,
      holds: false,
      detail: 'node 1 (position 4) leads, but 4 (position 1) is better by value:min',
    })
    expect(simulate(ghs, given).verdict.ok).toBe(true)
    expect(simulate(sealed(ghs), given).verdict.ok).toBe(true)
    const faulty = simulate(bully, { n: 4, values: 'index', 'elect-by': 'value:min', crash: '0@5' })
    expect(faulty.verdict.properties.map(({ name }) => name)).toContain(BEST)
  })

  it('by ids alone stays as it was for those that are refused or replaced', () => {
    for (const algorithm of [ghs, echoExtinction, singh, afekGafni]) {
      const valued = simulate(algorithm, { n: 6, values: 'index', 'elect-by': 'id' })
      expect(valued.messages).toEqual(simulate(algorithm, { n: 6 }).messages)
    }
  })

  it("elects the best node of Zambonelli's example over a tree of the first wave", () => {
    const { leader, messages } = simulate(wireless, {
      topology: 'edges:0-1,0-9,1-2,1-6,2-3,2-4,3-4,4-5,4-6,5-8,6-7,6-9,7-8,8-9',
      ids: '0,1,2,3,4,5,6,7,8,9',
      values: '4,6,3,2,1,4,2,8,5,4',
    })
    expect(leader).toEqual({ node: 7, id: 7 })
    expect(messages.byType).toEqual({ election: 19, ack: 19, leader: 9 })
  })

  it('by degree elects the hub of a star, wherever the largest id is', () => {
    const given = { topology: 'star:6', ids: '1,9,8,7,6,5', 'elect-by': 'degree' }
    expect(simulate(wireless, given).leader).toEqual({ node: 0, id: 1 })
  })

  it('near a place elects the nearest node', () => {
    const given = { topology: 'geometric:40:0.4', 'elect-by': 'near:0.2:0.9' }
    const { topology } = preparation(wireless, given).world
    const far = (node: number) =>
      Math.hypot(topology.coordinates![2 * node] - 0.2, topology.coordinates![2 * node + 1] - 0.9)
    const nearest = champion(40, (a, b) => far(a) < far(b))
    expect(simulate(wireless, given).leader?.node).toBe(nearest)
  })

  it('gives the counts of the ring on which the ids are in the order of the keys', () => {
    const byValue = simulate(hirschbergSinclair, { ids: '7,3,9,1', values: '2,5,1,5' })
    const byId = simulate(hirschbergSinclair, { ids: '2,4,1,3' })
    expect(byValue.messages).toEqual(byId.messages)
    expect(byValue.time).toEqual(byId.time)
  })

  it.each(named(comparing))('%s: states and events tell ids, never keys', (_, algorithm) => {
    // Ids that no rank, count or link can be mistaken for.
    const size = possibleSize(algorithm, 5)
    const ids = [7000, 3000, 9000, 1000, 8000].slice(0, size)
    const ranks = size === 5 ? [4, 1, 5, 2, 3] : [3, 1, 4, 2]
    const told = (given: ScenarioInput) => {
      const wake = algorithm.needs.start === 'together' ? 'all' : '0,3'
      const { world, conditions } = preparation(algorithm, { ...given, wake, until: 50 })
      const events: TraceEvent[] = []
      const run = begin(world, conditions, [], { trace: (event) => events.push(event) })
      const { nodes, leader } = resultOf(run, run.finish())
      return JSON.stringify({ events, leader, states: nodes!.map(({ state }) => state) })
    }
    const ranked = told({ ids, values: [5, 0, 5, 1, 2].slice(0, size) }).replaceAll(
      /\d000/g,
      (id) => String(ranks[ids.indexOf(Number(id))]),
    )
    expect(ranked).toBe(told({ ids: ranks }))
  })

  it('charges the bits of the ids', () => {
    const { bits, messages } = simulate(lcr, { ids: '9,300,8', values: '2,1,1' })
    // One for the type, and 300 takes nine.
    expect(bits).toBe(messages.total * (1 + 9))
  })

  it('draws random values by a stream of their own', () => {
    const given = { n: 20, delay: 'uniform:1:9', wake: 'rate:0.5', seed: 5 }
    const plain = preparation(lcr, given)
    const valued = preparation(lcr, { ...given, values: 'uniform:0:1', 'elect-by': 'id' })
    expect(valued.world.ids).toEqual(plain.world.ids)
    expect(valued.conditions.starts).toEqual(plain.conditions.starts)
    expect(valued.world.values).not.toEqual(
      preparation(lcr, { ...given, values: 'uniform:0:1', seed: 6 }).world.values,
    )
  })

  it('says ids, never keys, where something is wrong, in the simulator and in the checker', () => {
    const { world, conditions } = preparation(lcr, { ids: '70,80,90', values: '3,2,1' })
    const roll: Property = {
      name: 'a roll call',
      says: 'It is always broken, and names everybody.',
      when: 'at the end',
      broken: (situation) => [0, 1, 2].map((node) => situation.name(node)).join(),
    }
    const everybody = '70 (position 0),80 (position 1),90 (position 2)'
    const run = begin(world, conditions, [roll])
    run.finish()
    expect(run.monitor.verdicts(null)[0].detail).toBe(everybody)
    const limits = { states: 1000, memoryMB: 1000, expired: () => false }
    const rules = { mode: 'untimed', order: 'fifo', wake: [0], properties: [roll], limits } as const
    expect(checkWorld(world, rules).properties[0].detail).toBe(everybody)
  })
})
