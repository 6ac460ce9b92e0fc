import type { States } from '../core/states.ts'

/** So many states are looked at in a row. */
export const AHEAD = 16

/**
 * Looks at states shortly before they are needed. One after the other, between handlers, each would
 * be waited for; in a row they come from memory together.
 */
export class Lookout {
  /** Kept so that looking is not taken for idle work and left out. */
  private seen = 0

  constructor(private readonly states: States) {}

  look(node: number): void {
    this.seen = (this.seen + this.states.glance(node)) | 0
  }
}
