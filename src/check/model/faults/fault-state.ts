import type { Link } from '../../../core/language/net.ts'
import { linksOf, type Topology } from '../../../core/language/topology.ts'
import { FAULT_KINDS, type FaultCounts, type FaultKind, type FaultOptions } from '../../options.ts'
import { Interner } from '../interner.ts'
import { INITIAL_VIEW, type LinkView } from '../local-states.ts'
import type { Routing } from '../routing.ts'
import type { LinkNotice } from '../transition.ts'
import { blockedChannels, type SplitNetwork, separates, splitNetwork } from './partitions.ts'

const NO_FAULTS = countsOf({})

/** A notice that a node has not received yet; `remaining` is 0 without a clock. */
export interface PendingNotice {
  readonly node: number
  readonly notice: LinkNotice
  readonly remaining: number
}

/** The part of a global state that faults have changed, beside local states and channels. */
export interface FaultState {
  readonly spent: FaultCounts
  readonly dead: readonly number[]
  /** The channels that are cut for good, in increasing order. */
  readonly cut: readonly number[]
  /** The partitions that have not ended, in order of their beginnings. */
  readonly partitions: readonly SplitNetwork[]
  /** The nodes that handle nothing now. */
  readonly paused: readonly number[]
  /** The current ids; a node may recover under another id. */
  readonly ids: readonly number[]
  /** Sorted by node and link, per link in order of delivery; or per node in one total order. */
  readonly notices: readonly PendingNotice[]
}

/** Interns fault states and memoises their successors. */
export class FaultStates {
  private readonly interner = new Interner<FaultState>()
  readonly list: readonly FaultState[] = this.interner.list
  private readonly successors: Map<string, number>[] = []

  readonly budget: FaultCounts
  /** The delay of the detector, 0 without a clock; null: no detector. */
  private readonly detect: number | null
  private readonly graph: Topology
  private readonly blockedChannels: ReadonlySet<number>[] = []
  private readonly dueNotices: (readonly number[])[] = []
  private readonly totalOrder: boolean

  constructor(
    { detectorGraph, totalOrder }: Routing,
    private readonly initialIds: Float64Array,
    options: FaultOptions,
    readonly timed: boolean,
  ) {
    const { dead = [], detect = 1 } = options
    this.graph = detectorGraph
    this.totalOrder = totalOrder
    this.budget = countsOf(options)
    this.detect = detect === 'off' ? null : timed ? detect : 0
    const sorted = dead.toSorted((a, b) => a - b)
    this.intern({
      spent: NO_FAULTS,
      dead: sorted,
      ids: [...initialIds],
      notices: [],
      cut: [],
      partitions: [],
      paused: [],
    })
  }

  /** Whether some state that was reached has a fault of this kind behind it. */
  injected(kind: FaultKind): boolean {
    if (kind !== 'partitions') return this.list.some(({ spent }) => spent[kind] > 0)
    // Those that separate nothing are no transitions.
    return this.list.some(({ partitions }, i) => partitions.length > 0 && this.blocked(i).size > 0)
  }

  /** Whether a notice may reach a node at the moment of the change. */
  get reportsAtOnce(): boolean {
    return this.detect === 0
  }

  get detects(): boolean {
    return this.detect !== null
  }

  /** The channels into which messages are sent in vain. */
  blocked(faultState: number): ReadonlySet<number> {
    this.blockedChannels[faultState] ??= blockedChannels(this.graph, this.list[faultState])
    return this.blockedChannels[faultState]
  }

  /** The network loses or duplicates a message. */
  afterMessageFault(faultState: number, fault: 'losses' | 'duplicates'): number {
    return this.successor(faultState, fault, (now) => ({
      ...now,
      spent: incremented(now.spent, fault),
    }))
  }

  afterCrash(faultState: number, node: number): number {
    return this.successor(faultState, `crash ${node}`, (now) => {
      const dead = [...now.dead, node].sort((a, b) => a - b)
      const paused = now.paused.filter((other) => other !== node)
      const spent = incremented(now.spent, 'crashes')
      return this.withNotices(now, { ...now, dead, paused, spent })
    })
  }

  /** A node recovers, with or without its stable storage. */
  afterRecovery(
    faultState: number,
    node: number,
    id: number,
    how: 'recoveries' | 'amnesia',
  ): number {
    return this.successor(faultState, `${how} ${node} ${id}`, (now) => {
      const dead = now.dead.filter((other) => other !== node)
      const ids = now.ids.with(node, id)
      return this.withNotices(now, { ...now, dead, ids, spent: incremented(now.spent, how) })
    })
  }

  /** A link is cut for good, or only for what this node sends. */
  afterCut(faultState: number, node: number, link: Link, oneWay: boolean): number {
    return this.successor(faultState, `cut ${node} ${link} ${oneWay}`, (now) => {
      const { graph } = this
      const there = graph.channel(node, link)
      const back = graph.channel(graph.neighbor(node, link), graph.back(node, link))
      const cut = [...new Set([...now.cut, there, ...(oneWay ? [] : [back])])]
      const spent = incremented(now.spent, 'cuts')
      return this.withNotices(now, { ...now, cut: cut.sort((a, b) => a - b), spent })
    })
  }

  afterPartition(faultState: number, partition: SplitNetwork): number {
    return this.successor(faultState, `part ${JSON.stringify(partition)}`, (now) => {
      const partitions = [...now.partitions, partition]
      const spent = incremented(now.spent, 'partitions')
      return this.withNotices(now, { ...now, partitions, spent })
    })
  }

  /** A partition, by its index, ends. */
  afterHeal(faultState: number, index: number): number {
    return this.successor(faultState, `heal ${index}`, (now) =>
      this.withNotices(now, { ...now, partitions: now.partitions.toSpliced(index, 1) }),
    )
  }

  afterPause(faultState: number, node: number): number {
    return this.successor(faultState, `pause ${node}`, (now) => ({
      ...now,
      paused: [...now.paused, node].sort((a, b) => a - b),
      spent: incremented(now.spent, 'pauses'),
    }))
  }

  afterResume(faultState: number, node: number): number {
    return this.successor(faultState, `resume ${node}`, (now) => ({
      ...now,
      paused: now.paused.filter((other) => other !== node),
    }))
  }

  /** A pending notice, by its index, was delivered. */
  afterNotice(faultState: number, notice: number): number {
    return this.successor(faultState, `notice ${notice}`, (now) => ({
      ...now,
      notices: now.notices.toSpliced(notice, 1),
    }))
  }

  afterTime(faultState: number, time: number): number {
    if (this.list[faultState].notices.length === 0) return faultState
    return this.successor(faultState, `after ${time}`, (now) => ({
      ...now,
      // The notices of a paused node wait.
      notices: now.notices.map((notice) => ({
        ...notice,
        remaining: Math.max(0, notice.remaining - time),
      })),
    }))
  }

  /**
   * The fault state after an automorphism of the network has moved all nodes; not with recoveries.
   * Ids stay at their positions: those that differ between nodes that are alike are never read.
   */
  moved(faultState: number, to: readonly number[]): number {
    const { graph, initialIds, totalOrder } = this
    const now = this.list[faultState]
    const { dead, cut, partitions, paused, notices } = now
    const all = (nodes: readonly number[]) => ascending(nodes.map((node) => to[node]))
    const channels = to.flatMap((image, node) =>
      linksOf(graph, node)
        .filter((link) => cut.includes(graph.channel(node, link)))
        .map((link) => graph.channel(image, link)),
    )
    return this.intern({
      ...now,
      dead: all(dead),
      cut: ascending(channels),
      partitions: partitions.map(({ side, oneWay }) => splitNetwork(all(side), oneWay, graph.n)),
      paused: all(paused),
      notices: notices
        .map(({ node, notice: { event, link }, remaining }) => {
          const id = initialIds[graph.neighbor(to[node], link)]
          return { node: to[node], notice: { event, link, id }, remaining }
        })
        .sort((a, b) => a.node - b.node || (totalOrder ? 0 : a.notice.link - b.notice.link)),
    })
  }

  /** The indices of the notices that may be delivered next; with a clock, those that are due. */
  due(faultState: number): readonly number[] {
    this.dueNotices[faultState] ??= this.dueIn(this.list[faultState])
    return this.dueNotices[faultState]
  }

  private dueIn({ notices, paused }: FaultState): readonly number[] {
    return [...notices.keys()].filter(
      (i) =>
        notices[i].remaining === 0 &&
        !paused.includes(notices[i].node) &&
        !(i > 0 && this.mustPrecede(notices[i - 1], notices[i])),
    )
  }

  /** The number of crashes and recoveries so far. */
  membershipChanges(faultState: number): number {
    const { crashes, recoveries, amnesia } = this.list[faultState].spent
    return crashes + recoveries + amnesia
  }

  /** The view of a node that recovers: everything that the detector has reported by then. */
  view(faultState: number, node: number): LinkView {
    if (this.detect === null) return INITIAL_VIEW
    const now = this.list[faultState]
    const { graph, initialIds } = this
    const pending = new Map<Link, LinkNotice['event']>()
    for (const { node: receiver, notice } of now.notices.toReversed())
      if (receiver === node) pending.set(notice.link, notice.event)
    const links = linksOf(graph, node)
    return {
      down: links.filter((link) =>
        pending.has(link) ? pending.get(link) === 'up' : !this.hears(now, node, link),
      ),
      renamed: links
        .map((link) => ({ link, neighbor: graph.neighbor(node, link) }))
        .filter(
          ({ link, neighbor }) => !pending.has(link) && now.ids[neighbor] !== initialIds[neighbor],
        )
        .map(({ link, neighbor }) => ({ link, id: now.ids[neighbor] })),
    }
  }

  /** Whether a node hears its neighbour: that is alive, and its messages arrive. */
  private hears(now: FaultState, node: number, link: Link): boolean {
    const { graph } = this
    const neighbor = graph.neighbor(node, link)
    if (now.dead.includes(neighbor)) return false
    const channel = graph.channel(neighbor, graph.back(node, link))
    if (now.cut.includes(channel)) return false
    return !now.partitions.some((partition) => separates(partition, neighbor, node))
  }

  /**
   * Adds the notices of a change. A crashed node gets none if it stays down, or if it will know
   * everything when it recovers.
   */
  private withNotices(before: FaultState, after: FaultState): FaultState {
    const { graph, totalOrder } = this
    const keep = this.budget.recoveries + this.budget.amnesia > 0 && !totalOrder
    const notices = [...after.notices]
    for (let node = 0; node < graph.n && this.detect !== null; node++)
      for (const link of linksOf(graph, node)) {
        const up = this.hears(after, node, link)
        if (up === this.hears(before, node, link)) continue
        const id = after.ids[graph.neighbor(node, link)]
        const notice: LinkNotice = { event: up ? 'up' : 'down', link, id }
        notices.push({ node, notice, remaining: this.detect })
      }
    return {
      ...after,
      notices: notices
        .filter(({ node }) => keep || !after.dead.includes(node))
        .sort((a, b) => a.node - b.node || (totalOrder ? 0 : a.notice.link - b.notice.link)),
    }
  }

  /** Whether one notice must be delivered before another: notices about one link stay in order. */
  private mustPrecede(a: PendingNotice, b: PendingNotice): boolean {
    return a.node === b.node && (this.totalOrder || a.notice.link === b.notice.link)
  }

  private successor(
    faultState: number,
    fault: string,
    make: (now: FaultState) => FaultState,
  ): number {
    this.successors[faultState] ??= new Map()
    let successor = this.successors[faultState].get(fault)
    if (successor === undefined) {
      successor = this.intern(make(this.list[faultState]))
      this.successors[faultState].set(fault, successor)
    }
    return successor
  }

  private intern(faultState: FaultState): number {
    return this.interner.intern(JSON.stringify(faultState), faultState)
  }
}

function ascending(numbers: number[]): number[] {
  return numbers.sort((a, b) => a - b)
}

function incremented(spent: FaultCounts, fault: FaultKind): FaultCounts {
  return { ...spent, [fault]: spent[fault] + 1 }
}

function countsOf(given: Partial<FaultCounts>): FaultCounts {
  const counts = FAULT_KINDS.map((kind) => [kind, given[kind] ?? 0])
  return Object.fromEntries(counts) as FaultCounts
}
