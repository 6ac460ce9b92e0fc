import { GrowableArray } from '../../core/runtime/growable-array.ts'

const CHUNK_BITS = 12
const CHUNK = 1 << CHUNK_BITS
/** The predecessor is stored whole once in so many states. */
const SAMPLE_BITS = 8
const SAMPLE = 1 << SAMPLE_BITS

/** Marks a number that does not fit into a byte. */
const LARGE = 255

/**
 * Parent pointers: for each state its predecessor and the index of the transition taken there, so
 * that the path to a state can be re-executed from the initial state. In breadth-first search the
 * predecessors of consecutive states never decrease, so that a byte holds the difference.
 */
export class ParentPointers {
  private size = 0
  /** Pairs of the difference to the last predecessor, and of the index. */
  private readonly chunks: Uint8Array[] = []
  private last = new Uint8Array(0)
  private readonly samples = new GrowableArray()
  /** The numbers that do not fit, by the number of their byte. */
  private readonly large = new Map<number, number>()
  private lastParent = 0

  /** The memory used so far. */
  get bytes(): number {
    return this.chunks.length * CHUNK * 2 + this.samples.bytes + this.large.size * 40
  }

  /** Adds the next state in order of discovery, after those of earlier predecessors. */
  push(parent: number, ordinal: number): void {
    const state = this.size++
    const row = 2 * (state & (CHUNK - 1))
    if (row === 0) {
      this.last = new Uint8Array(2 * CHUNK)
      this.chunks.push(this.last)
    }
    if ((state & (SAMPLE - 1)) === 0) this.samples.push(parent)
    const step = parent - this.lastParent
    this.lastParent = parent
    this.last[row] = Math.min(step, LARGE)
    if (step >= LARGE) this.large.set(2 * state, step)
    this.last[row + 1] = Math.min(ordinal, LARGE)
    if (ordinal >= LARGE) this.large.set(2 * state + 1, ordinal)
  }

  /** The path from the initial state to one, as indices into the enabled transitions. */
  pathTo(state: number): number[] {
    const path: number[] = []
    for (let at = state; at > 0; at = this.parentOf(at)) path.push(this.numberAt(2 * at + 1))
    return path.reverse()
  }

  private parentOf(state: number): number {
    const sample = state >>> SAMPLE_BITS
    let parent = this.samples.at(sample)
    for (let next = (sample << SAMPLE_BITS) + 1; next <= state; next++)
      parent += this.numberAt(2 * next)
    return parent
  }

  private numberAt(byte: number): number {
    const value = this.chunks[byte >>> (CHUNK_BITS + 1)][byte & (2 * CHUNK - 1)]
    return value === LARGE ? this.large.get(byte)! : value
  }
}
