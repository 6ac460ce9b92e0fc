import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { necklaces, permutations, wakingTimes } from '../../../test/support/oracles.ts'
import {
  leads,
  observe,
  possibleTotals,
  preparation,
  simulate,
} from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { timeSlice } from './time-slice.ts'

const FLOOD = { set: 'start=flood' }

/** Positions that are to start by themselves, each with its round. */
type Starts = ReadonlyMap<number, number>

/** What must come of a flooded ring, worked out from the rounds in which its nodes wake. */
function expectFlooded(ids: readonly number[], starts: Starts): void {
  const n = ids.length
  const wake = [...starts].map(([node, round]) => `${node}@${round}`).join()
  const { messages, leader, leaders, verdict, bounds, time, nodes } = simulate(timeSlice, {
    ...FLOOD,
    ids,
    wake,
  })
  const smallest = Math.min(...ids)
  const home = ids.indexOf(smallest)
  expect({ leader, leaders }).toEqual({ leader: { node: home, id: smallest }, leaders: [home] })
  expect(nodes?.map((node) => node.leader)).toEqual(ids.map(() => smallest))
  expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
  expect(messages).toMatchObject({ total: 2 * n, byType: { wake: n, leader: n } })
  expect(time.elected).toBe(wakingTimes(n, starts)[home] + smallest * n)
  expect(bounds.map(({ of }) => of)).toContain('time')
  expect(bounds.filter(({ within }) => !within)).toEqual([])
}

describe('time-slice with start=flood', () => {
  it('elects the smallest id with 2n messages, for any initiators and start times', () => {
    const rings = fc.integer({ min: 1, max: 25 }).chain((n) =>
      fc.record({
        ids: fc.uniqueArray(fc.nat(2 * n), { minLength: n, maxLength: n }),
        starts: fc
          .subarray([...Array(n).keys()], { minLength: 1 })
          .chain((nodes) =>
            fc.tuple(
              ...nodes.map((node) =>
                fc.tuple(fc.constant(node), fc.integer({ min: 1, max: 2 * n })),
              ),
            ),
          ),
      }),
    )
    fc.assert(
      fc.property(rings, ({ ids, starts }) => expectFlooded(ids, new Map(starts))),
      { numRuns: campaign(4000) },
    )
  })

  it('does so on every ring of up to three nodes with every choice of rounds', () => {
    for (let n = 1; n <= 3; n++) {
      const never = n + 1
      // Digit by digit the round in which each node is to start by itself.
      for (let code = 0; code < never ** n; code++) {
        const rounds = Array.from(
          { length: n },
          (_, i) => 1 + (Math.floor(code / never ** i) % never),
        )
        const starts = new Map([...rounds.entries()].filter(([, round]) => round < never))
        if (starts.size === 0) continue
        for (const ids of permutations(n))
          expectFlooded(
            ids.map((id) => id - 1),
            starts,
          )
      }
    }
  })

  it.each([1, 2, 3, 4])('holds in every interleaving of every ring of %i', (n) => {
    for (const ring of necklaces(n)) {
      // From 0: the leader may be elected while its message has yet to wake others.
      const ids = ring.map((id) => id - 1)
      const { world, properties } = preparation(timeSlice, { ...FLOOD, ids })
      const rules = { mode: { clocked: 1 }, order: 'fifo', wake: 'any' } as const
      const result = checkWorld(world, {
        ...rules,
        properties: [...properties, leads(0)],
        limits: { states: 100_000 },
      })
      expect(result).toMatchObject({ exhausted: true, violated: null })
      expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
      expect(possibleTotals(world, rules)).toEqual([2 * n])
    }
  })

  it('is the same election but for the wake messages where all start together', () => {
    for (const ids of [[9], [0, 1, 2], [7, 9, 12, 8]]) {
      const [plain, flooded] = [{}, FLOOD].map((set) => simulate(timeSlice, { ids, ...set }))
      const { time, leader, messages, nodes } = plain
      expect(flooded).toMatchObject({ time, leader, nodes })
      expect(flooded.messages.byType).toEqual({ wake: ids.length, ...messages.byType })
    }
  })

  it('costs a bit a message to tell the two types apart; a common start does not pay it', () => {
    const ids = [7, 9, 12, 8]
    expect(simulate(timeSlice, { ids })).toMatchObject({ bits: 16, messages: { total: 4 } })
    expect(simulate(timeSlice, { ids, set: 'start=together' }).bits).toBe(16)
    expect(simulate(timeSlice, { ids, ...FLOOD }).bits).toBe(16 + 8)
    expect(timeSlice.kinds.map(({ name }) => name)).toEqual(['leader'])
  })

  it('alone does without a common start', () => {
    const late = { ids: [1, 2], wake: '0@3,1@1' }
    for (const set of ['start=together', {}])
      expect(() => simulate(timeSlice, { ...late, set })).toThrow('needs all nodes to start')
    expect(simulate(timeSlice, { ...late, set: {}, 'allow-weaker': true }).leaders).toHaveLength(2)
    expect(simulate(timeSlice, { ...late, ...FLOOD }).leaders).toEqual([0])
    expect(() => simulate(timeSlice, { ...late, ...FLOOD, timing: 'async' })).toThrow('rounds')
    expect(() => simulate(timeSlice, { ...late, set: 'start=late' })).toThrow('together, flood')
  })

  it('wakes each node by the first message that comes, and sends one when woken', () => {
    const { sends } = observe(timeSlice, { ids: [5, 4, 3], wake: '1@2', ...FLOOD })
    const wakes = sends.filter(({ type }) => type === 'wake')
    expect(wakes.map(({ node, at }) => [node, at])).toEqual([
      [1, 2],
      [2, 3],
      [0, 4],
    ])
  })
})
