import { ROUNDING } from '../../core/numbers.ts'

/** Two nodes that led at the same time, the older leader first. */
export interface Handover {
  readonly nodes: readonly [number, number]
  /** Both led before they could reach each other: a partition has healed. */
  readonly merged: boolean
  readonly from: number
  to: number | null
}

/**
 * Overlaps of two leaders that are no violation: a node that led before a node or link joined the
 * network may lead until it hears of the new leader. The log has every overlap with its times.
 */
export class HandoverLog {
  readonly all: Handover[] = []
  /** When a node or link last joined the network; and since when each leader has led. */
  private joined = -1
  private readonly since = new Map<number, number>()
  private readonly leading = new Set<number>()
  /** The leaders at that time. */
  private before: ReadonlySet<number> = new Set()

  /** The longest time that an old leader may lead beside a new one. */
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

  /** The election that the joining node or link caused has ended: no overlap is allowed now. */
  electionEnded(): void {
    this.joined = -1
  }

  /** Whether an overlap may occur: something has joined the network. */
  get expected(): boolean {
    return this.joined >= 0
  }

  /**
   * Whether two nodes may lead at once. Without a time limit, leaders of the election that the
   * change has caused may overlap, too.
   */
  allows(first: number, second: number): boolean {
    const older = Math.min(this.since.get(first)!, this.since.get(second)!)
    return this.expected && (older <= this.joined || this.longest === Number.POSITIVE_INFINITY)
  }

  /** Records an allowed overlap that begins now. */
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

  /** An overlap that has not ended, if there is one. */
  get open(): Handover | undefined {
    return this.all.find(({ to }) => to === null)
  }

  /** The first overlap that lasted too long, if there is one. */
  get overlong(): Handover | undefined {
    return this.all.find(
      ({ from, to, merged }) =>
        !merged && (to ?? Number.POSITIVE_INFINITY) - from > this.longest + ROUNDING,
    )
  }
}
