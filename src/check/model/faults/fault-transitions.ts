import type { Link } from '../../../core/language/net.ts'
import { linksOf } from '../../../core/language/topology.ts'
import type { FaultKind, FaultOptions } from '../../options.ts'
import type { StateVector } from '../state-vector.ts'
import type { HandlerTransition, Visit } from '../transition.ts'
import type { TransitionCache } from '../transition-cache.ts'
import type { FaultState, FaultStates } from './fault-state.ts'
import {
  connectedComponents,
  mutualComponents,
  partitionsOf,
  type SplitNetwork,
} from './partitions.ts'

/** The handler transitions of a notice or a recovery, and the fault state after it. */
interface NoticeSuccessors {
  readonly transitions: readonly HandlerTransition[]
  readonly faultState: number
}

/** Whether what belongs to a node is left out. */
type Skips = (node: number) => boolean

/** Enumerates the fault transitions of the loaded state. One cell of it holds the fault state. */
export class FaultTransitions {
  private readonly n: number
  private readonly componentsByFaults = new Map<string, Int32Array>()
  /** By fault state. */
  private readonly localIn: boolean[] = []
  /** Crash-stop faults, no recoveries: messages to crashed nodes need not be kept. */
  private readonly crashStop: boolean
  private readonly reappear: boolean
  private readonly oneWay: boolean
  /** Every partition that may occur. */
  private readonly possiblePartitions: readonly SplitNetwork[]
  private readonly nodesPause: boolean
  /** Whether more may change than which nodes have crashed. */
  private readonly changeable: boolean
  /** Whether links can fail, so that not all live nodes need be connected. */
  private readonly linksFail: boolean
  /** Whether some message was sent over a link that was down. */
  linksHit = false

  constructor(
    private readonly faultStates: FaultStates,
    private readonly cache: TransitionCache,
    private readonly vector: StateVector,
    readonly cell: number,
    { reappear = false, oneWay = false }: FaultOptions,
  ) {
    this.n = cache.localStates.length
    this.reappear = reappear
    this.oneWay = oneWay
    const { recoveries, amnesia, partitions, cuts, pauses } = faultStates.budget
    this.nodesPause = pauses > 0
    this.changeable = recoveries + amnesia + partitions + cuts + pauses > 0
    this.crashStop = recoveries + amnesia === 0
    this.possiblePartitions = partitions > 0 ? partitionsOf(this.n, oneWay) : []
    this.linksFail = cuts + partitions > 0
    for (const node of this.current.dead) vector.cells[node] = cache.localStates[node].crashed(0)
  }

  /** Whether crashed nodes may recover. */
  get recoverable(): boolean {
    return !this.crashStop
  }

  /** Whether there was a fault of this kind in some run. */
  injected(kind: FaultKind): boolean {
    return this.faultStates.injected(kind)
  }

  /** Whether some timer that was set could be early or late. */
  get timersDrift(): boolean {
    return this.cache.localStates.some(({ list }) =>
      list.some(({ timers }) => timers.some(({ drift = 0 }) => drift > 0)),
    )
  }

  /** The fault state after an automorphism has moved all nodes. */
  moved(faultState: number, to: readonly number[]): number {
    return this.faultStates.moved(faultState, to)
  }

  alive(node: number): boolean {
    return !this.cache.localStates[node].dead[this.vector.cells[node]]
  }

  /** On a ring and on a complete network whose links work all live nodes count as connected. */
  component(node: number): number {
    const { topology } = this.cache.world
    if (topology.kind !== 'graph' && !this.linksFail) return 0
    const { dead } = this.current
    const blocked = this.faultStates.blocked(this.faultState)
    const key = `${dead};${[...blocked]}`
    let labels = this.componentsByFaults.get(key)
    if (labels === undefined) {
      labels = this.oneWay
        ? mutualComponents(topology, dead, blocked)
        : connectedComponents(topology, dead, blocked)
      this.componentsByFaults.set(key, labels)
    }
    return labels[node]
  }

  /** Whether two live nodes can send to each other directly. */
  linked(a: number, b: number): boolean {
    const { channels } = this.cache
    const blocked = this.faultStates.blocked(this.faultState)
    const works = (from: number, to: number) =>
      channels.some(({ route }, i) => route.from === from && route.to === to && !blocked.has(i))
    return this.alive(a) && this.alive(b) && works(a, b) && works(b, a)
  }

  get anyPaused(): boolean {
    return this.nodesPause && this.current.paused.length > 0
  }

  paused(node: number): boolean {
    return this.nodesPause && this.current.paused.includes(node)
  }

  get mayCrash(): boolean {
    return this.allows('crashes')
  }

  /** Whether links can fail or work again, or nodes can recover or go on. */
  get mayChange(): boolean {
    if (!this.changeable) return false
    const { dead, partitions, paused } = this.current
    return (
      this.allows('cuts') ||
      (dead.length > 0 && (this.allows('recoveries') || this.allows('amnesia'))) ||
      partitions.length > 0 ||
      this.allows('partitions') ||
      paused.length > 0
    )
  }

  /**
   * Whether a fault of one node cannot touch what another does: with a clock before time advances,
   * without one ever. Then only the counts of faults connect them.
   */
  get local(): boolean {
    this.localIn[this.faultState] ??= this.isLocal()
    return this.localIn[this.faultState]
  }

  private isLocal(): boolean {
    const { reportsAtOnce, timed } = this.faultStates
    const { partitions, paused } = this.current
    if (this.allows('pauses') || paused.length > 0) return false
    if (reportsAtOnce && this.mayCrash) return false
    if (timed) return true
    const changes = (['cuts', 'partitions', 'recoveries', 'amnesia'] as const).some((it) =>
      this.allows(it),
    )
    return !changes && partitions.length === 0
  }

  /** Whether it makes a difference when the next fault occurs. */
  get timingMatters(): boolean {
    if (this.mayChange || (this.nodesPause && this.allows('pauses'))) return true
    return this.faultStates.detects && this.mayCrash
  }

  /** Whether a message that is sent into this channel now is lost. */
  drops(channel: number): boolean {
    if (this.linksFail && this.faultStates.blocked(this.faultState).has(channel)) {
      this.linksHit = true
      return true
    }
    return this.crashStop && !this.alive(this.cache.channels[channel].route.to)
  }

  /** The time until the next notice; Infinity if none is pending. */
  get nextNotice(): number {
    const { notices, paused } = this.current
    return notices.reduce(
      (least, { node, remaining }) => (paused.includes(node) ? least : Math.min(least, remaining)),
      Number.POSITIVE_INFINITY,
    )
  }

  /** Whether a notice for a live node is pending. */
  get noticesPending(): boolean {
    return this.current.notices.some(({ node }) => this.alive(node))
  }

  advanceTime(time: number): void {
    this.vector.set(this.cell, this.faultStates.afterTime(this.faultState, time))
  }

  crash(node: number): void {
    const { vector, cache } = this
    vector.set(this.cell, this.faultStates.afterCrash(this.faultState, node))
    // Without recoveries the stable storage of a crashed node does not matter.
    vector.set(node, cache.localStates[node].crashed(this.crashStop ? 0 : vector.cells[node]))
    if (!this.crashStop) return
    for (const [i, { route }] of cache.channels.entries())
      if (route.to === node) vector.set(this.n + i, 0)
  }

  /** Crashes between handlers, but those of nodes that are skipped. */
  crashes(visit: Visit, skips: Skips): void {
    if (!this.mayCrash) return
    for (let node = 0; node < this.n; node++) {
      if (!this.alive(node) || skips(node)) continue
      this.crash(node)
      visit({ event: 'crash', node, during: null, deposes: false })
    }
  }

  /** Loss and duplication of messages in flight; they belong to the receiver. */
  messageFaults(visit: Visit, skips: Skips): void {
    const { vector } = this
    const mayLose = this.allows('losses')
    const mayDuplicate = this.allows('duplicates')
    if (!mayLose && !mayDuplicate) return
    const { channels } = this.cache
    for (let channel = 0; channel < channels.length; channel++) {
      const contents = channels[channel]
      const cell = this.n + channel
      if (vector.cells[cell] === 0 || skips(contents.route.to)) continue
      for (const inFlight of contents.inFlight(vector.cells[cell])) {
        const { message, before, lost, duplicated } = inFlight
        if (mayLose) {
          vector.set(this.cell, this.faultStates.afterMessageFault(this.faultState, 'losses'))
          vector.set(cell, lost)
          visit({ event: 'lose', channel, message, before, deposes: false })
        }
        if (mayDuplicate) {
          vector.set(this.cell, this.faultStates.afterMessageFault(this.faultState, 'duplicates'))
          vector.set(cell, duplicated)
          visit({ event: 'double', channel, message, before, deposes: false })
        }
      }
    }
  }

  cuts(visit: Visit): void {
    if (!this.allows('cuts')) return
    const { topology } = this.cache.world
    for (let node = 0; node < this.n; node++)
      for (const link of linksOf(topology, node)) {
        const other = topology.neighbor(node, link)
        const gone = this.current.cut.includes(topology.channel(node, link))
        const irrelevant = this.crashStop && !(this.alive(node) && this.alive(other))
        if (gone || irrelevant) continue
        if (other >= node) this.cut(node, link, false, visit)
        if (this.oneWay) this.cut(node, link, true, visit)
      }
  }

  private cut(node: number, link: Link, oneWay: boolean, visit: Visit): void {
    this.vector.set(this.cell, this.faultStates.afterCut(this.faultState, node, link, oneWay))
    visit({ event: 'cut', node, link, oneWay, deposes: false })
  }

  /** Partitions begin and end. */
  partitions(visit: Visit): void {
    const { faultStates } = this
    if (this.possiblePartitions.length === 0) return
    const { partitions } = this.current
    for (const [index, partition] of partitions.entries()) {
      this.vector.set(this.cell, faultStates.afterHeal(this.faultState, index))
      visit({ event: 'heal', partition, index, deposes: false })
    }
    if (!this.allows('partitions')) return
    const before = faultStates.blocked(this.faultState).size
    for (const partition of this.possiblePartitions) {
      const faultState = faultStates.afterPartition(this.faultState, partition)
      if (faultStates.blocked(faultState).size === before) continue
      this.vector.set(this.cell, faultState)
      visit({ event: 'part', partition, deposes: false })
    }
  }

  /** Nodes pause, at any time. */
  pauses(visit: Visit): void {
    if (!this.nodesPause || !this.allows('pauses')) return
    const { localStates } = this.cache
    for (let node = 0; node < this.n; node++) {
      const asleep = localStates[node].asleep[this.vector.cells[node]]
      if (asleep || !this.alive(node) || this.paused(node)) continue
      this.vector.set(this.cell, this.faultStates.afterPause(this.faultState, node))
      visit({ event: 'pause', node, deposes: false })
    }
  }

  /** Paused nodes go on. */
  resumptions(visit: Visit): void {
    for (const node of this.current.paused) {
      this.vector.set(this.cell, this.faultStates.afterResume(this.faultState, node))
      visit({ event: 'resume', node, deposes: false })
    }
  }

  recoveries(): NoticeSuccessors[] {
    return [...this.recoveriesBy('recoveries'), ...this.recoveriesBy('amnesia')]
  }

  private recoveriesBy(how: 'recoveries' | 'amnesia'): NoticeSuccessors[] {
    if (!this.allows(how)) return []
    const { ids } = this.cache.world
    return this.current.dead.flatMap((node) => {
      const local = this.vector.cells[node]
      const view = this.faultStates.view(this.faultState, node)
      const others = new Set(ids.filter((id) => id !== ids[node]))
      return (this.reappear ? [...others] : [ids[node]]).map((id) => {
        const faultState = this.faultStates.afterRecovery(this.faultState, node, id, how)
        const changes = this.faultStates.membershipChanges(faultState)
        const amnesia = how === 'amnesia' && { amnesia: true as const }
        const trigger = { event: 'recover', id, view, changes, ...amnesia } as const
        return { transitions: this.cache.onFaultEvent(node, local, trigger), faultState }
      })
    })
  }

  /** Notices to live nodes; notices to crashed nodes are visited here. */
  notices(visit: Visit, skips: Skips): NoticeSuccessors[] {
    const successors: NoticeSuccessors[] = []
    for (const i of this.faultStates.due(this.faultState)) {
      const { node, notice } = this.current.notices[i]
      if (skips(node)) continue
      const faultState = this.faultStates.afterNotice(this.faultState, i)
      const local = this.vector.cells[node]
      if (this.alive(node)) {
        const transitions = this.cache.onFaultEvent(node, local, notice)
        successors.push({ transitions, faultState })
      } else {
        this.vector.set(this.cell, faultState)
        visit({ event: 'unheard', deposes: false })
      }
    }
    return successors
  }

  /** The nodes of the notices that are due, and what their handlers do; nothing in a dead node. */
  dueNotices(): { readonly node: number; readonly transitions: readonly HandlerTransition[] }[] {
    return this.faultStates.due(this.faultState).map((i) => {
      const { node, notice } = this.current.notices[i]
      const local = this.vector.cells[node]
      const transitions = this.alive(node) ? this.cache.onFaultEvent(node, local, notice) : []
      return { node, transitions }
    })
  }

  get noticesDue(): boolean {
    return this.faultStates.due(this.faultState).length > 0
  }

  private allows(fault: FaultKind): boolean {
    return this.current.spent[fault] < this.faultStates.budget[fault]
  }

  private get faultState(): number {
    return this.vector.cells[this.cell]
  }

  private get current(): FaultState {
    return this.faultStates.list[this.faultState]
  }
}
