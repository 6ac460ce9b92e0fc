import fc from 'fast-check'
import type { TraceEvent } from '../../src/core/index.ts'
import type { RunResult } from '../../src/sim/index.ts'

/** Delays with their longest and shortest. */
const DELAYS = [
  { delay: 'unit', longest: 1, shortest: 1 },
  { delay: 'constant:2', longest: 2, shortest: 2 },
  { delay: 'uniform:1:3', longest: 3, shortest: 1 },
  { delay: 'uniform:1:10', longest: 10, shortest: 1 },
]

/** Ids, starters and messages as they may be; the detector is faster or slower than these. */
const calm = fc.integer({ min: 1, max: 7 }).chain((n) =>
  fc
    .record({
      ids: fc.uniqueArray(fc.nat(50), { minLength: n, maxLength: n }),
      speed: fc.constantFrom(...DELAYS),
      order: fc.constantFrom('fifo', 'any'),
      wake: fc.dictionary(fc.nat(n - 1).map(String), moments(20), { minKeys: 1 }),
      seed: fc.nat(),
      lag: fc.constantFrom(0, 0.25, 0.5, 1, 1.5, 2, 3),
    })
    .map(({ speed, lag, wake, ...rest }) => ({
      ...rest,
      ...speed,
      detect: lag * speed.longest,
      wake: plan(wake),
    })),
)

/** Some nodes crash at random moments and do not recover. */
export const crashes = calm.chain(({ longest, shortest: _, ...given }) =>
  deaths(given.ids.length, longest).map((crash) => ({ ...given, longest, crash })),
)

/** Nodes crash and recover several times, always after the detector has reported the crash. */
export const recoveries = calm.chain((given) => {
  const { longest, detect } = given
  const spans = fc.tuple(moments(12 * longest), moments(4 * longest))
  const lives = fc.array(spans, { minLength: 1, maxLength: 3 })
  const all = fc.dictionary(fc.nat(given.ids.length - 1).map(String), lives, { minKeys: 1 })
  return fc.record({ all, forGood: fc.boolean() }).map(({ all, forGood }) => {
    const [crash, recover]: string[][] = [[], []]
    for (const [node, spans] of Object.entries(all)) {
      let now = 0
      for (const [life, death] of spans) {
        now += TICK + life
        crash.push(`${node}@${now}`)
        now += TICK + detect + death
        recover.push(`${node}@${now}`)
      }
    }
    // The last node may not recover from its last crash.
    const back = (forGood ? recover.slice(0, -1) : recover).join() || 'none'
    return { ...given, crash: crash.join(), recover: back }
  })
})

/** A node is suspected, a link is cut, or the network is partitioned, for a while. */
export const networkFaults = calm
  .filter(({ ids }) => ids.length > 1)
  .chain(({ longest, shortest: _, ...given }) => {
    const positions = [...given.ids.keys()]
    const some = fc.shuffledSubarray(positions, { minLength: 2, maxLength: positions.length })
    const times = fc.tuple(moments(12 * longest), moments(12 * longest))
    return fc.tuple(some, times).chain(([[one, two, ...more], [from, length]]) => {
      const span = `${from}..${from + TICK + length}`
      return fc
        .constantFrom(
          { suspect: `${one}@${span}` },
          { cut: `${one}-${two}@${span}` },
          { partition: `${one}/${[two, ...more]}@${span}` },
        )
        .map((mishap) => ({ ...given, ...mishap }))
    })
  })

interface Overlap {
  readonly from: number
  readonly to: number
  /** The last recoveries of the two; -Infinity for a node without one. */
  readonly returns: readonly [number, number]
}

/** Whenever two led at the same time. */
export function overlaps(events: readonly TraceEvent[]): Overlap[] {
  const since = new Map<number, number>()
  const back = new Map<number, number>()
  const returned = (node: number) => back.get(node) ?? Number.NEGATIVE_INFINITY
  return events.flatMap(({ event, node, at }) => {
    if (event === 'recover') back.set(node, at)
    if (event === 'lead') since.set(node, at)
    const own = since.get(node)
    if (own === undefined || !['follow', 'withdraw', 'crash'].includes(event)) return []
    since.delete(node)
    return [...since].map(([other, start]): Overlap => {
      const from = Math.max(own, start)
      return { from, to: at, returns: [returned(node), returned(other)] }
    })
  })
}

/** Live nodes whose view is not the largest live id; none where no node is awake to elect. */
export function astray({ nodes }: RunResult): unknown[] {
  const live = nodes!.filter(({ status }) => status !== 'dead')
  if (live.every(({ status }) => status === 'asleep')) return []
  const largest = Math.max(...live.map(({ id }) => id!))
  return live.filter(({ leader }) => leader !== largest)
}

function deaths(n: number, longest: number): fc.Arbitrary<string> {
  return fc.dictionary(fc.nat(n - 1).map(String), moments(12 * longest), { minKeys: 1 }).map(plan)
}

/** The finest step of time here: float64s add up such fractions exactly. */
const TICK = 1 / 64

function moments(below: number): fc.Arbitrary<number> {
  return fc.nat(below / TICK).map((ticks) => ticks * TICK)
}

function plan(times: Readonly<Record<string, number>>): string {
  return Object.entries(times)
    .map(([node, time]) => `${node}@${time}`)
    .join()
}
