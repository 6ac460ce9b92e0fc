import { linksOf } from '../../core/language/topology.ts'
import { components } from '../../core/networks/components.ts'
import type { FaultKind } from '../options.ts'
import type { FaultState, FaultStates } from './fault-state.ts'
import type { StateVector } from './state-vector.ts'
import type { HandlerTransition, Visit } from './transition.ts'
import type { TransitionCache } from './transition-cache.ts'

/** The handler transitions of a notice or a recovery, and the fault state after it. */
interface NoticeSuccessors {
  readonly transitions: readonly HandlerTransition[]
  readonly faultState: number
}

/** Enumerates the fault transitions of the loaded state. One cell of it holds the fault state. */
export class FaultTransitions {
  private readonly n: number
  private readonly componentsByFaults = new Map<string, Int32Array>()
  /** Crash-stop faults, no recoveries: messages to crashed nodes need not be kept. */
  private readonly crashStop: boolean

  constructor(
    private readonly faultStates: FaultStates,
    private readonly cache: TransitionCache,
    private readonly vector: StateVector,
    readonly cell: number,
    private readonly reappear: boolean,
  ) {
    this.n = cache.localStates.length
    this.crashStop = faultStates.budget.recoveries === 0
    for (const node of this.current.dead) vector.cells[node] = cache.localStates[node].crashed(0)
  }

  alive(node: number): boolean {
    return !this.cache.localStates[node].dead[this.vector.cells[node]]
  }

  /** On a ring and on a complete network all live nodes count as connected. */
  component(node: number): number {
    const { topology } = this.cache.world
    if (topology.kind !== 'graph') return 0
    const { dead, cut } = this.current
    const key = `${dead};${cut}`
    let labels = this.componentsByFaults.get(key)
    if (labels === undefined) {
      const { channels } = this.cache
      const gone = cut.map((channel) => channels[channel].route)
      labels = components(
        topology,
        (other) => !dead.includes(other),
        (a, b) => gone.some(({ from, to }) => from === a && to === b),
      )
      this.componentsByFaults.set(key, labels)
    }
    return labels[node]
  }

  get mayCrash(): boolean {
    return this.allows('crashes')
  }

  /** Whether a link can be cut or a node can recover. */
  get mayChange(): boolean {
    return this.allows('cuts') || (this.allows('recoveries') && this.current.dead.length > 0)
  }

  /** Whether it makes a difference when the next fault occurs. */
  get timingMatters(): boolean {
    return this.mayChange || (this.faultStates.detects && this.mayCrash)
  }

  /** Whether a message that is sent into this channel now is lost. */
  drops(channel: number): boolean {
    const { to } = this.cache.channels[channel].route
    return this.current.cut.includes(channel) || (this.crashStop && !this.alive(to))
  }

  /** The time until the next notice; Infinity if none is pending. */
  get nextNotice(): number {
    return this.current.notices.reduce(
      (least, { remaining }) => Math.min(least, remaining),
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

  /** Crashes between handlers. */
  crashes(visit: Visit): void {
    if (!this.mayCrash) return
    for (let node = 0; node < this.n; node++) {
      if (!this.alive(node)) continue
      this.crash(node)
      visit({ event: 'crash', node, during: null, deposes: false })
    }
  }

  /** Loss and duplication of messages in flight. */
  messageFaults(visit: Visit): void {
    const { vector } = this
    const mayLose = this.allows('losses')
    const mayDuplicate = this.allows('duplicates')
    if (!mayLose && !mayDuplicate) return
    for (const [channel, contents] of this.cache.channels.entries()) {
      const cell = this.n + channel
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
        if (other < node || gone || irrelevant) continue
        this.vector.set(this.cell, this.faultStates.afterCut(this.faultState, node, link))
        visit({ event: 'cut', node, link, deposes: false })
      }
  }

  recoveries(): NoticeSuccessors[] {
    if (!this.allows('recoveries')) return []
    const { ids } = this.cache.world
    return this.current.dead.flatMap((node) => {
      const local = this.vector.cells[node]
      const view = this.faultStates.view(this.faultState, node)
      const others = new Set(ids.filter((id) => id !== ids[node]))
      return (this.reappear ? [...others] : [ids[node]]).map((id) => {
        const faultState = this.faultStates.afterRecovery(this.faultState, node, id)
        const changes = this.faultStates.membershipChanges(faultState)
        const trigger = { event: 'recover', id, view, changes } as const
        return { transitions: this.cache.onFaultEvent(node, local, trigger), faultState }
      })
    })
  }

  /** Notices to live nodes; notices to crashed nodes are visited here. */
  notices(visit: Visit): NoticeSuccessors[] {
    const successors: NoticeSuccessors[] = []
    for (const i of this.faultStates.due(this.faultState)) {
      const { node, notice } = this.current.notices[i]
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
