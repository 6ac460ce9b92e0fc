import type { ExactBound, WorstReport } from '../../api/worst-report.ts'
import {
  type CostFigure,
  type Counterexample,
  type IdPermutations,
  PermutationSummary,
  type SummarisedResult,
} from '../../check/index.ts'
import type { CheckTarget } from '../../scenario/check-target.ts'
import type { ExploredWorld } from './explore.ts'

/** The worst and best case of one permutation. */
export type WorstCosts = Omit<WorstReport, 'samples'>

/** The result for one permutation. */
export interface PermutationResult extends SummarisedResult {
  readonly costs?: WorstCosts
  /** If a property is violated. */
  readonly example?: Counterexample
}

export function costsOf({ samples: _, ...costs }: WorstReport): WorstCosts {
  return costs
}

/** Adds up the results, and keeps the largest and smallest cost over all permutations. */
export class CostSummary extends PermutationSummary {
  costs: WorstCosts | null = null
  /** The first counterexample. */
  example: Counterexample | null = null
  /** The permutations with the largest and the smallest first figure. */
  most = 0
  least = 0

  override add(result: PermutationResult): void {
    const number = this.explored
    if (!this.finished) this.example = result.example ?? null
    super.add(result)
    if (this.explored === number || result.costs === undefined) return
    const { costs } = result
    if (this.costs === null) {
      this.costs = costs
      this.most = this.least = number
      return
    }
    const [before] = this.costs.figures
    const [now] = costs.figures
    if (now && before && comparable(now.most) > comparable(before.most)) this.most = number
    if (now && before && comparable(now.least) < comparable(before.least)) this.least = number
    this.costs = combinedCosts(this.costs, costs)
  }
}

/**
 * The worst and best case over all permutations, with runs that show them, and the target of the
 * worst one; null if there is none.
 */
export async function worstOverAll(
  { most, least, finished, reason: limit }: CostSummary,
  costs: WorstCosts,
  permutations: IdPermutations,
  exploreOne: (ids: readonly number[]) => Promise<ExploredWorld>,
): Promise<{ readonly worst: WorstReport; readonly target: CheckTarget | null }> {
  const reason = finished ? (limit ?? 'not all permutations were explored') : costs.reason
  const unknown = { ...costs, figures: [], bounds: [], samples: null }
  if (reason !== undefined) return { worst: { ...unknown, reason }, target: null }
  const [worstIds, bestIds] = [permutations.at(most), permutations.at(least)]
  const costliest = await exploreOne(worstIds)
  const cheapest = most === least ? costliest : await exploreOne(bestIds)
  const [worst, best] = [costliest, cheapest].map(({ result }) => result.worst?.samples)
  if (!worst || !best) return { worst: { ...costs, samples: null }, target: null }
  const { ids } = costliest.target.world.algorithm.needs
  const samples = {
    most: { ...worst.most, ...(ids && { ids: worstIds }) },
    least: { ...best.least, ...(ids && { ids: bestIds }) },
  }
  return { worst: { ...costs, samples }, target: costliest.target }
}

function combinedCosts(a: WorstCosts, b: WorstCosts): WorstCosts {
  const reason = a.reason ?? b.reason
  return {
    of: a.of,
    unit: a.unit,
    states: a.states + b.states,
    ...(reason !== undefined && { reason }),
    ...(a.largestDelay !== undefined && { largestDelay: a.largestDelay }),
    figures:
      reason === undefined ? a.figures.map((one, i) => combinedFigure(one, b.figures[i])) : [],
    bounds: a.bounds.map((bound) => combinedBound(bound, b.bounds)),
  }
}

function combinedFigure(a: CostFigure, b: CostFigure): CostFigure {
  return {
    name: a.name,
    most: comparable(b.most) > comparable(a.most) ? b.most : a.most,
    least: a.least === null || (b.least !== null && b.least < a.least) ? b.least : a.least,
  }
}

/** A bound holds if it holds for all. */
function combinedBound(bound: ExactBound, others: readonly ExactBound[]): ExactBound {
  const other = others.find(({ kind }) => kind === bound.kind) ?? bound
  return {
    ...bound,
    within: bound.within && other.within,
    reached: bound.reached || other.reached,
  }
}

function comparable(cost: CostFigure['most']): number {
  if (cost === 'unbounded') return Number.POSITIVE_INFINITY
  return cost ?? Number.NEGATIVE_INFINITY
}
