import { type Figure, type Share, Tally } from '../check/index.ts'
import type { ExactBound, WorstReport } from './check-worst.ts'

/** What one arrangement costs at worst and at best. */
export type Costs = Pick<WorstReport, 'of' | 'unit' | 'states' | 'figures' | 'bounds' | 'reason'>

export interface CostlyShare extends Share {
  readonly costs?: Costs
}

export function costsOf({ of, unit, states, figures, bounds, reason }: WorstReport): Costs {
  return { of, unit, states, figures, bounds, ...(reason !== undefined && { reason }) }
}

/** Adds up arrangements, and keeps what any of them costs at most and at least. */
export class CostTally extends Tally {
  costs: Costs | null = null
  /** The numbers of the arrangements with the most and the least of the first figure. */
  most = 0
  least = 0

  override add(share: CostlyShare): void {
    const number = this.explored
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

function joined(a: Costs, b: Costs): Costs {
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

function span(a: Figure, b: Figure): Figure {
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

function worth(cost: Figure['most']): number {
  if (cost === 'unbounded') return Number.POSITIVE_INFINITY
  return cost ?? Number.NEGATIVE_INFINITY
}
