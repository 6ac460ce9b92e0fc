import { describe, expect, it } from 'vitest'
import {
  franklin,
  hirschbergSinclair,
  hirschbergSinclairOneWay,
  peterson,
} from '../../../src/algorithms/index.ts'
import {
  candidates,
  doublingPhases,
  necklaces,
  oneWayMessages,
  peakPhases,
  permutations,
  sum,
} from '../../support/oracles.ts'
import {
  electionMessages,
  observe,
  shuffled,
  simulate,
  symmetric,
} from '../../support/random-worlds.ts'

const RING = [3, 2, 7, 8, 5, 4, 1, 6]
const rings = [1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 40].map((n) => shuffled(n, n))

describe('the MPS lecture: Hirschberg-Sinclair', () => {
  const probes = (ids: readonly number[]) =>
    observe(hirschbergSinclair, { ids, timing: 'sync' }).sends.filter(
      ({ type }) => type !== 'leader',
    )

  it('a processor enters phase k + 1 iff it has the largest id of its 2^k-neighbourhood', () => {
    for (const ids of rings) {
      const opening = probes(ids).filter(
        ({ type, body, node }) => type === 'probe' && body.hops === 1 && body.id === ids[node],
      )
      for (let phase = 0; phase <= 8; phase++) {
        const openers = opening.filter(({ body }) => body.phase === phase).map(({ node }) => node)
        expect([...new Set(openers)].sort((a, b) => a - b)).toEqual(candidates(ids, phase))
      }
    }
  })

  it('probing in phase k takes at most 4 * 2^k messages for each processor', () => {
    for (const ids of rings) {
      const sends = probes(ids)
      for (const id of ids)
        for (let phase = 0; phase <= 8; phase++) {
          const own = sends.filter(({ body }) => body.id === id && body.phase === phase)
          expect(own.length).toBeLessThanOrEqual(4 * 2 ** phase)
        }
    }
  })

  it('sends per phase what the distances to larger ids say', () => {
    for (const ids of rings) {
      const sends = probes(ids)
      const counts = doublingPhases(ids).map((_, phase) => {
        const count = (wanted: string) =>
          sends.filter(({ type, body }) => type === wanted && body.phase === phase).length
        return { probe: count('probe'), reply: count('reply') }
      })
      expect(counts).toEqual(doublingPhases(ids))
      expect(sum(counts.map(({ probe, reply }) => probe + reply))).toBe(sends.length)
    }
  })

  it('4n messages per phase is not a bound: phase 3 of this ring of 10 takes 42', () => {
    const ids = [10, 1, 2, 3, 4, 9, 5, 6, 7, 8]
    expect(probes(ids).filter(({ body }) => body.phase === 3)).toHaveLength(42)
    expect(candidates(ids, 3).length).toBeGreaterThan(10 / 2 ** 3)
  })

  it('needs sleepers that start when a message wakes them, which the printed code has not', () => {
    const printed = { ...hirschbergSinclair, wakes: false }
    expect(simulate(hirschbergSinclair, { ids: RING, wake: '0' }).verdict.ok).toBe(true)
    const { leaders, verdict } = simulate(printed, { ids: RING, wake: '0' })
    expect({ leaders, ok: verdict.ok }).toEqual({ leaders: [], ok: false })
  })

  it('homework 1: the best case is 5n + 4(2^ceil(log2 n) - 2), for increasing ids', () => {
    const best = (n: number) => 5 * n + 4 * (2 ** Math.ceil(Math.log2(n)) - 2)
    for (let n = 2; n <= 7; n++) {
      const all = necklaces(n).map((ids) => electionMessages(hirschbergSinclair, { ids }))
      expect(Math.min(...all)).toBe(best(n))
    }
    for (let n = 2; n <= 100; n++)
      expect(electionMessages(hirschbergSinclair, { n, ids: 'increasing' })).toBe(best(n))
  })

  it('homework 2: the bit-reversal ring takes 3 n log2 n + 2n messages', () => {
    for (let log = 0; log <= 10; log++) {
      const n = 2 ** log
      expect(electionMessages(hirschbergSinclair, { n, ids: 'bit-reversal' })).toBe(
        3 * n * log + 2 * n,
      )
    }
  })

  it('homework 3: with probes to one side only the worst case is quadratic', () => {
    const one = (n: number, ids: string) => electionMessages(hirschbergSinclairOneWay, { n, ids })
    expect([8, 16].map((n) => one(n, 'increasing'))).toEqual([29, 61])
    expect([8, 16].map((n) => one(n, 'decreasing'))).toEqual([106, 446])
    for (const n of [64, 128, 256]) expect(one(n, 'decreasing')).toBeGreaterThan(n * n)
  })

  it('homework 3: each id goes to its nearest larger one and pays for its replies', () => {
    for (const ids of [...rings, ...permutations(6)]) {
      const n = ids.length
      const count = electionMessages(hirschbergSinclairOneWay, { ids })
      expect(count).toBe(oneWayMessages(ids))
      expect(count).toBeLessThanOrEqual((5 * n * (n + 1)) / 2 - 4 * n)
    }
  })
})

describe('the MPS lecture: O(n log n) messages on asynchronous rings', () => {
  const phasesAtMost = (n: number) => Math.floor(Math.log2(n)) + 1
  const all = [...rings, ...permutations(7).filter((_, i) => i % 7 === 0)]

  it('one-way rings too: Peterson takes 2n(P-1) + n in P <= floor(log2 n) + 1 phases', () => {
    expect(electionMessages(peterson, { ids: [1, 5, 3, 7, 2, 6, 4, 8] })).toBe(56)
    for (const ids of all) {
      const [n, phases] = [ids.length, peakPhases(ids)]
      expect(phases).toBeLessThanOrEqual(phasesAtMost(n))
      expect(electionMessages(peterson, { ids })).toBe(2 * n * (phases - 1) + n)
    }
  })

  it('Peterson: the finisher announces the owner of the value that returned', () => {
    for (const ids of rings.filter(({ length }) => length > 1)) {
      const { events, result } = observe(peterson, { ids })
      const first = events.find((event) => event.event === 'send' && event.type === 'leader')
      expect(result.leader?.id).toBe(Math.max(...ids))
      expect(first?.node).not.toBe(result.leader?.node)
      expect(result.messages.byType.leader).toBe(ids.length)
    }
  })

  it('Franklin takes 2n in each of P <= floor(log2 n) + 1 phases', () => {
    expect(electionMessages(franklin, { ids: [1, 5, 3, 7, 2, 6, 4, 8] })).toBe(64)
    for (const ids of all)
      expect(electionMessages(franklin, { ids })).toBe(2 * ids.length * peakPhases(ids))
  })

  it('and no less: on the bit-reversal ring every uniform algorithm takes (n/2) log2 n', () => {
    const uniform = symmetric.filter(({ needs }) => needs.time !== 'rounds' && !needs.knows)
    expect(uniform).toContain(peterson)
    for (const algorithm of uniform)
      for (let log = 1; log <= 9; log++)
        expect(
          electionMessages(algorithm, { n: 2 ** log, ids: 'bit-reversal' }),
        ).toBeGreaterThanOrEqual((2 ** log / 2) * log)
  })
})
