import type { AggregationRun, Participation, Traffic } from './aggregation-run.ts'
import { type CycleEntry, estimator } from './observation.ts'
import { type Percolation, percolationOf } from './percolation.ts'

/** Nodes are listed one by one up to here. */
const MOST_LISTED = 1000

/** What came of an aggregation. */
export interface CycleResult {
  readonly n: number
  readonly links: number
  /** Nobody leads, and nothing is proven of single runs. */
  readonly leader: null
  readonly leaders: readonly number[]
  readonly messages: Traffic
  readonly bits: number
  readonly bounds: readonly never[]
  /** `reached`: since when all live nodes are near the truth at the end of each cycle, if ever. */
  readonly time: {
    readonly unit: 'cycle' | 'time'
    readonly elected: null
    readonly reached: number | null
    readonly last: number
  }
  readonly cycles: readonly CycleEntry[]
  /** By what the variance shrank in a cycle, on average. */
  readonly factor: number | null
  /** The result for the values that live nodes have in the end, and for those of the epoch. */
  readonly truth: number
  readonly atStart: number
  /** What holds the live nodes together in the end. */
  readonly percolation: Percolation
  readonly verdict: {
    readonly ok: boolean
    readonly properties: readonly {
      readonly name: string
      readonly holds: boolean
      readonly detail: string
    }[]
  }
  readonly nodes?: readonly {
    readonly node: number
    readonly status: 'alive' | 'waiting' | 'dead'
    readonly value: number
    readonly estimate: number | null
  }[]
}

export function cycleResultOf(
  course: AggregationRun,
  links: number,
  cycles: readonly CycleEntry[],
  listed = course.n <= MOST_LISTED,
): CycleResult {
  const { n, traffic, atStart, period, overlay, population } = course
  const last = cycles[cycles.length - 1]
  const properties = [allKnow(last)]
  const reached = reachedIn(cycles)
  const length = period ?? 1
  return {
    n,
    links,
    leader: null,
    leaders: [],
    messages: traffic,
    bits: course.bits,
    bounds: [],
    time: {
      unit: period === null ? 'cycle' : 'time',
      elected: null,
      reached: reached === null ? null : reached * length,
      last: last.cycle * length,
    },
    cycles,
    factor: wholeFactor(cycles),
    truth: last.truth,
    atStart,
    percolation: percolationOf(overlay, population),
    verdict: { ok: properties.every(({ holds }) => holds), properties },
    ...(listed && { nodes: nodesOf(course) }),
  }
}

function allKnow({ unknown }: CycleEntry) {
  return {
    name: 'every live node has a finite estimate',
    holds: unknown === 0,
    detail: unknown === 0 ? '' : `${unknown} have none`,
  }
}

/** Null where some nodes have no estimate at the beginning, as in a count. */
function wholeFactor(cycles: readonly CycleEntry[]): number | null {
  const [first, last] = [cycles[0], cycles[cycles.length - 1]]
  if (first.unknown + last.unknown > 0 || !first.variance || last.variance === null) return null
  return (last.variance / first.variance) ** (1 / last.cycle)
}

function reachedIn(cycles: readonly CycleEntry[]): number | null {
  const before = cycles.findLastIndex(({ within }) => within < 1)
  return before === cycles.length - 1 ? null : cycles[before + 1].cycle
}

function nodesOf(course: AggregationRun): NonNullable<CycleResult['nodes']> {
  const estimate = estimator(course)
  const { population } = course
  return Array.from(course.values, (value, node) => {
    const found = estimate(node)
    return {
      node,
      status: statusOf(population, node),
      value,
      estimate: Number.isFinite(found) ? found : null,
    }
  })
}

function statusOf(population: Participation, node: number): 'alive' | 'waiting' | 'dead' {
  if (!population.isAlive(node)) return 'dead'
  return population.takesPart(node) ? 'alive' : 'waiting'
}
