import type { Random } from '../../core/runtime/random.ts'
import type { NodeSchedule } from '../conditions.ts'
import type { Participation } from './aggregation-run.ts'
import type { ValueRange } from './observation.ts'
import type { PairingOrder } from './pairing.ts'
import type { Churn } from './population.ts'

/** The values of the nodes, by position, and their changes before each cycle. */
export class Inputs {
  private done = 0
  private readonly seen = { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY }

  constructor(
    readonly values: Float64Array,
    private readonly changes: Changes,
    private readonly random: Random,
  ) {}

  /** Applies the changes before a cycle, counted from 0; returns whether there were any. */
  advance(cycle: number): boolean {
    const { values, random } = this
    const { steps, drift } = this.changes
    const before = this.done
    for (; steps[this.done]?.cycle <= cycle + 1; this.done++)
      values[steps[this.done].node] = steps[this.done].to
    for (let node = 0; drift > 0 && node < values.length; node++)
      values[node] += drift * (2 * random.unit() - 1)
    return drift > 0 || this.done > before
  }

  /** The smallest and the largest initial value; if all are equal, of the first that are not. */
  range(population: Participation): ValueRange {
    const { values, seen } = this
    if (seen.least < seen.most) return seen
    for (let node = 0; node < values.length; node++) {
      if (!population.isAlive(node)) continue
      if (values[node] < seen.least) seen.least = values[node]
      if (values[node] > seen.most) seen.most = values[node]
    }
    return seen
  }
}

/** The nodes that hold a 1: the leader, if it is alive, and random live nodes. */
export function holders(
  wanted: number,
  leader: number | null,
  population: Participation,
  random: Random,
): number[] {
  const count = Math.min(wanted, population.alive)
  const chosen = new Set<number>()
  if (count > 0 && leader !== null && population.isAlive(leader)) chosen.add(leader)
  while (chosen.size < count) {
    const node = random.below(population.n)
    if (population.isAlive(node)) chosen.add(node)
  }
  return [...chosen]
}

/** Changes of the values during an aggregation. */
export interface Changes {
  /** In the order of cycles: a node gets another value before the exchanges of a cycle. */
  readonly steps: readonly { readonly cycle: number; readonly node: number; readonly to: number }[]
  /** The largest random change of every value before each cycle. */
  readonly drift: number
}

/** What may happen to an aggregation in cycles. */
export interface CycleConditions extends Churn {
  readonly order: PairingOrder
  /** The size of Newscast views; 0: peers are neighbours in the network. */
  readonly view: number
  /** The position of the node that starts a count with 1; null: it is drawn. */
  readonly leader: number | null
  /** The probability that an exchange fails as a whole. */
  readonly loss: number
  /** The fraction of nodes that are never picked. */
  readonly deaf: number
  /** The number of cycles after which all nodes restart with their values; 0: never. */
  readonly epoch: number
  /** The fraction by which estimates return to the node's own value in every cycle. */
  readonly evaporation: number
  /** The cycles before which nodes crash, counted from 0; -1 means never up. */
  readonly crashes: NodeSchedule
  readonly changes: Changes
  readonly random: Random
}
