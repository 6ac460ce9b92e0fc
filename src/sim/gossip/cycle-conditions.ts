import type { Random } from '../../core/runtime/random.ts'
import type { NodeSchedule } from '../conditions.ts'
import type { PairingOrder } from './pairing.ts'
import type { Churn } from './population.ts'

/** How the values change while the nodes compute. */
export interface Changes {
  /** In the order of cycles: before its exchanges a node has another value. */
  readonly steps: readonly { readonly cycle: number; readonly node: number; readonly to: number }[]
  /** By how much, at most, every value moves up or down before each cycle. */
  readonly drift: number
}

export interface CycleConditions extends Churn {
  readonly order: PairingOrder
  /** How many others a node knows by Newscast; 0: the links of the network are used. */
  readonly view: number
  /** The position of the node that holds the 1 of a count; null: one is drawn. */
  readonly leader: number | null
  /** The probability that an exchange fails as a whole. */
  readonly loss: number
  /** The share of the nodes that nobody ever picks. */
  readonly deaf: number
  /** After how many cycles all begin again with their values; 0: never. */
  readonly epoch: number
  /** How far an estimate goes back to the own value in every cycle, from 0 to 1. */
  readonly evaporation: number
  /** Who dies before which cycle, counted from 0; those at -1 were never up. */
  readonly crashes: NodeSchedule
  readonly changes: Changes
  readonly random: Random
}
