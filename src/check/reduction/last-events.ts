import type { FastSuccessors } from '../search/fast-successors.ts'
import type { SystemShape } from '../search/transition-tables.ts'

/**
 * A reduction of the transitions to explore, like sleep sets, that does not depend on the order in
 * which states of one level are discovered: threads may race. It uses the lexicographic normal form
 * of traces (Anisimov and Knuth 1979): of several commuting last steps the one at the smallest node
 * comes last.
 *
 * With each state u the search stores a set R of nodes. The last step e of such a node, in the run
 * by which u was discovered, commutes with all later steps of that run. So there is a state s with
 * s.e = u, one level above u. Let b be a step of another node that is enabled in s as well. Then
 * s.b.e = u.b. The step b is not explored from u if R contains such an e at a smaller node than b.
 *
 * No state is missed: when all states of a level are expanded, every successor of them is visited.
 * The proof is by induction over levels. Let w = u.b be skipped in favour of e. The successors of s
 * are visited before the level of u is expanded, and v = s.b is one of them. If v is on an earlier
 * level, then all its successors are visited, w = v.e among them. Otherwise v is on the level of u,
 * and either e is explored from v, or it is skipped in favour of a step at a smaller node than that
 * of e. Nodes cannot become smaller forever, so some step that leads to w is explored.
 *
 * One bit for each cell. That of a node: it is in R. That of a channel: its first message may be
 * from the last step of its sender. Then the receipt is not enabled before that step.
 *
 * The methods have few branches: code for a branch that was never taken must be compiled again when
 * it is, which costs a new thread much of its time.
 */
export class LastEvents {
  /** The sleep set of the loaded state: one bit per cell. */
  readonly asleep: Int32Array
  readonly words: number
  /** The bits of the loaded state. */
  private readonly bits: Int32Array
  /** By node: the cells whose transitions happen at larger nodes. */
  private readonly larger: Int32Array
  /** By node: the channels to which it sends. */
  private readonly outgoing: Int32Array

  constructor(private readonly shape: SystemShape) {
    const { n, stageCell, receivers, senders } = shape
    this.words = (stageCell + 32) >>> 5
    this.asleep = new Int32Array(this.words)
    this.bits = new Int32Array(this.words)
    this.larger = new Int32Array((n + 1) * this.words)
    this.outgoing = new Int32Array((n + 1) * this.words)
    const nodes = [...Array(n).keys(), ...receivers]
    for (const [cell, other] of nodes.entries())
      for (let node = 0; node < other; node++) this.set(this.larger, node * this.words, cell)
    for (const [channel, from] of senders.entries())
      this.set(this.outgoing, from * this.words, n + channel)
  }

  /** Reads the bits of the loaded state and computes its sleep set. */
  load(from: Int32Array, at: number): void {
    const { words, bits, asleep, larger, outgoing } = this
    for (let word = 0; word < words; word++) bits[word] = from[at + word]
    const smallest = this.nodeFrom(0)
    const second = this.nodeFrom(smallest + 1)
    for (let word = 0; word < words; word++) {
      const dependent = bits[word] & outgoing[smallest * words + word]
      // The second smallest sends nothing over the channels of the smallest.
      asleep[word] = (larger[smallest * words + word] & ~dependent) | larger[second * words + word]
    }
  }

  /** Writes the bits of the successor by a transition; the vector holds the loaded state. */
  store(transitions: FastSuccessors, i: number, cells: Uint32Array, to: Int32Array, at: number) {
    const { words, bits, outgoing } = this
    const { n, stageCell, senders } = this.shape
    const cell = transitions.cell(i)
    if (cell === stageCell) {
      // The given starters start in a fixed order: these steps do not commute.
      for (let word = 0; word < words; word++) to[at + word] = 0
      return
    }
    const node = transitions.nodes[i]
    const first = node * words
    for (let word = 0; word < words; word++) to[at + word] = bits[word]
    if (cell >= n) {
      const sender = senders[cell - n]
      const dependent = (bits[cell >>> 5] >>> (cell & 31)) & 1
      to[at + (sender >>> 5)] &= ~(dependent << (sender & 31))
      // The next message may be from the last step of the sender; the channel may be empty.
      const more = transitions.rest(i) === 0 ? 0 : 1
      to[at + (cell >>> 5)] = (to[at + (cell >>> 5)] & ~(1 << (cell & 31))) | (more << (cell & 31))
    }
    for (let word = 0; word < words; word++) to[at + word] &= ~outgoing[first + word]
    to[at + (node >>> 5)] |= 1 << (node & 31)
    const end = transitions.sendsEnd(i)
    for (let send = transitions.sendsStart(i); send < end; send++) {
      const channel = transitions.sendCell(send)
      to[at + (channel >>> 5)] |= (cells[channel] === 0 ? 1 : 0) << (channel & 31)
    }
  }

  /** The smallest node of R from one on; n if there is none. The bits of channels follow. */
  private nodeFrom(from: number): number {
    const { bits } = this
    const { n } = this.shape
    let word = from >>> 5
    let zeros = trailingZeros(bits[word] & (-1 << (from & 31)))
    while (zeros === 32 && ++word << 5 < n) zeros = trailingZeros(bits[word])
    return Math.min(n, (word << 5) + zeros)
  }

  private set(masks: Int32Array, first: number, cell: number): void {
    masks[first + (cell >>> 5)] |= 1 << (cell & 31)
  }
}

/** The number of zeros below the lowest bit; 32 if all are zero. */
function trailingZeros(bits: number): number {
  return 32 - Math.clz32(~bits & (bits - 1))
}
