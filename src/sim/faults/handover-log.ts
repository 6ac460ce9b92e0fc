/** Two nodes that led at the same time, the older leader first. */
export interface Handover {
  readonly nodes: readonly [number, number]
  /** Both led before they could reach each other. */
  readonly merged: boolean
  readonly from: number
  to: number | null
}

/** Times are sums of delays such as 0.1, which float64s do not add up exactly. */
const ROUNDING = 1e-9

/**
 * Two leaders at once that are no fault: whoever led before something joined the network may stand
 * until it hears of the other.
 */
export class HandoverLog {
  readonly all: Handover[] = []
  /** When a node, or a link, last joined the network; and since when the leaders lead. */
  private joined = -1
  private readonly since = new Map<number, number>()
  private readonly leading = new Set<number>()
  /** Those who led when that node or link came. */
  private before: ReadonlySet<number> = new Set()

  /** How long an old leader may stand beside a new one. */
  constructor(private readonly longest: number) {}

  becomesLeader(node: number, now: number): void {
    this.since.set(node, now)
    this.leading.add(node)
  }

  stopsLeading(node: number, now: number): void {
    this.leading.delete(node)
    for (const handover of this.all)
      if (handover.to === null && handover.nodes.includes(node)) handover.to = now
  }

  joins(now: number): void {
    this.joined = now
    this.before = new Set(this.leading)
  }

  /** The election that something started by joining has ended: from now on that excuses nobody. */
  electionEnded(): void {
    this.joined = -1
  }

  /** Whether something has joined, so that old leaders may stand. */
  get expected(): boolean {
    return this.joined >= 0
  }

  /**
   * Whether two may lead at once. Where that has no limit, the election that the change starts may
   * have its time too.
   */
  allows(first: number, second: number): boolean {
    const older = Math.min(this.since.get(first)!, this.since.get(second)!)
    return this.expected && (older <= this.joined || this.longest === Number.POSITIVE_INFINITY)
  }

  /** Writes down those who stand beside each other from now on, and may. */
  record(first: number, second: number): void {
    if (!this.allows(first, second)) return
    const [one, other] = [this.since.get(first)!, this.since.get(second)!]
    const nodes: [number, number] = one <= other ? [first, second] : [second, first]
    const known = this.all.some(
      (it) => it.to === null && it.nodes[0] === nodes[0] && it.nodes[1] === nodes[1],
    )
    if (known) return
    const from = Math.max(one, other, this.joined)
    const merged = this.before.has(first) && this.before.has(second)
    this.all.push({ nodes, merged, from, to: null })
  }

  /** Two who still lead at once, if there are any. */
  get open(): Handover | undefined {
    return this.all.find(({ to }) => to === null)
  }

  /** The first old leader that stood too long beside a new one, if there is any. */
  get overlong(): Handover | undefined {
    return this.all.find(
      ({ from, to, merged }) =>
        !merged && (to ?? Number.POSITIVE_INFINITY) - from > this.longest + ROUNDING,
    )
  }
}
