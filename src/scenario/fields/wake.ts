import { Random, UsageError } from '../../core/index.ts'
import { decimal, position, unexpected } from '../../options/reading.ts'
import type { NodeSchedule } from '../../sim/index.ts'
import { momentOf, type TimeUnit } from './time-unit.ts'

/** A node that starts spontaneously, and when. */
export interface SpontaneousStart {
  readonly node: number
  readonly at: number
}

/** Which nodes start spontaneously, and when: `all`, `0,4`, `0@1,4@3` or `rate:0.8`. */
export function wakeSchedule(
  where: string,
  value: string,
  n: number,
  unit: TimeUnit,
  random: Random,
): NodeSchedule {
  if (value === 'all') {
    const nodes = new Uint32Array(n)
    for (let node = 0; node < n; node++) nodes[node] = node
    return { nodes, times: new Float64Array(n) }
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
    return scheduleOf((drawn.length === 0 ? [0] : drawn).map((node) => ({ node, at: 0 })))
  }
  const seen = new Set<number>()
  const starts = value.split(',').map((entry): SpontaneousStart => {
    const [place, time, ...rest] = entry.trim().split('@')
    if (rest.length > 0 || !/^\d+$/.test(place)) {
      throw unexpected(
        where,
        'all, positions such as 0,4 or 0@1,4@3, or rate:0.8',
        entry,
        'Numbers are positions, counted from 0.',
      ).withCandidates(entry, ['all', 'rate'])
    }
    const node = position(where, place, n)
    if (seen.has(node)) {
      throw new UsageError(where, `position ${node} is listed twice.`, 'Remove one of the entries.')
    }
    seen.add(node)
    return { node, at: time === undefined ? 0 : momentOf(where, time, unit) }
  })
  return scheduleOf(starts)
}

/** The starts of a complete scenario, with times as the user counts them. */
export function spontaneousStarts(
  { wake, seed, role }: { readonly wake: string; readonly seed: number; readonly role?: string },
  n: number,
  unit: TimeUnit,
): SpontaneousStart[] {
  const random = Random.from(seed)
  const own = role === undefined ? random : random.split(`role ${role}`)
  const { nodes, times } = wakeSchedule('wake', wake, n, unit, own.split('wake'))
  const origin = unit.synchronous ? 1 : 0
  return Array.from(nodes, (node, i) => ({ node, at: times[i] + origin }))
}

/** The text of a list of starts, with times as the user counts them. */
export function wakeText(starts: readonly SpontaneousStart[]): string {
  return starts.map(({ node, at }) => `${node}@${at}`).join()
}

/** Nodes and times in parallel arrays, ordered by time and then by position. */
export function scheduleOf(entries: readonly SpontaneousStart[]): NodeSchedule {
  const sorted = entries.toSorted((a, b) => a.at - b.at || a.node - b.node)
  return {
    nodes: Uint32Array.from(sorted, ({ node }) => node),
    times: Float64Array.from(sorted, ({ at }) => at),
  }
}
