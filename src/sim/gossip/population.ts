import type { Random } from '../../core/runtime/random.ts'
import type { NodeSchedule } from '../conditions.ts'
import type { Participation } from './aggregation-run.ts'

const DEAD = 1
const WAITING = 2
const DEAF = 4

/** Churn: nodes that leave and join at random, apart from planned crashes. */
export interface Churn {
  /** The fraction of the live nodes that leaves in each cycle. */
  readonly leave: number
  /** The nodes that join in each cycle, as a fraction of all positions, if these are free. */
  readonly join: number
}

interface Newcomer {
  readonly node: number
  readonly contact: number | null
}

/**
 * The live nodes under crashes and churn. A new node takes the position of a crashed one and waits
 * for the next epoch, if there are epochs. Nothing is stored before the first crash.
 */
export class Population implements Participation {
  alive: number
  waiting = 0
  private marks: Uint8Array | null = null
  private readonly free: number[] = []
  private crashesDone = 0

  constructor(
    readonly n: number,
    private readonly crashes: NodeSchedule,
    private readonly churn: Churn,
    private readonly random: Random,
  ) {
    this.alive = n
  }

  get active(): number {
    return this.alive - this.waiting
  }

  get complete(): boolean {
    return this.marks === null
  }

  isAlive(node: number): boolean {
    return this.marks === null || (this.marks[node] & DEAD) === 0
  }

  takesPart(node: number): boolean {
    return this.marks === null || (this.marks[node] & (DEAD | WAITING)) === 0
  }

  isDeaf(node: number): boolean {
    return this.marks !== null && (this.marks[node] & DEAF) !== 0
  }

  /** Marks a random fraction of the nodes as deaf: they are never picked. */
  deafen(share: number, random: Random): void {
    const count = Math.round(share * this.n)
    if (count === 0) return
    const marks = this.marked()
    for (const node of random.permutation(this.n).subarray(0, count)) marks[node] |= DEAF
  }

  /** Crashes the nodes whose time has come. */
  crashUntil(moment: number): void {
    const { nodes, times } = this.crashes
    while (this.crashesDone < nodes.length && times[this.crashesDone] <= moment)
      this.remove(nodes[this.crashesDone++])
  }

  /** Removes random nodes. */
  leave(): void {
    for (let left = this.randomlyRounded(this.churn.leave * this.alive); left > 0; left--)
      this.remove(this.randomLiveNode())
  }

  /** Adds nodes, each with a random live contact; they wait or take part at once. */
  join(waits: boolean): readonly Newcomer[] {
    if (this.churn.join === 0) return []
    const count = Math.min(this.randomlyRounded(this.churn.join * this.n), this.free.length)
    return Array.from({ length: count }, () => {
      const contact = this.alive === 0 ? null : this.randomLiveNode()
      const node = this.freePosition()
      const marks = this.marked()
      marks[node] = (marks[node] & DEAF) | (waits ? WAITING : 0)
      this.alive++
      if (waits) this.waiting++
      return { node, contact }
    })
  }

  /** Nodes that waited take part from now on. */
  startWaiting(): void {
    const { marks } = this
    if (marks === null || this.waiting === 0) return
    for (let node = 0; node < this.n; node++) marks[node] &= ~WAITING
    this.waiting = 0
  }

  /** A uniformly random live node; there must be one. */
  randomLiveNode(random = this.random): number {
    for (;;) {
      const node = random.below(this.n)
      if (this.isAlive(node)) return node
    }
  }

  private freePosition(): number {
    const { free, random } = this
    const index = random.below(free.length)
    const node = free[index]
    free[index] = free[free.length - 1]
    free.pop()
    return node
  }

  private remove(node: number): void {
    const marks = this.marked()
    if (marks[node] & DEAD) return
    this.alive--
    if (marks[node] & WAITING) this.waiting--
    marks[node] = (marks[node] & DEAF) | DEAD
    if (this.churn.join > 0) this.free.push(node)
  }

  private marked(): Uint8Array {
    this.marks ??= new Uint8Array(this.n)
    return this.marks
  }

  /** Rounds at random, so that the mean is the given amount. */
  private randomlyRounded(amount: number): number {
    const whole = Math.floor(amount)
    return whole + (amount > whole && this.random.unit() < amount - whole ? 1 : 0)
  }
}
