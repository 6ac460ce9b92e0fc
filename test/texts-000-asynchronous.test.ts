import { describe, expect, it } from 'vitest'
import {
  catalogue,
  changRoberts,
  franklin,
  hirschbergSinclair,
  hirschbergSinclairOneWay,
  lcr,
  peterson,
} from '../src/algorithms/index.ts'
import type { Algorithm } from '../src/core/index.ts'
import { distinctStates } from '../src/sim/symmetry.ts'
import {
  arrangements,
  candidates,
  changRobertsMessages,
  doublingMessages,
  doublingPhases,
  modulo,
  oneWayMessages,
  peakPhases,
  startSets,
  sum,
  toLarger,
} from './oracles.ts'
import { cost, observe, shuffled, simulate, simulation } from './worlds.ts'

const RING = [3, 2, 7, 8, 5, 4, 1, 6]
const SIZES = [1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 40]
const rings = SIZES.map((n) => shuffled(n, n))

function messages(algorithm: Algorithm, given: Record<string, unknown>): number {
  return cost(algorithm, simulate(algorithm, { timing: 'sync', ...given }).messages)
}

describe('text 000: the leader election problem', () => {
  it.each(catalogue)('exactly one processor is elected, and for ever ($name)', (algorithm) => {
    for (const ids of rings) {
      const { events } = observe(algorithm, { ids })
      const [elected, ...others] = events.filter(({ event }) => event === 'lead')
      expect(others).toEqual([])
      const later = events.slice(events.indexOf(elected))
      expect(later.filter(({ event, node }) => event === 'follow' && node === elected.node)).toEqual(
        [],
      )
    }
  })
})

const deterministic = catalogue.filter(({ needs }) => needs.topology === 'ring' && !needs.coins)

describe('text 000: impossibility for anonymous rings', () => {
  it.each(deterministic)(
    'after every round all states are equal, so all are elected or none ($name)',
    (algorithm) => {
      for (const n of [2, 3, 4, 5, 8, 16]) {
        const moments: { states: number; leaders: number }[] = []
        const run = simulation(
          algorithm,
          { n, ids: 'same' },
          {
            moment: () =>
              moments.push({ states: distinctStates(run), leaders: run.referee.leaders.length }),
          },
        )
        expect(run.run()).toBe('quiet')
        expect(moments.length).toBeGreaterThan(1)
        expect(moments.map(({ states }) => states)).toEqual(moments.map(() => 1))
        for (const { leaders } of moments) expect([0, n]).toContain(leaders)
      }
    },
  )

  it('holds for rings that know their size, that have rounds, and that go both ways', () => {
    const needs = deterministic.map((algorithm) => algorithm.needs)
    expect(needs.some(({ knows, time }) => knows?.includes('n') && time === 'rounds')).toBe(true)
    expect(deterministic).toContain(franklin)
  })

  it('LCR elects all n in round 2', () => {
    const { leaders, leader, time, verdict } = simulate(lcr, { n: 8, ids: 'same' })
    expect(leaders).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect({ leader, elected: time.elected, ok: verdict.ok }).toEqual({
      leader: null,
      elected: 2,
      ok: false,
    })
  })
})

describe('text 000: Chang-Roberts', () => {
  it('is uniform', () => {
    expect(changRoberts.needs.knows ?? []).not.toContain('n')
  })

  it('needs no synchronized start: the largest id wins whoever starts, and when', () => {
    for (const ids of [RING.slice(0, 5), [5, 4, 3, 2, 1], [1, 2, 3, 4, 5]]) {
      for (const starters of startSets(5)) {
        const wake = starters.map((node, i) => `${node}@${1 + ((3 * i) % 5)}`).join()
        const { leader, verdict } = simulate(changRoberts, { ids, wake, timing: 'sync' })
        expect(leader?.id).toBe(Math.max(...ids))
        expect(verdict.ok).toBe(true)
      }
    }
  })

  it('the message of the largest id passes every processor, others stop at a larger id', () => {
    for (const ids of rings) {
      const { sends } = observe(changRoberts, { ids })
      const elections = sends.filter(({ type }) => type === 'election')
      for (const [position, id] of ids.entries())
        expect(elections.filter(({ body }) => body.id === id)).toHaveLength(toLarger(ids, position))
    }
  })

  /** Over all arrangements of 1 to n: the fewest, the most and the sum of messages. */
  const census = [1, 2, 3, 4, 5, 6, 7].map((n) => {
    const all = arrangements(n).map((ids) => messages(changRoberts, { ids }))
    return { n, best: Math.min(...all), worst: Math.max(...all), sum: sum(all), rings: all.length }
  })

  it('worst case: n + (n-1) + ... + 1 messages, for decreasing ids', () => {
    for (const { n, worst } of census) {
      expect(worst).toBe((n * (n + 1)) / 2)
      expect(messages(changRoberts, { n, ids: 'decreasing' })).toBe(worst)
    }
    expect(messages(changRoberts, { n: 200, ids: 'decreasing' })).toBe(20100)
  })

  it('worst case: the i-th largest id causes n - i + 1 messages', () => {
    const { sends } = observe(changRoberts, { n: 9, ids: 'decreasing' })
    for (let id = 1; id <= 9; id++)
      expect(sends.filter(({ type, body }) => type === 'election' && body.id === id)).toHaveLength(
        id,
      )
  })

  it('best case: n + 1 + ... + 1 messages, for increasing ids', () => {
    for (const { n, best } of census) {
      expect(best).toBe(2 * n - 1)
      expect(messages(changRoberts, { n, ids: 'increasing' })).toBe(best)
    }
    expect(messages(changRoberts, { n: 200, ids: 'increasing' })).toBe(399)
  })

  it('average case: n (1 + 1/2 + ... + 1/n) messages over all arrangements', () => {
    expect(census.map((one) => one.sum).slice(0, 5)).toEqual([1, 6, 33, 200, 1370])
    for (const { n, rings: count, ...one } of census)
      expect(one.sum).toBe(sum(Array.from({ length: n }, (_, i) => (n * count) / (i + 1))))
  })

  it('an id makes exactly k < n steps with probability 1/k(k+1), and n with 1/n', () => {
    const steps = arrangements(6).map(
      (ids) =>
        observe(changRoberts, { ids }).sends.filter(
          ({ type, body }) => type === 'election' && body.id === ids[0],
        ).length,
    )
    for (let k = 1; k < 6; k++)
      expect(steps.filter((count) => count === k)).toHaveLength(720 / (k * (k + 1)))
    expect(steps.filter((count) => count === 6)).toHaveLength(720 / 6)
  })

  it('on average 0.69 n log2 n messages, up to terms of order n', () => {
    const n = 4096
    const counts = Array.from({ length: 30 }, (_, seed) => messages(changRoberts, { n, seed }))
    const beyond = sum(counts) / counts.length / n - Math.LN2 * Math.log2(n)
    // The rest of the harmonic series is Euler's constant.
    expect(Math.abs(beyond - 0.5772)).toBeLessThan(0.5)
  })

  it('the announcement takes n messages more', () => {
    for (const ids of rings)
      expect(simulate(changRoberts, { ids }).messages.byType.leader).toBe(ids.length)
  })

  it('the bit-reversal ring takes n (log2 n + 2) / 2 messages', () => {
    for (let log = 0; log <= 10; log++)
      expect(messages(changRoberts, { n: 2 ** log, ids: 'bit-reversal' })).toBe(
        (2 ** log * (log + 2)) / 2,
      )
  })

  it('a processor woken by a larger id never sends its own: fewer messages than LCR', () => {
    for (const algorithm of [lcr, changRoberts]) {
      const { messages, time } = simulate(algorithm, { ids: RING, wake: '0', timing: 'sync' })
      expect(cost(algorithm, messages)).toBe(algorithm === lcr ? 21 : 11)
      expect(time.elected).toBe(12)
    }
  })

  it('who starts decides how many messages it takes, not the delays', () => {
    for (const ids of [RING, shuffled(8, 5), [1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]]) {
      for (const starters of startSets(8)) {
        const given = { ids, wake: starters.join(), timing: 'async', delay: 'uniform:1:10' }
        expect(messages(changRoberts, given)).toBe(changRobertsMessages(ids, starters))
      }
    }
  })

  it('with one starter the leader is elected after its distance to the largest, and n', () => {
    for (const ids of rings) {
      const n = ids.length
      const distance = ids.indexOf(n)
      const { time, messages } = simulate(changRoberts, { ids, wake: '0', timing: 'sync' })
      expect(cost(changRoberts, messages)).toBe(distance + n)
      expect(time.elected).toBe(1 + distance + n)
    }
  })
})

describe('text 000: Hirschberg-Sinclair', () => {
  const probes = (ids: readonly number[]) =>
    observe(hirschbergSinclair, { ids, timing: 'sync' }).sends.filter(({ type }) => type !== 'leader')

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
      const all = arrangements(n).map((ids) => messages(hirschbergSinclair, { ids }))
      expect(Math.min(...all)).toBe(best(n))
    }
    for (let n = 2; n <= 100; n++)
      expect(messages(hirschbergSinclair, { n, ids: 'increasing' })).toBe(best(n))
  })

  it('homework 2: the bit-reversal ring takes 3 n log2 n + 2n messages', () => {
    for (let log = 0; log <= 10; log++) {
      const n = 2 ** log
      expect(messages(hirschbergSinclair, { n, ids: 'bit-reversal' })).toBe(3 * n * log + 2 * n)
    }
  })

  it('homework 3: with probes to one side only the worst case is quadratic', () => {
    const one = (n: number, ids: string) => messages(hirschbergSinclairOneWay, { n, ids })
    expect([8, 16].map((n) => one(n, 'increasing'))).toEqual([29, 61])
    expect([8, 16].map((n) => one(n, 'decreasing'))).toEqual([106, 446])
    for (const n of [64, 128, 256]) expect(one(n, 'decreasing')).toBeGreaterThan(n * n)
  })

  it('homework 3: each id goes to its nearest larger one and pays for its replies', () => {
    for (const ids of [...rings, ...arrangements(6)]) {
      const n = ids.length
      const count = messages(hirschbergSinclairOneWay, { ids })
      expect(count).toBe(oneWayMessages(ids))
      expect(count).toBeLessThanOrEqual((5 * n * (n + 1)) / 2 - 4 * n)
    }
  })
})

describe('text 000: O(n log n) messages on asynchronous rings', () => {
  const phasesAtMost = (n: number) => Math.floor(Math.log2(n)) + 1
  const all = [...rings, ...arrangements(7).filter((_, i) => i % 7 === 0)]

  it('on unidirectional rings too: Peterson takes 2n(P-1) + n in P <= floor(log2 n) + 1 phases', () => {
    expect(messages(peterson, { ids: [1, 5, 3, 7, 2, 6, 4, 8] })).toBe(56)
    for (const ids of all) {
      const [n, phases] = [ids.length, peakPhases(ids)]
      expect(phases).toBeLessThanOrEqual(phasesAtMost(n))
      expect(messages(peterson, { ids })).toBe(2 * n * (phases - 1) + n)
    }
  })

  it('Peterson: the finisher announces the owner of the value that came back', () => {
    for (const ids of rings.filter(({ length }) => length > 1)) {
      const { events, result } = observe(peterson, { ids })
      const first = events.find((event) => event.event === 'send' && event.type === 'leader')
      expect(result.leader?.id).toBe(Math.max(...ids))
      expect(first?.node).not.toBe(result.leader?.node)
      expect(result.messages.byType.leader).toBe(ids.length)
    }
  })

  it('Franklin takes 2n in each of P <= floor(log2 n) + 1 phases', () => {
    expect(messages(franklin, { ids: [1, 5, 3, 7, 2, 6, 4, 8] })).toBe(64)
    for (const ids of all)
      expect(messages(franklin, { ids })).toBe(2 * ids.length * peakPhases(ids))
  })

  it('and no less: on the bit-reversal ring every uniform algorithm takes (n/2) log2 n', () => {
    const uniform = deterministic.filter(({ needs }) => needs.time !== 'rounds' && !needs.knows)
    expect(uniform).toContain(peterson)
    for (const algorithm of uniform)
      for (let log = 1; log <= 9; log++)
        expect(messages(algorithm, { n: 2 ** log, ids: 'bit-reversal' })).toBeGreaterThanOrEqual(
          (2 ** log / 2) * log,
        )
  })
})
