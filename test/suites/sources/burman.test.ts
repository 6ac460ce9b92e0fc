import { beforeAll, describe, expect, it } from 'vitest'
import { hirschbergSinclair, lcr } from '../../../src/algorithms/index.ts'
import {
  candidates,
  doublingMessages,
  doublingPhases,
  lcrMessages,
  necklaces,
  permutations,
  startSets,
  sum,
  wakingTimes,
} from '../../support/oracles.ts'
import { electionMessages, observe, shuffled, simulate } from '../../support/random-worlds.ts'

const RING = [3, 2, 7, 8, 5, 4, 1, 6]
const rings = [1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 40].map((n) => shuffled(n, n))

function holds(result: ReturnType<typeof simulate>, property: string): boolean | null | undefined {
  return result.verdict.properties.find(({ name }) => name === property)?.holds
}

const SPECIFICATION = [
  'at most one leader',
  'a leader stays leader',
  'exactly one leader at the end',
]
const VARIANTS = [
  'the others know they lost',
  'the others know the leader',
  'the others know it is over',
  'the leader terminates',
]

describe('Burman: LCR', () => {
  /** The form without <termine>: no processor handles the announcement. */
  const basic = {
    ...lcr,
    kinds: lcr.kinds.map((kind) => (kind.announces ? { ...kind, handle: () => {} } : kind)),
  }

  /** Every start set on a ring of 6, some nodes later than others. */
  const starts = startSets(6).flatMap((starters) => [
    new Map(starters.map((node) => [node, 0])),
    new Map(starters.map((node, i) => [node, (5 * i) % 7])),
  ])
  const wakeOf = (times: ReadonlyMap<number, number>) =>
    [...times].map(([node, time]) => `${node}@${time}`).join()

  it('lemma 1: the process with the largest id wakes after at most n - 1 units of time', () => {
    const delays: number[] = []
    for (const times of starts)
      for (const ids of [
        [1, 2, 3, 4, 5, 6],
        [2, 6, 4, 1, 5, 3],
      ]) {
        const { events } = observe(lcr, { ids, wake: wakeOf(times) })
        const first = events[0].at
        const up = events.find(
          (event) =>
            event.node === ids.indexOf(6) &&
            (event.event === 'wake' || (event.event === 'receive' && event.woken)),
        )!
        expect(up.at).toBe(wakingTimes(6, times)[ids.indexOf(6)])
        delays.push(up.at - first)
      }
    expect(Math.max(...delays)).toBe(5)
  })

  it('lemma 2: it becomes leader, n units of time after it woke', () => {
    for (const times of starts) {
      const ids = [2, 6, 4, 1, 5, 3]
      const { leader, time } = simulate(lcr, { ids, wake: wakeOf(times) })
      expect(leader).toEqual({ node: 1, id: 6 })
      expect(time.elected).toBe(wakingTimes(6, times)[1] + 6)
    }
  })

  it('lemma 3: no other process receives its own id; without variants it stays unknown', () => {
    for (const ids of rings) {
      const { events, result } = observe(basic, { ids })
      const home = events.filter(
        (event) =>
          event.event === 'receive' &&
          event.type === 'election' &&
          event.body.id === ids[event.node],
      )
      expect(home.map(({ node }) => node)).toEqual([ids.indexOf(ids.length)])
      const others = result.nodes!.filter(({ node }) => node !== home[0].node)
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 'unknown'))
    }
  })

  it('theorem: it solves leader election, without the variants', () => {
    for (const ids of rings.filter(({ length }) => length > 1)) {
      const result = simulate(basic, { ids })
      expect(SPECIFICATION.map((name) => holds(result, name))).toEqual([true, true, true])
      expect(VARIANTS.map((name) => holds(result, name))).toEqual([false, false, false, false])
    }
  })

  it.each(VARIANTS)('with <termine>: %s', (variant) => {
    for (const ids of rings) expect(holds(simulate(lcr, { ids }), variant)).toBe(true)
  })

  /** Over all permutations of 1 to n. */
  let census: { n: number; counts: number[] }[] = []
  beforeAll(() => {
    census = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
      n,
      counts: permutations(n).map((ids) => electionMessages(lcr, { ids })),
    }))
  })

  it('worst case: n(n+1)/2 messages, for decreasing ids', () => {
    for (const { n, counts } of census) expect(Math.max(...counts)).toBe((n * (n + 1)) / 2)
    for (const n of [1, 2, 3, 8, 100])
      expect(electionMessages(lcr, { n, ids: 'decreasing' })).toBe((n * (n + 1)) / 2)
  })

  it('best case: 2n - 1 messages, for increasing ids', () => {
    for (const { n, counts } of census) expect(Math.min(...counts)).toBe(2 * n - 1)
    for (const n of [1, 2, 3, 8, 100])
      expect(electionMessages(lcr, { n, ids: 'increasing' })).toBe(2 * n - 1)
  })

  it('average: exactly n H_n messages over all permutations', () => {
    expect(census.map(({ counts }) => sum(counts)).slice(0, 5)).toEqual([1, 6, 33, 200, 1370])
    for (const { n, counts } of census)
      expect(sum(counts)).toBe(
        sum(Array.from({ length: n }, (_, i) => (n * counts.length) / (i + 1))),
      )
  })

  it('every id travels to the nearest larger one, for any initiators', () => {
    expect(lcrMessages(RING)).toBe(21)
    for (const starters of startSets(8))
      expect(electionMessages(lcr, { ids: RING, wake: starters.join() })).toBe(21)
    for (const ids of rings) expect(electionMessages(lcr, { ids })).toBe(lcrMessages(ids))
    for (let log = 0; log <= 10; log++)
      expect(electionMessages(lcr, { n: 2 ** log, ids: 'bit-reversal' })).toBe(
        (2 ** log * (log + 2)) / 2,
      )
  })

  it('time: elected in round n + 1, last receipt in round 2n + 1 when all start', () => {
    for (const ids of rings) {
      const n = ids.length
      const unit = 'round'
      expect(simulate(lcr, { ids, timing: 'sync' }).time).toEqual({
        unit,
        elected: n + 1,
        last: 2 * n + 1,
      })
    }
    expect(simulate(lcr, { ids: RING, timing: 'sync', wake: '0' }).time.elected).toBe(12)
  })

  it('time: at most 2n - 1 units until the election, for any initiators', () => {
    for (const times of starts) {
      const first = Math.min(...times.values())
      const { time } = simulate(lcr, { ids: [2, 6, 4, 1, 5, 3], wake: wakeOf(times) })
      expect(time.elected! - first).toBeLessThanOrEqual(11)
    }
  })

  it('bits: O(n^2 log n), a type and ceil(log2(n+1)) bits of id in each message', () => {
    for (const n of [1, 2, 3, 7, 8, 64, 200]) {
      const { bits, messages } = simulate(lcr, { n, ids: 'decreasing' })
      const idBits = (n.toString(2) as string).length
      expect(messages.total).toBe((n * (n + 1)) / 2 + n)
      expect(bits).toBe(messages.total * (1 + idBits))
      if (n > 1) expect(bits).toBeLessThanOrEqual(5 * n * n * Math.log2(n))
    }
  })
})

describe('Burman: Hirschberg-Sinclair', () => {
  const ceilLog = (n: number) => Math.ceil(Math.log2(n))
  const sends = (ids: readonly number[]) =>
    observe(hirschbergSinclair, { ids, timing: 'sync' }).sends.filter(
      ({ type }) => type !== 'leader',
    )
  const all = [...rings, ...necklaces(6)]

  it('phase 0: n active processes, 3n messages for n >= 2, at most the 4n of the text', () => {
    for (const ids of rings.filter(({ length }) => length > 1)) {
      const first = sends(ids).filter(({ body }) => body.phase === 0)
      expect(first).toHaveLength(3 * ids.length)
    }
  })

  it('phase k: at most floor(n / (2^(k-1) + 1)) are active, at least 2^(k-1) + 1 apart', () => {
    for (const ids of all) {
      const n = ids.length
      const opening = sends(ids).filter(({ type, body }) => type === 'probe' && body.hops === 1)
      for (let k = 1; k <= ceilLog(n); k++) {
        const gap = 2 ** (k - 1) + 1
        const active = opening.filter(({ body }) => body.phase === k).map(({ node }) => node)
        const places = [...new Set(active)].sort((a, b) => a - b)
        expect(places).toEqual(candidates(ids, k))
        expect(places.length).toBeLessThanOrEqual(Math.max(1, Math.floor(n / gap)))
        for (const [i, place] of places.entries())
          if (places.length > 1)
            expect(
              i === 0 ? place + n - places.at(-1)! : place - places[i - 1],
            ).toBeGreaterThanOrEqual(gap)
      }
    }
  })

  it('phase k: the floor is reached by peaks as near to each other as can be', () => {
    for (const k of [1, 2, 3]) {
      const gap = 2 ** (k - 1) + 1
      const n = 6 * gap
      const ids = Array.from({ length: n }, (_, at) => (at % gap === 0 ? n + at : at))
      const opening = sends(ids).filter(({ body }) => body.phase === k && body.hops === 1)
      expect(new Set(opening.map(({ body }) => body.id)).size).toBe(6)
    }
  })

  it('phase k: at most 8n messages', () => {
    for (const ids of all)
      for (const { probe, reply } of doublingPhases(ids))
        expect(probe + reply).toBeLessThanOrEqual(8 * ids.length)
  })

  it('ceil(log2 n) + 1 phases until the election', () => {
    for (const ids of rings) {
      const phases = new Set(sends(ids).map(({ body }) => body.phase))
      expect(phases.size).toBe(ceilLog(ids.length) + 1)
    }
  })

  it('messages: what the distances say, at most 8n ceil(log2 n) + 4n', () => {
    for (const ids of all) {
      const n = ids.length
      const count = electionMessages(hirschbergSinclair, { ids })
      expect(count).toBe(doublingMessages(ids))
      expect(count).toBeLessThanOrEqual(8 * n * ceilLog(n) + 4 * n)
    }
  })

  it('a ring of one takes 2 probes, a ring of two 8 probes and 2 replies', () => {
    const types = (ids: number[]) => simulate(hirschbergSinclair, { ids }).messages.byType
    expect(types([5])).toEqual({ probe: 2, reply: 0, leader: 1 })
    expect(types([1, 2])).toEqual({ probe: 8, reply: 2, leader: 2 })
    expect(types([2, 1])).toEqual({ probe: 8, reply: 2, leader: 2 })
  })

  it('time: phase k of the winner takes 2 * 2^k rounds, the last n', () => {
    for (const ids of rings) {
      const n = ids.length
      const { sends, result } = observe(hirschbergSinclair, { ids, timing: 'sync' })
      for (let k = 0; k <= ceilLog(n); k++) {
        const open = sends.find(({ body }) => body.id === n && body.phase === k)
        expect(open?.at).toBe(1 + 2 * (2 ** k - 1))
      }
      expect(result.time.elected).toBe(1 + 2 * (2 ** ceilLog(n) - 1) + n)
    }
  })

  it('time: 2(2^ceil(log2 n) - 1) + n, so 3n - 2 for powers of two and at most 5n - 2 else', () => {
    for (let n = 1; n <= 70; n++) {
      const { time } = simulate(hirschbergSinclair, { n, seed: n })
      expect(time.elected).toBe(2 * (2 ** ceilLog(n) - 1) + n)
      if (Number.isInteger(Math.log2(n))) expect(time.elected).toBe(3 * n - 2)
      expect(time.elected).toBeLessThanOrEqual(5 * n - 2)
    }
  })
})
