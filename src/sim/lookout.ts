import type { Columns } from '../core/packing.ts'
import type { States } from '../core/states.ts'

/** So many states are looked at in a row. */
export const AHEAD = 16

/**
 * Looks at states shortly before they are needed. One after the other, between handlers, each would
 * be waited for; in a row they come from memory together, the more of them the less else is done.
 */
export class Lookout {
  /** Kept so that looking is not taken for idle work and left out. */
  seen = 0

  constructor(private readonly states: States) {}

  /** What it returns means nothing, and goes into `seen` at the end of the row. */
  look(node: number): number {
    return this.states.glance(node)
  }

  /** Looks at the nodes that stand in a column, one in each stretch of it. */
  lookAlong(column: Columns, from: number, end: number, stretch: number): void {
    let seen = 0
    for (let at = from; at < end; at += stretch) seen = (seen + this.look(column[at] | 0)) | 0
    this.seen = seen
  }
}
