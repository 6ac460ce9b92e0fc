import type { TransitionSystem } from '../model/transition-system.ts'
import type { FastSuccessors } from '../search/fast-successors.ts'
import { IntRowQueue } from '../search/frontier.ts'

/**
 * Sleep sets (Godefroid 1996), adapted to breadth-first search. Transitions at different nodes are
 * independent: if a and b are enabled in s, then s.a.b = s.b.a. When s.b is discovered after s.a, a
 * need not be explored from s.b: s.a is expanded first, and s.a.b is visited then. So a is in the
 * sleep set of s.b, and in those of its successors as long as they are independent of a.
 *
 * The transitions enabled by one cell (the spontaneous steps of a node, or the next message of a
 * channel) are in a sleep set together or not at all: one bit per cell.
 */
export class SleepSets {
  /** The sleep set of the loaded state: one bit per cell. */
  readonly current: Int32Array
  private readonly words: number
  /** The same, with the cells of the first `exploredCount` transitions of the loaded state. */
  private readonly explored: Int32Array
  private exploredCount = 0
  /** By node: the cells whose transitions happen at other nodes. */
  private readonly independent: Int32Array
  private readonly queue: IntRowQueue

  private constructor({ n, stageCell, cache }: TransitionSystem) {
    this.words = (stageCell + 32) >>> 5
    this.current = new Int32Array(this.words)
    this.explored = new Int32Array(this.words)
    this.independent = new Int32Array(n * this.words)
    const receivers = cache.channels.map(({ route }) => route.to)
    const nodes = [...cache.localStates.keys(), ...receivers]
    for (let node = 0; node < n; node++)
      for (const [cell, other] of nodes.entries())
        if (other !== node) this.independent[node * this.words + (cell >>> 5)] |= 1 << (cell & 31)
    this.queue = new IntRowQueue(this.words)
    // The sleep set of the initial state is empty.
    this.queue.push()
  }

  /**
   * null if transitions at different nodes are not independent: with timers that wait for messages,
   * without FIFO order, with faults, with a clock.
   */
  static of(system: TransitionSystem): SleepSets | null {
    const { mode, unordered, faults, cache } = system
    const waits = mode === 'patient' && cache.world.algorithm.timers.length > 0
    if (mode === 'clocked' || unordered || faults !== null || waits) return null
    return new SleepSets(system)
  }

  get bytes(): number {
    return this.queue.bytes
  }

  /** Loads the sleep set of the next state of the queue. */
  next(): void {
    const { words, current, explored, queue } = this
    const at = queue.take()
    const { front } = queue
    for (let word = 0; word < words; word++) current[word] = explored[word] = front[at + word]
    this.exploredCount = 0
  }

  /** Transition i of the loaded state has led to a new state: queues its sleep set. */
  push(transitions: FastSuccessors, i: number): void {
    const { words, explored, independent, queue } = this
    for (; this.exploredCount < i; this.exploredCount++) {
      const cell = transitions.cell(this.exploredCount)
      explored[cell >>> 5] |= 1 << (cell & 31)
    }
    const first = transitions.nodes[i] * words
    const at = queue.push()
    const { back } = queue
    for (let word = 0; word < words; word++)
      back[at + word] = explored[word] & independent[first + word]
  }
}

/** Whether the bit of a cell is set. */
export function hasBit(bits: Int32Array, cell: number): boolean {
  return (bits[cell >>> 5] & (1 << (cell & 31))) !== 0
}
