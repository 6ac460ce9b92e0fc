import type { World } from '../../core/language/world.ts'
import { CACHED, type States } from '../../core/runtime/states.ts'

/** The number of states that are prefetched in a row. */
export const AHEAD = 32

/**
 * Software prefetch: touches the next 32 states in a row, shortly before they are needed, so that
 * their cache misses overlap.
 */
export class Prefetcher {
  /** The nodes whose states are prefetched. */
  readonly nodes: Int32Array = new Int32Array(AHEAD)
  /** Keeps the loop from being optimised away. */
  sink = 0

  constructor(private readonly states: States) {}

  /** Prefetches the states of the first `count` of `nodes`. */
  prefetch(count: number): void {
    this.sink = this.states.prefetch(this.nodes, count)
  }
}

/**
 * A prefetcher where states do not fit into the cache. Columns of whole numbers are so narrow that
 * prefetching costs more than it gains.
 */
export function prefetcherOf({ algorithm, ids }: World, states: States): Prefetcher | null {
  const { fixed, fractions } = algorithm.layout
  return ids.length > CACHED && (fractions || !fixed) ? new Prefetcher(states) : null
}
