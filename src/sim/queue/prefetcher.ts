import type { States } from '../../core/runtime/states.ts'

/** So many states are looked at in a row. */
export const AHEAD = 32

/**
 * Looks at states shortly before they are needed. One after the other, between handlers, each would
 * be waited for; in a row they come from memory together, the more of them the less else is done.
 */
export class Prefetcher {
  /** Whose states they are, from the first on. */
  readonly nodes = new Int32Array(AHEAD)
  /** Kept so that looking is not taken for idle work and left out. */
  sink = 0

  constructor(private readonly states: States) {}

  /** Looks at the first so many of `nodes`. */
  prefetch(count: number): void {
    this.sink = this.states.prefetch(this.nodes, count)
  }
}
