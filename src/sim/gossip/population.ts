import type { Random } from '../../core/runtime/random.ts'
import type { NodeSchedule } from '../conditions.ts'
import type { Participation } from './aggregation-run.ts'

const DEAD = 1
const WAITING = 2
const DEAF = 4

/** How nodes come and go, apart from the plan of who dies when. */
export interface Churn {
  /** The share of the live nodes that leaves in each cycle. */
  readonly leave: number
  /** How many come in each cycle, as a share of all positions, as far as these are free. */
  readonly join: number
}

interface Newcomer {
  readonly node: number
  readonly contact: number | null
}

/**
 * Who is there. A new node takes a position that a dead one has left free; where there are epochs
 * it waits for the next one before it takes part. As long as nobody dies nothing is stored.
 */
export class Population implements Participation {
  alive: number
  waiting = 0
  private marks: Uint8Array | null = null
  private readonly free: number[] = []
  private deaths = 0

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

  /** Some are never picked by others. */
  deafen(share: number, random: Random): void {
    const count = Math.round(share * this.n)
    if (count === 0) return
    const marks = this.marked()
    for (const node of random.permutation(this.n).subarray(0, count)) marks[node] |= DEAF
  }

  /** Those die whose time has come. */
  crashUntil(moment: number): void {
    const { nodes, times } = this.crashes
    while (this.deaths < nodes.length && times[this.deaths] <= moment)
      this.remove(nodes[this.deaths++])
  }

  /** Some leave. */
  leave(): void {
    for (let left = this.drawn(this.churn.leave * this.alive); left > 0; left--)
      this.remove(this.randomLiveNode())
  }

  /** Some come, to wait or to take part at once, and know one who was there before. */
  join(waits: boolean): readonly Newcomer[] {
    if (this.churn.join === 0) return []
    const count = Math.min(this.drawn(this.churn.join * this.n), this.free.length)
    return Array.from({ length: count }, () => {
      const contact = this.alive === 0 ? null : this.randomLiveNode()
      const node = this.vacancy()
      const marks = this.marked()
      marks[node] = (marks[node] & DEAF) | (waits ? WAITING : 0)
      this.alive++
      if (waits) this.waiting++
      return { node, contact }
    })
  }

  /** Those who waited take part from now on. */
  startWaiting(): void {
    const { marks } = this
    if (marks === null || this.waiting === 0) return
    for (let node = 0; node < this.n; node++) marks[node] &= ~WAITING
    this.waiting = 0
  }

  /** A live node, all as likely. Somebody must be alive. */
  randomLiveNode(random = this.random): number {
    for (;;) {
      const node = random.below(this.n)
      if (this.isAlive(node)) return node
    }
  }

  private vacancy(): number {
    const { free, random } = this
    const place = random.below(free.length)
    const node = free[place]
    free[place] = free[free.length - 1]
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

  /** A whole number that is the given one on average. */
  private drawn(amount: number): number {
    const whole = Math.floor(amount)
    return whole + (amount > whole && this.random.unit() < amount - whole ? 1 : 0)
  }
}
