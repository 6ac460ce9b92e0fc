import type { TransitionSystem } from '../model/transition-system.ts'
import type { FastSuccessors } from '../search/fast-successors.ts'
import { IntRowQueue } from '../search/frontier.ts'

/**
 * Events at different nodes lead to the same state in either order. So in a breadth-first search
 * of all moves much is known of a state when it is found: let it be by an event b, from where a
 * could happen too, at another node, and led to a state that was found before this one. That one
 * is looked at before this one; b happens there, and what it leads to is found. From this state a
 * leads to the same. So a need not even be looked up here; the next states inherit this.
 *
 * Of events out of one cell, what a node does by itself or the next message of a channel, either
 * all are known in this way or none: a bit for each cell. (Sleep sets, Godefroid 1996.)
 */
export class SleepSets {
  /** By cell of the loaded state: whether all that comes out of it leads to what was found. */
  readonly known: Int32Array
  private readonly words: number
  /** The same, with all whose moves from the loaded state came before the move `next`. */
  private readonly earlier: Int32Array
  private next = 0
  /** By node: the cells out of which nothing comes to it. */
  private readonly elsewhere: Int32Array
  private readonly queue: IntRowQueue

  private constructor({ n, stageCell, effects }: TransitionSystem) {
    this.words = (stageCell + 32) >>> 5
    this.known = new Int32Array(this.words)
    this.earlier = new Int32Array(this.words)
    this.elsewhere = new Int32Array(n * this.words)
    const receivers = effects.channels.map(({ route }) => route.to)
    const nodes = [...effects.locals.keys(), ...receivers]
    for (let node = 0; node < n; node++)
      for (const [cell, other] of nodes.entries())
        if (other !== node) this.elsewhere[node * this.words + (cell >>> 5)] |= 1 << (cell & 31)
    this.queue = new IntRowQueue(this.words)
    // Of the first state nothing is known.
    this.queue.push()
  }

  /**
   * Those of a system; null where events at different nodes get into each other's way: by alarms
   * that wait for messages, by messages that others overtake, by faults, by time.
   */
  static of(system: TransitionSystem): SleepSets | null {
    const { mode, unordered, faults, effects } = system
    const waits = mode === 'patient' && effects.world.algorithm.timers.length > 0
    if (mode === 'clocked' || unordered || faults !== null || waits) return null
    return new SleepSets(system)
  }

  get bytes(): number {
    return this.queue.bytes
  }

  /** Goes on to the next state. */
  take(): void {
    const { words, known, earlier, queue } = this
    const at = queue.take()
    const { front } = queue
    for (let word = 0; word < words; word++) known[word] = earlier[word] = front[at + word]
    this.next = 0
  }

  /** A move of the loaded state has led to a new one. */
  found(moves: FastSuccessors, i: number): void {
    const { words, earlier, elsewhere, queue } = this
    for (; this.next < i; this.next++) {
      const cell = moves.cell(this.next)
      earlier[cell >>> 5] |= 1 << (cell & 31)
    }
    const first = moves.node(i) * words
    const at = queue.push()
    const { back } = queue
    for (let word = 0; word < words; word++)
      back[at + word] = earlier[word] & elsewhere[first + word]
  }
}

/** Whether the bit of a cell is set. */
export function holds(bits: Int32Array, cell: number): boolean {
  return (bits[cell >>> 5] & (1 << (cell & 31))) !== 0
}
