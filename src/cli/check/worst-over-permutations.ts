import {
  type CostFigure,
  type Counterexample,
  type IdPermutations,
  type PermutationShare,
  PermutationSummary,
} from '../../check/index.ts'
import type { CheckTarget } from '../../scenario/check-target.ts'
import type { ExploredWorld } from './explore.ts'
import type { ExactBound, WorstReport } from './worst-case.ts'

/** What one arrangement costs at worst and at best. */
export type WorstCosts = Pick<
  WorstReport,
  'of' | 'unit' | 'states' | 'figures' | 'bounds' | 'reason'
>

/** What a thread says of one arrangement. */
export interface CostlyShare extends PermutationShare {
  readonly costs?: WorstCosts
  /** The way to what is broken, where something is. */
  readonly example?: Counterexample
}

export function costsOf({ of, unit, states, figures, bounds, reason }: WorstReport): WorstCosts {
  return { of, unit, states, figures, bounds, ...(reason !== undefined && { reason }) }
}

/** Adds up arrangements, and keeps what any of them costs at most and at least. */
export class CostTally extends PermutationSummary {
  costs: WorstCosts | null = null
  /** The first way to what is broken. */
  example: Counterexample | null = null
  /** The numbers of the arrangements with the most and the least of the first figure. */
  most = 0
  least = 0

  override add(share: CostlyShare): void {
    const number = this.explored
    if (!this.finished) this.example = share.example ?? null
    super.add(share)
    if (this.explored === number || share.costs === undefined) return
    const { costs } = share
    if (this.costs === null) {
      this.costs = costs
      this.most = this.least = number
      return
    }
    const [before] = this.costs.figures
    const [now] = costs.figures
    if (now && before && worth(now.most) > worth(before.most)) this.most = number
    if (now && before && worth(now.least) < worth(before.least)) this.least = number
    this.costs = joined(this.costs, costs)
  }
}

/**
 * The worst and best case of all, with runs of the arrangements that have them, and what the worst
 * is a run of; null where there is none.
 */
export async function worstOverAll(
  { most, least, finished: over }: CostTally,
  costs: WorstCosts,
  arrangements: IdPermutations,
  alone: (ids: readonly number[]) => Promise<ExploredWorld>,
): Promise<{ readonly worst: WorstReport; readonly subject: CheckTarget | null }> {
  const reason = over ? 'not all arrangements were explored' : costs.reason
  const unknown = { ...costs, figures: [], bounds: [], samples: null }
  if (reason !== undefined) return { worst: { ...unknown, reason }, subject: null }
  const [worstIds, bestIds] = [arrangements.at(most), arrangements.at(least)]
  const dearest = await alone(worstIds)
  const cheapest = most === least ? dearest : await alone(bestIds)
  const [worst, best] = [dearest, cheapest].map(({ result }) => result.worst?.samples)
  if (!worst || !best) return { worst: { ...costs, samples: null }, subject: null }
  const { ids } = dearest.subject.world.algorithm.needs
  const samples = {
    most: { ...worst.most, ...(ids && { ids: worstIds }) },
    least: { ...best.least, ...(ids && { ids: bestIds }) },
  }
  return { worst: { ...costs, samples }, subject: dearest.subject }
}

function joined(a: WorstCosts, b: WorstCosts): WorstCosts {
  const reason = a.reason ?? b.reason
  return {
    of: a.of,
    unit: a.unit,
    states: a.states + b.states,
    ...(reason !== undefined && { reason }),
    figures: reason === undefined ? a.figures.map((one, i) => span(one, b.figures[i])) : [],
    bounds: a.bounds.map((bound) => both(bound, b.bounds)),
  }
}

function span(a: CostFigure, b: CostFigure): CostFigure {
  return {
    name: a.name,
    most: worth(b.most) > worth(a.most) ? b.most : a.most,
    least: a.least === null || (b.least !== null && b.least < a.least) ? b.least : a.least,
  }
}

/** A bound is kept where all keep it. */
function both(bound: ExactBound, others: readonly ExactBound[]): ExactBound {
  const other = others.find(({ kind }) => kind === bound.kind) ?? bound
  return {
    ...bound,
    within: bound.within && other.within,
    reached: bound.reached || other.reached,
  }
}

function worth(cost: CostFigure['most']): number {
  if (cost === 'unbounded') return Number.POSITIVE_INFINITY
  return cost ?? Number.NEGATIVE_INFINITY
}
