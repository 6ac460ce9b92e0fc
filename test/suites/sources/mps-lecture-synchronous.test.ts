import { describe, expect, it } from 'vitest'
import { slowFast, timeSlice } from '../../../src/algorithms/index.ts'
import { modulo, startSets } from '../../support/oracles.ts'
import { observe, shuffled, simulate } from '../../support/random-worlds.ts'

describe('the MPS lecture: the first synchronous algorithm, time-slice', () => {
  /** Rings whose smallest id is m. */
  const rings = [
    ...[1, 2, 3, 8, 25].map((n) => shuffled(n, n).map((id) => id - 1)),
    ...[1, 2, 3, 8, 25].map((n) => shuffled(n, n).map((id) => 7 * id + n)),
  ].map((ids) => ({ ids, n: ids.length, m: Math.min(...ids) }))

  it('elects the smallest id with exactly n messages', () => {
    for (const { ids, n, m } of rings) {
      const { leader, messages, verdict } = simulate(timeSlice, { ids })
      expect({ leader: leader?.id, total: messages.total }).toEqual({ leader: m, total: n })
      expect(verdict.ok).toBe(true)
    }
  })

  it('sends no message in the phases before that of the smallest id', () => {
    for (const { ids, n, m } of rings)
      expect(observe(timeSlice, { ids }).sends[0].at).toBe(m * n + 1)
  })

  it('elects in round m n + 1, all know by (m+1) n, and it is back in (m+1) n + 1', () => {
    for (const { ids, n, m } of rings) {
      const { events, result } = observe(timeSlice, { ids })
      expect(result.time).toEqual({ unit: 'round', elected: m * n + 1, last: (m + 1) * n + 1 })
      const told = events.filter(({ event }) => event === 'follow').map(({ at }) => at)
      expect(told).toHaveLength(n - 1)
      expect(Math.max(0, ...told)).toBe(n === 1 ? 0 : (m + 1) * n)
    }
  })

  it('takes time that no function of n bounds: n = 1,000 and m = 1,000,000', () => {
    const ids = shuffled(1000, 1).map((id) => id + 999_999)
    const { messages, time, leader } = simulate(timeSlice, { ids })
    expect(messages.total).toBe(1000)
    expect(time.elected).toBe(1_000_000_001)
    expect(leader?.id).toBe(1_000_000)
  })

  it('requires knowing n', () => {
    expect(timeSlice.needs.knows).toContain('n')
    expect(slowFast.needs.knows ?? []).not.toContain('n')
  })

  it('requires a synchronous start: else two may lead', () => {
    const late = { ids: [1, 2], wake: '0@3,1@1' }
    expect(() => simulate(timeSlice, late)).toThrow('time-slice needs all nodes to start')
    const { leaders, verdict } = simulate(timeSlice, { ...late, 'allow-weaker': true })
    expect(leaders).toHaveLength(2)
    expect(verdict.ok).toBe(false)
  })
})

/** A run of slow-fast, and what the text says about it in terms of who woke and when. */
function slowFastRun(ids: readonly number[], wake: string) {
  const { result, events, sends, starts } = observe(slowFast, { ids, wake })
  const n = ids.length
  const active = [...starts.keys()]
  const leader = Math.min(...active.map((node) => ids[node]))
  const home = ids.indexOf(leader)
  const awake = starts.get(home)!
  const toNext = Math.min(n, ...active.map((node) => modulo(node - home, n)).filter((d) => d > 0))
  const of = (type: string) => sends.filter((send) => send.type === type)
  const slow = of('slow')
  return {
    result,
    events,
    ids,
    n,
    starts,
    leader,
    home,
    awake,
    toNext,
    fast: of('fast'),
    slow,
    elected: awake + toNext + (n - toNext) * 2 ** leader,
    asleep: slow.filter(({ at }) => at < awake),
    whileFast: slow.filter(({ at }) => at >= awake && at < awake + toNext),
    whileSlow: slow.filter(({ at }) => at >= awake + toNext),
  }
}

/** A ring of 24 with the ids 0, 1 and 2 at these places; the others are larger. */
function withSmallestAt(...places: number[]): number[] {
  return Array.from({ length: 24 }, (_, node) =>
    places.includes(node) ? places.indexOf(node) : 10 + node,
  )
}

/** Small ids from 0 make the most messages; late starters may find themselves woken before. */
const runs = [
  ...startSets(5).map((starters) => slowFastRun([3, 0, 4, 1, 2], starters.join())),
  ...startSets(5).map((starters) =>
    slowFastRun([2, 4, 1, 0, 3], starters.map((node, i) => `${node}@${1 + 2 * i}`).join()),
  ),
  ...[1, 2, 6, 12, 24].flatMap((n) =>
    [1, 2, 3].flatMap((seed) => {
      const ids = shuffled(n, seed).map((id) => id - 1)
      const late = ids.map((id, node) => `${node}@${1 + ((id * seed * 7) % (2 * n))}`)
      return [slowFastRun(ids, 'all'), slowFastRun(ids, late.join())]
    }),
  ),
  ...[8, 16].map((n) => slowFastRun(shuffled(n, 3), 'rate:0.4')),
  // The leader wakes just before a message would wake it; and its message is fast for long.
  slowFastRun(withSmallestAt(0, 1, 2), '0@22,1@1,2@1'),
  slowFastRun(withSmallestAt(0, 16, 17), '0,16,17'),
]

describe('the MPS lecture: the second synchronous algorithm, slow-fast', () => {
  it('homework: p1, p5, p8 awake in round 1 and p3 in round 2', () => {
    const ids = [1, 2, 3, 4, 5, 6, 7, 8]
    const { leader, messages, time } = simulate(slowFast, { ids, wake: '0@1,4@1,7@1,2@2' })
    expect(leader).toEqual({ node: 0, id: 1 })
    expect(messages.byType).toEqual({ fast: 8, slow: 6, leader: 8 })
    expect(time.elected).toBe(15)
  })

  it('works though processors start in different rounds: the smallest active id is elected', () => {
    for (const { result, leader } of runs) {
      expect(result.leader?.id).toBe(leader)
      expect(result.verdict.ok).toBe(true)
    }
  })

  it('a processor that a message wakes is a relay and never competes', () => {
    for (const { ids, starts, fast, slow } of runs)
      for (const { body } of [...fast, ...slow])
        expect(starts.has(ids.indexOf(Number(body.id)))).toBe(true)
    expect(runs.some(({ n, starts }) => starts.size < n)).toBe(true)
  })

  it('a processor that a message reaches in the round of its own start is a relay too', () => {
    const { starts, fast, result } = slowFastRun([2, 1, 3], '0@1,1@2')
    expect([...starts.keys()]).toEqual([0])
    expect(fast).toHaveLength(3)
    expect(result.leader).toEqual({ node: 0, id: 2 })
    expect(slowFastRun([2, 1, 3], '0@2,1@2').result.leader).toEqual({ node: 1, id: 1 })
  })

  it('elects in round wake + d + (n-d) 2^L, d the distance to the next active processor', () => {
    for (const { result, elected } of runs) expect(result.time.elected).toBe(elected)
  })

  it('a slow message m travels one edge every 2^m rounds', () => {
    for (const { ids, slow, n } of runs)
      for (const id of ids) {
        const steps = slow.filter(({ body }) => body.id === id)
        for (const [i, { at, node }] of steps.entries()) {
          if (i === 0) continue
          expect(node).toBe((steps[i - 1].node + 1) % n)
          expect(at - steps[i - 1].at).toBe(2 ** id)
        }
      }
  })

  it('a slow message m is forwarded at most n / 2^m times in n rounds, rounded up', () => {
    for (const { ids, slow, n } of runs)
      for (const id of ids) {
        const rounds = slow.filter(({ body }) => body.id === id).map(({ at }) => at)
        for (const from of rounds)
          expect(rounds.filter((at) => at >= from && at < from + n).length).toBeLessThanOrEqual(
            Math.ceil(n / 2 ** id),
          )
      }
  })

  it('type 1: no processor sends more than one fast message, and there are exactly n', () => {
    for (const { fast, n } of runs) {
      expect(new Set(fast.map(({ node }) => node)).size).toBe(n)
      expect(fast).toHaveLength(n)
    }
  })

  it('type 2: at most n slow messages while the message of the leader is fast', () => {
    for (const { whileFast, n } of runs) expect(whileFast.length).toBeLessThanOrEqual(n)
    expect(runs.some(({ whileFast }) => whileFast.length > 0)).toBe(true)
  })

  it('type 3: at most 2n slow messages while the message of the leader is slow', () => {
    for (const { whileSlow, n } of runs) expect(whileSlow.length).toBeLessThanOrEqual(2 * n)
    expect(runs.some(({ whileSlow }) => whileSlow.length > 0)).toBe(true)
  })

  it('type 4: at most n slow messages while the leader sleeps', () => {
    for (const { asleep, n } of runs) expect(asleep.length).toBeLessThanOrEqual(n)
    expect(runs.some(({ asleep }) => asleep.length > 0)).toBe(true)
  })

  it('the leader sleeps no longer than the first to wake before it are places away', () => {
    for (const { starts, home, awake, n } of runs) {
      const first = Math.min(...starts.values())
      const places = [...starts]
        .filter(([, at]) => at === first)
        .map(([node]) => modulo(home - node, n))
      expect(awake - first).toBeLessThanOrEqual(Math.min(...places))
    }
  })

  it('no competing message is sent once the leader has its own back', () => {
    for (const { fast, slow, elected } of runs)
      for (const { at } of [...fast, ...slow]) expect(at).toBeLessThanOrEqual(elected)
  })

  it('takes at least n and at most 5n messages', () => {
    for (const { fast, slow, n } of runs) {
      expect(fast.length + slow.length).toBeGreaterThanOrEqual(n)
      expect(fast.length + slow.length).toBeLessThanOrEqual(5 * n)
    }
  })

  it('elects no leader if active processors test their time-out only when a message comes', () => {
    const printed = {
      ...slowFast,
      timers: slowFast.timers.map((timer) => ({
        ...timer,
        fire: (my: Parameters<typeof timer.fire>[0], net: unknown) => {
          if (my.active !== true) timer.fire(my, net)
        },
      })),
    }
    const homework = { ids: [1, 2, 3, 4, 5, 6, 7, 8], wake: '0@1,4@1,7@1,2@2' }
    expect(simulate(slowFast, homework).leaders).toEqual([0])
    expect(simulate(printed, homework).leaders).toEqual([])
  })

  it('takes time exponential in the smallest id, yet only while there are two to compete', () => {
    expect(simulate(slowFast, { ids: [40, 41], wake: 'all' }).time.elected).toBe(2 + 2 ** 40)
    expect(simulate(slowFast, { ids: [40, 41], wake: '1' }).time.elected).toBe(3)
    expect(() => simulate(slowFast, { ids: [53, 54] })).toThrow('2^53')
  })
})
