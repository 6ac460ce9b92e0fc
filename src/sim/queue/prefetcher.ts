import type { States } from '../../core/runtime/states.ts'

/** The number of states that are prefetched in a row. */
export const AHEAD = 32

/**
 * Software prefetch: touches the next 32 states in a row, shortly before they are needed, so that
 * their cache misses overlap.
 */
export class Prefetcher {
  /** The nodes whose states are prefetched. */
  readonly nodes = new Int32Array(AHEAD)
  /** Keeps the loop from being optimised away. */
  sink = 0

  constructor(private readonly states: States) {}

  /** Prefetches the states of the first `count` of `nodes`. */
  prefetch(count: number): void {
    this.sink = this.states.prefetch(this.nodes, count)
  }
}
