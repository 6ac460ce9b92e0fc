import { type FoundInRow, partName } from '../../core/language/aggregate.ts'
import type { Row } from '../../core/language/collections.ts'
import type { AggregationRun, Participation, Traffic } from './aggregation-run.ts'
import { type CycleEntry, estimator } from './observation.ts'
import { type Percolation, percolationOf } from './percolation.ts'

/** Results of up to this many nodes list the nodes. */
const MOST_LISTED = 1000

/** The result of an aggregation. */
export interface CycleResult {
  readonly n: number
  readonly links: number
  /** An aggregation has no leader, and no bound holds for single runs. */
  readonly leader: null
  readonly leaders: readonly number[]
  readonly messages: Traffic
  readonly bits: number
  readonly bounds: readonly never[]
  /** `reached`: from then on all live nodes were near the truth after each cycle. */
  readonly time: {
    readonly unit: 'cycle' | 'time'
    readonly elected: null
    readonly reached: number | null
    readonly last: number
  }
  readonly cycles: readonly CycleEntry[]
  /** The mean factor of the variance per cycle, over the cycles before the variance is 0. */
  readonly factor: number | null
  /** Of a rumor: the number of rounds until all live nodes knew it; null: some do not. */
  readonly rounds?: number | null
  /** The exact result for the values at the end, and for those at the start of the epoch. */
  readonly truth: number
  readonly atStart: number
  /** What the first node that takes part knows in full, where that is more than its estimate. */
  readonly found?: FoundInRow
  /** The connectivity of the live nodes at the end. */
  readonly percolation: Percolation
  readonly verdict: {
    readonly ok: boolean
    readonly properties: readonly {
      readonly name: string
      /** null: undecided, since no node is alive. */
      readonly holds: boolean | null
      readonly detail: string
    }[]
  }
  readonly nodes?: readonly {
    readonly node: number
    readonly status: 'alive' | 'waiting' | 'dead'
    readonly value: number
    readonly estimate: number | null
    /** The numbers that it holds, where these have names. */
    readonly state?: Readonly<Record<string, number>>
    /** What the row of the node says in full, where it is more than the estimate. */
    readonly found?: FoundInRow
  }[]
}

/** Reads the result of an aggregation that has ended. */
export function cycleResultOf(
  run: AggregationRun,
  links: number,
  cycles: readonly CycleEntry[],
  listed = run.n <= MOST_LISTED,
): CycleResult {
  const { n, traffic, atStart, period, overlay, population } = run
  const last = cycles[cycles.length - 1]
  const judged = [allKnow(last), ...invariantOf(run)]
  const properties = last.alive > 0 ? judged : judged.map(({ name }) => nobodyLeft(name))
  const reached = reachedIn(cycles)
  const found = firstFound(run)
  const length = period ?? 1
  return {
    n,
    links,
    leader: null,
    leaders: [],
    messages: traffic,
    bits: run.bits,
    bounds: [],
    time: {
      unit: period === null ? 'cycle' : 'time',
      elected: null,
      reached: reached === null ? null : reached * length,
      last: last.cycle * length,
    },
    cycles,
    factor: run.aggregate.calls ? null : overallFactor(cycles),
    ...(run.aggregate.calls && { rounds: reached }),
    truth: last.truth,
    atStart,
    ...(found && { found }),
    percolation: percolationOf(overlay, population),
    verdict: { ok: properties.every(({ holds }) => holds === true), properties },
    ...(listed && { nodes: nodesOf(run) }),
  }
}

function nobodyLeft(name: string) {
  return { name, holds: null, detail: 'no node is alive' }
}

function allKnow({ unknown }: CycleEntry) {
  return {
    name: 'every live node has a finite estimate',
    holds: unknown === 0,
    detail: unknown === 0 ? '' : `${unknown} have none`,
  }
}

/** What holds for the row of every node at all times. */
function invariantOf(run: AggregationRun) {
  const { invariant } = run.aggregate.row ?? {}
  if (invariant === undefined) return []
  const { name, broken } = invariant
  let detail = ''
  for (let node = 0; node < run.n && detail === ''; node++) {
    if (!run.population.takesPart(node)) continue
    const problem = run.readRow!(node, (row, at) => broken(row, at) ?? '')
    if (problem) detail = `node ${node}: ${problem}`
  }
  return [{ name, holds: detail === '', detail }]
}

/** Null where some nodes have no estimate at the start, as in a count. */
function overallFactor(cycles: readonly CycleEntry[]): number | null {
  const [first, last] = [cycles[0], cycles[cycles.length - 1]]
  if (first.unknown + last.unknown > 0 || !first.variance || last.variance === null) return null
  if (last.alive - last.waiting < 2) return null
  const { variance, cycle } = cycles.findLast((entry) => entry.variance! > 0)!
  return cycle === 0 ? 0 : (variance! / first.variance) ** (1 / cycle)
}

/** The cycle from which on all live nodes were near the truth; null if they were not at the end. */
export function reachedIn(cycles: readonly CycleEntry[]): number | null {
  const before = cycles.findLastIndex(({ within }) => within < 1)
  return before === cycles.length - 1 ? null : cycles[before + 1].cycle
}

function nodesOf(run: AggregationRun): NonNullable<CycleResult['nodes']> {
  const estimate = estimator(run)
  const { population, aggregate } = run
  const named =
    aggregate.parts.length > 0 && aggregate.parts.every(({ name }) => name !== undefined)
  return Array.from(run.values, (value, node) => {
    const found = estimate(node)
    const full = foundBy(run, node)
    return {
      node,
      status: statusOf(population, node),
      value,
      estimate: Number.isFinite(found) ? found : null,
      ...(named && { state: numbersOf(run, node) }),
      ...(full && { found: full }),
    }
  })
}

function numbersOf(run: AggregationRun, node: number): Readonly<Record<string, number>> {
  const numbers = run.aggregate.parts.map((_, part) => [
    partName(run.aggregate, part),
    run.valueAt(node, part),
  ])
  return Object.fromEntries(numbers)
}

/** What the row of a node says in full; null where it says no more than the estimate. */
function foundBy(run: AggregationRun, node: number): FoundInRow | null {
  const { aggregate, population } = run
  if (aggregate.found === undefined || !population.takesPart(node)) return null
  return run.readRow!(node, (row: Row, at) => aggregate.found!(row, at))
}

function firstFound(run: AggregationRun): FoundInRow | null {
  let node = 0
  while (node < run.n && !run.population.takesPart(node)) node++
  return node < run.n ? foundBy(run, node) : null
}

function statusOf(population: Participation, node: number): 'alive' | 'waiting' | 'dead' {
  if (!population.isAlive(node)) return 'dead'
  return population.takesPart(node) ? 'alive' : 'waiting'
}
