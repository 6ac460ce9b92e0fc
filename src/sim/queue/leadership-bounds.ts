const NEVER = Number.POSITIVE_INFINITY

/**
 * The moments at which leaderships end that are bound to timers. A bound is the due time of one
 * setting: what becomes of the timer later does not move it. Few nodes lead, so that they are
 * simply listed.
 */
export class LeadershipBounds {
  /** The earliest end; Infinity when no leadership is bound. */
  first = NEVER
  /** By node and kind: when the last setting of a timer is or was due. */
  readonly dueTimes: Float64Array
  private readonly ends = new Map<number, number>()

  constructor(
    n: number,
    readonly kinds: number,
  ) {
    this.dueTimes = new Float64Array(n * kinds)
  }

  /** Binds a node to a timer that is set; false where it is due already. */
  bind(node: number, kind: number, now: number): boolean {
    const due = this.dueTimes[node * this.kinds + kind]
    if (due <= now) return false
    this.ends.set(node, due)
    this.update()
    return true
  }

  endOf(node: number): number {
    return this.ends.get(node) ?? NEVER
  }

  unbind(node: number): void {
    if (this.ends.delete(node)) this.update()
  }

  /** Removes a bound that has come and returns its node; -1 when there is none. */
  take(now: number): number {
    if (this.first > now) return -1
    const [node] = [...this.ends].find(([, end]) => end <= now)!
    this.unbind(node)
    return node
  }

  private update(): void {
    this.first = NEVER
    for (const end of this.ends.values()) if (end < this.first) this.first = end
  }
}
