import { beforeAll, describe, expect, it } from 'vitest'
import { changRoberts, franklin, lcr } from '../../../src/algorithms/index.ts'
import { distinctStates } from '../../../src/sim/symmetry.ts'
import {
  changRobertsMessages,
  permutations,
  startSets,
  sum,
  toLarger,
} from '../../support/oracles.ts'
import {
  cost,
  electionMessages,
  ending,
  named,
  observe,
  possibleSize,
  shuffled,
  simulate,
  simulation,
  symmetric,
} from '../../support/random-worlds.ts'

const RING = [3, 2, 7, 8, 5, 4, 1, 6]
const rings = [1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 40].map((n) => shuffled(n, n))

describe('the MPS lecture: the leader election problem', () => {
  it.each(named(ending))(
    'exactly one processor is elected, and stays leader: %s',
    (_, algorithm) => {
      for (const ids of rings) {
        // A hypercube has 2^d nodes.
        if (possibleSize(algorithm, ids.length) !== ids.length) continue
        const { events } = observe(algorithm, { ids })
        const [elected, ...others] = events.filter(({ event }) => event === 'lead')
        expect(others).toEqual([])
        const later = events.slice(events.indexOf(elected))
        expect(
          later.filter(({ event, node }) => event === 'follow' && node === elected.node),
        ).toEqual([])
      }
    },
  )
})

describe('the MPS lecture: impossibility for anonymous rings', () => {
  it.each(named(symmetric))(
    'after every round all states are equal, so all are elected or none: %s',
    (_, algorithm) => {
      for (const n of [2, 3, 4, 5, 8, 16]) {
        const moments: { states: number; leaders: number }[] = []
        const run = simulation(
          algorithm,
          { n, ids: 'same' },
          {
            moment: () =>
              moments.push({ states: distinctStates(run), leaders: run.monitor.leaders.length }),
          },
        )
        expect(run.finish()).toBe('quiet')
        expect(moments.length).toBeGreaterThan(1)
        expect(moments.map(({ states }) => states)).toEqual(moments.map(() => 1))
        for (const { leaders } of moments) expect([0, n]).toContain(leaders)
      }
    },
  )

  it('holds for rings that know their size, that have rounds, and that go both ways', () => {
    const needs = symmetric.map((algorithm) => algorithm.needs)
    expect(needs.some(({ knows, time }) => knows?.includes('n') && time === 'rounds')).toBe(true)
    expect(symmetric).toContain(franklin)
  })

  it('LCR elects all n in round 2', () => {
    const { events, result } = observe(lcr, { n: 8, ids: 'same' })
    const elected = events.filter(({ event }) => event === 'lead')
    expect(elected.map(({ at }) => at)).toEqual(Array(8).fill(2))
    expect([...result.leaders].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(result).toMatchObject({ leader: null, verdict: { ok: false } })
  })

  it('a ring of one elects its only processor', () => {
    for (const algorithm of symmetric)
      expect(simulate(algorithm, { n: 1, ids: 'same' }).verdict.ok).toBe(true)
  })
})

describe('the MPS lecture: Chang-Roberts', () => {
  it('is uniform', () => {
    expect(changRoberts.needs.knows ?? []).not.toContain('n')
  })

  it('needs no synchronized start: the largest id wins for any initiators and start times', () => {
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

  /** Over all permutations of 1 to n: the fewest, the most and the sum of messages. */
  let census: { n: number; best: number; worst: number; sum: number; rings: number }[] = []
  beforeAll(() => {
    census = [1, 2, 3, 4, 5, 6, 7].map((n) => {
      const all = permutations(n).map((ids) => electionMessages(changRoberts, { ids }))
      const [best, worst] = [Math.min(...all), Math.max(...all)]
      return { n, best, worst, sum: sum(all), rings: all.length }
    })
  })

  it('worst case: n + (n-1) + ... + 1 messages, for decreasing ids', () => {
    for (const { n, worst } of census) {
      expect(worst).toBe((n * (n + 1)) / 2)
      expect(electionMessages(changRoberts, { n, ids: 'decreasing' })).toBe(worst)
    }
    expect(electionMessages(changRoberts, { n: 200, ids: 'decreasing' })).toBe(20100)
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
      expect(electionMessages(changRoberts, { n, ids: 'increasing' })).toBe(best)
    }
    expect(electionMessages(changRoberts, { n: 200, ids: 'increasing' })).toBe(399)
  })

  it('average case: n (1 + 1/2 + ... + 1/n) messages over all permutations', () => {
    expect(census.map((one) => one.sum).slice(0, 5)).toEqual([1, 6, 33, 200, 1370])
    for (const { n, rings: count, ...one } of census)
      expect(one.sum).toBe(sum(Array.from({ length: n }, (_, i) => (n * count) / (i + 1))))
  })

  it('an id makes exactly k < n steps with probability 1/k(k+1), and n with 1/n', () => {
    const steps = permutations(6).map(
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
    const counts = Array.from({ length: 10 }, (_, seed) =>
      electionMessages(changRoberts, { n, seed }),
    )
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
      expect(electionMessages(changRoberts, { n: 2 ** log, ids: 'bit-reversal' })).toBe(
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

  it('a message wins over a start of its own at the same moment', () => {
    const ids = [3, 1, 2]
    const messages = (wake: string) => electionMessages(changRoberts, { ids, wake })
    expect(messages('0@1,1@1')).toBe(changRobertsMessages(ids, [0, 1]))
    expect(messages('0@1,1@2')).toBe(changRobertsMessages(ids, [0]))
    expect(changRobertsMessages(ids, [0, 1])).not.toBe(changRobertsMessages(ids, [0]))
  })

  it('the initiators determine the number of messages, not the delays', () => {
    for (const ids of [RING, shuffled(8, 5), [1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]]) {
      for (const starters of startSets(8)) {
        const given = { ids, wake: starters.join(), timing: 'async', delay: 'uniform:1:10' }
        expect(electionMessages(changRoberts, given)).toBe(changRobertsMessages(ids, starters))
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
