import type { Random } from '../../core/runtime/random.ts'
import type { NodeSchedule } from '../conditions.ts'
import type { PairingOrder } from './pairing.ts'
import type { Churn } from './population.ts'

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
