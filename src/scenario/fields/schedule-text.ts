import { type Random, UsageError } from '../../core/index.ts'
import type { NodeSchedule } from '../../sim/index.ts'
import { decimal, integer, quoted } from './reading.ts'

/** What the times in a plan are counted in, and where they begin. */
export interface TimeUnit {
  readonly synchronous: boolean
  /** What whole steps are called, where they are no rounds. */
  readonly step?: string
}

/** The moments of an aggregation are the beginnings of its cycles. */
export const CYCLES: TimeUnit = { synchronous: true, step: 'cycle' }

/** Which nodes wake by themselves and when: `all`, `0,4`, `0@1,4@3` or `rate:0.8`. */
export function wakePlan(
  where: string,
  value: string,
  n: number,
  clock: TimeUnit,
  random: Random,
): NodeSchedule {
  if (value === 'all') {
    return { nodes: Uint32Array.from({ length: n }, (_, node) => node), times: new Float64Array(n) }
  }
  if (value.startsWith('rate:')) {
    const rate = decimal(
      where,
      value.slice('rate:'.length),
      'a rate from 0 to 1',
      0.8,
      (r) => r >= 0 && r <= 1,
    )
    const drawn = Array.from({ length: n }, (_, node) => node).filter(() => random.unit() < rate)
    return planOf((drawn.length === 0 ? [0] : drawn).map((node) => [node, 0]))
  }
  const seen = new Set<number>()
  const entries = value.split(',').map((entry): [number, number] => {
    const [position, time, ...rest] = entry.trim().split('@')
    if (rest.length > 0 || !/^\d+$/.test(position)) {
      throw new UsageError(
        where,
        `all, positions such as 0,4 or 0@1,4@3, or rate:0.8 are needed, but ${quoted(entry)} was given.`,
        'Numbers are positions, from 0.',
      ).withCandidates(entry, ['all', 'rate'])
    }
    const node = positionOf(where, position, n)
    if (seen.has(node)) {
      throw new UsageError(
        where,
        `a node wakes once, but position ${node} is there twice.`,
        'Leave one out.',
      )
    }
    seen.add(node)
    return [node, time === undefined ? 0 : momentOf(where, time, clock)]
  })
  return planOf(entries)
}

/** Which nodes die and when: `7` was never up, `7@12` dies then, `0.5@10` is half of the living. */
export function crashPlan(
  where: string,
  value: string,
  n: number,
  clock: TimeUnit,
  random: Random,
): NodeSchedule {
  if (value === 'none') return planOf([])
  const entries = value.split(',').map((entry) => {
    const [victim, time, ...rest] = entry.trim().split('@')
    const fraction = victim.includes('.') && time !== undefined
    if (rest.length > 0 || !(fraction || /^\d+$/.test(victim))) {
      throw new UsageError(
        where,
        `positions such as 7 or 7@12, or a fraction such as 0.5@10 are needed, but ${quoted(entry)} was given.`,
        'Numbers are positions, from 0; a fraction has a point and a time.',
      )
    }
    return {
      at: time === undefined ? -1 : momentOf(where, time, clock),
      node: fraction ? null : positionOf(where, victim, n),
      share: fraction ? decimal(where, victim, 'a fraction from 0 to 1', 0.5, (f) => f <= 1) : 0,
    }
  })
  refuseDyingTwice(where, entries)
  const living = new Set(Array.from({ length: n }, (_, node) => node))
  const deaths: [number, number][] = []
  for (const { at, node, share } of entries.sort((a, b) => a.at - b.at)) {
    const victims = node === null ? drawShare([...living], share, random) : [node]
    for (const victim of victims) {
      // A node that has come back may die again.
      living.delete(victim)
      deaths.push([victim, at])
    }
  }
  return planOf(deaths)
}

/** A node that has come back may die again, but not at the same moment. */
function refuseDyingTwice(where: string, entries: { at: number; node: number | null }[]): void {
  const seen = new Set<string>()
  for (const { at, node } of entries) {
    if (node === null) continue
    const death = `${node}@${at}`
    if (seen.has(death)) {
      throw new UsageError(
        where,
        `a node dies once at a time, but position ${node} is there twice.`,
        'Leave one out, or give the second a later time.',
      )
    }
    seen.add(death)
  }
}

function drawShare(living: number[], share: number, random: Random): number[] {
  const count = Math.round(share * living.length)
  return Array.from(random.permutation(living.length).slice(0, count), (i) => living[i])
}

export function positionOf(where: string, position: string, n: number): number {
  if (/^\d+$/.test(position) && Number(position) < n) return Number(position)
  throw new UsageError(
    where,
    `positions from 0 to ${n - 1} are needed, but ${/^\d+$/.test(position) ? position : quoted(position)} was given.`,
    'Numbers here are positions, not ids.',
  )
}

/** A moment as the simulator counts it: round r is time r - 1. */
export function momentOf(
  where: string,
  time: string,
  { synchronous, step = 'round' }: TimeUnit,
): number {
  if (synchronous) return integer(where, time, 1, Number.MAX_SAFE_INTEGER, `a ${step}`) - 1
  return decimal(where, time, 'a time from 0 to 2^53 - 1', 2, (t) => t <= Number.MAX_SAFE_INTEGER)
}

function planOf(entries: [node: number, at: number][]): NodeSchedule {
  entries.sort(([nodeA, a], [nodeB, b]) => a - b || nodeA - nodeB)
  return {
    nodes: Uint32Array.from(entries, ([node]) => node),
    times: Float64Array.from(entries, ([, at]) => at),
  }
}
