import type { CycleSimulation } from './cycle-simulation.ts'
import { type CycleEntry, estimator } from './observation.ts'
import { type Percolation, percolationOf } from './percolation.ts'
import type { Population } from './population.ts'

/** Nodes are listed one by one up to here. */
const MOST_LISTED = 1000

/** What came of an aggregation. */
export interface CycleResult {
  readonly n: number
  readonly links: number
  readonly messages: {
    readonly total: number
    readonly byType: { readonly push: number; readonly answer: number }
    readonly toDead: number
    /** Sent to nodes that wait for an epoch. */
    readonly refused: number
    readonly lost: number
    readonly duplicated: number
  }
  /** `reached`: since which cycle all live nodes are near the truth; null if they are not. */
  readonly time: { readonly unit: 'cycle'; readonly reached: number | null; readonly last: number }
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
  simulation: CycleSimulation,
  links: number,
  cycles: readonly CycleEntry[],
  listed = simulation.n <= MOST_LISTED,
): CycleResult {
  const { n, exchanges, lost, toDead, refused, atStart, overlay, population } = simulation
  const push = exchanges + lost + toDead + refused
  const last = cycles[cycles.length - 1]
  const properties = [allKnow(last)]
  return {
    n,
    links,
    messages: {
      total: push + exchanges,
      byType: { push, answer: exchanges },
      toDead,
      refused,
      lost,
      duplicated: 0,
    },
    time: { unit: 'cycle', reached: reachedIn(cycles), last: last.cycle },
    cycles,
    factor: wholeFactor(cycles),
    truth: last.truth,
    atStart,
    percolation: percolationOf(overlay, population),
    verdict: { ok: properties.every(({ holds }) => holds), properties },
    ...(listed && { nodes: nodesOf(simulation) }),
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

function nodesOf(simulation: CycleSimulation): NonNullable<CycleResult['nodes']> {
  const estimate = estimator(simulation)
  const { population } = simulation
  return Array.from(simulation.values, (value, node) => {
    const found = estimate(node)
    return {
      node,
      status: statusOf(population, node),
      value,
      estimate: Number.isFinite(found) ? found : null,
    }
  })
}

function statusOf(population: Population, node: number): 'alive' | 'waiting' | 'dead' {
  if (!population.isAlive(node)) return 'dead'
  return population.takesPart(node) ? 'alive' : 'waiting'
}
