import fc from 'fast-check'
import type { TraceEvent } from '../src/core/index.ts'
import type { RunResult } from '../src/sim/index.ts'

/** Delays with their longest and shortest. */
const DELAYS = [
  { delay: 'unit', longest: 1, shortest: 1 },
  { delay: 'constant:2', longest: 2, shortest: 2 },
  { delay: 'uniform:1:3', longest: 3, shortest: 1 },
  { delay: 'uniform:1:10', longest: 10, shortest: 1 },
]

/** Ids, starters and messages as they may be; the detector speaks before any message arrives. */
const calm = fc.integer({ min: 1, max: 7 }).chain((n) =>
  fc
    .record({
      ids: fc.uniqueArray(fc.nat(50), { minLength: n, maxLength: n }),
      speed: fc.constantFrom(...DELAYS),
      order: fc.constantFrom('fifo', 'any'),
      wake: fc.dictionary(fc.nat(n - 1).map(String), quarters(20), { minKeys: 1 }),
      seed: fc.nat(),
      lag: fc.constantFrom(0.25, 0.5, 1),
    })
    .map(({ speed, lag, wake, ...rest }) => ({
      ...rest,
      ...speed,
      detect: lag * speed.shortest,
      wake: plan(wake),
    })),
)

/** Some nodes die at random moments, and stay dead. */
export const crashes = calm.chain(({ longest, shortest: _, ...given }) =>
  deaths(given.ids.length, longest).map((crash) => ({ ...given, longest, crash })),
)

/** Some of those come back, after the detector has told of their deaths. */
export const recoveries = calm.chain(({ longest, shortest: _, ...given }) => {
  const n = given.ids.length
  const pause = fc.option(quarters(12 * longest), { freq: 3 })
  const times = fc.tuple(quarters(12 * longest), pause)
  return fc.dictionary(fc.nat(n - 1).map(String), times, { minKeys: 1 }).map((lives) => {
    const back = Object.entries(lives).flatMap(([node, [at, rest]]) =>
      rest === null ? [] : [[node, at + given.detect + 0.25 + rest] as const],
    )
    const crash = plan(Object.fromEntries(Object.entries(lives).map(([node, [at]]) => [node, at])))
    const recover = plan(Object.fromEntries(back))
    return { ...given, longest, crash, ...(recover && { recover }) }
  })
})

interface Overlap {
  readonly from: number
  readonly to: number
  /** When the elder of the two took office, and when somebody had come back last. */
  readonly elder: number
  readonly joined: number
}

/** Whenever two led at the same time. */
export function overlaps(events: readonly TraceEvent[]): Overlap[] {
  const since = new Map<number, number>()
  let joined = Number.NEGATIVE_INFINITY
  return events.flatMap(({ event, node, at }) => {
    if (event === 'recover') joined = at
    if (event === 'lead') since.set(node, at)
    const own = since.get(node)
    if (own === undefined || !['follow', 'withdraw', 'crash'].includes(event)) return []
    since.delete(node)
    return [...since.values()].map((other) => {
      const [elder, from] = own < other ? [own, other] : [other, own]
      return { from, to: at, elder, joined }
    })
  })
}

/** Live nodes whose view is not the largest live id; none where nobody is awake to elect. */
export function astray({ nodes }: RunResult): unknown[] {
  const live = nodes!.filter(({ status }) => status !== 'dead')
  if (live.every(({ status }) => status === 'asleep')) return []
  const largest = Math.max(...live.map(({ id }) => id!))
  return live.filter(({ leader }) => leader !== largest)
}

function deaths(n: number, longest: number): fc.Arbitrary<string> {
  return fc.dictionary(fc.nat(n - 1).map(String), quarters(12 * longest), { minKeys: 1 }).map(plan)
}

/** A time in quarters. */
function quarters(below: number): fc.Arbitrary<number> {
  return fc.nat(4 * below).map((time) => time / 4)
}

function plan(times: Readonly<Record<string, number>>): string {
  return Object.entries(times)
    .map(([node, time]) => `${node}@${time}`)
    .join()
}
