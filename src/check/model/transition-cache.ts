import { linksOf } from '../../core/language/topology.ts'
import { initialState, type World } from '../../core/language/world.ts'
import type { HandlerLimits } from '../options.ts'
import { type ChannelOptions, ChannelTable } from './channels.ts'
import { HandlerRunner } from './handler-runner.ts'
import { type LinkView, LocalStates } from './local-states.ts'
import { MessageTable } from './message-table.ts'
import type { Routing } from './routing.ts'
import type { HandlerEvent, HandlerTransition } from './transition.ts'

/**
 * Memo table of handler runs: (local state, event) -> handler transitions. A handler runs once for
 * each local state and event, in however many global states they meet. Local states, messages and
 * channel contents are interned here.
 */
export class TransitionCache {
  readonly messages = new MessageTable()
  readonly localStates: readonly LocalStates[]
  readonly channels: readonly ChannelTable[]
  /** The initial local state of each node. */
  initialStates: readonly number[]
  private readonly runner: HandlerRunner
  private readonly wakes: (readonly HandlerTransition[])[][]
  private readonly receives: (readonly HandlerTransition[])[][][]
  private readonly timeouts: (readonly HandlerTransition[])[][][]
  /** Whether a message may be delivered again. */
  readonly lossy: boolean
  /** Whether some handler produced a value outside its declared type. */
  typeViolated = false
  /** The number of handler runs so far: each may be slow. */
  handlerRuns = 0
  /** Transitions for notices and recoveries, which occur only with faults. */
  private readonly faultEvents = new Map<string, readonly HandlerTransition[]>()

  constructor(
    public world: World,
    readonly routing: Routing,
    channelOptions: ChannelOptions,
    /** The initial view of a node. */
    view: (node: number) => LinkView,
    limits: HandlerLimits,
    /** Whether faults may occur. */
    faulty: boolean,
  ) {
    const { algorithm, topology } = world
    this.lossy = channelOptions.order === 'lossy'
    this.runner = new HandlerRunner(
      world,
      routing,
      this.messages,
      channelOptions.maxDelay !== null,
      limits,
      faulty || channelOptions.order === 'lossy',
    )
    this.localStates = Array.from(
      { length: topology.n },
      (_, node) => new LocalStates(algorithm.layout, initialState(world, node), view(node)),
    )
    this.initialStates = this.localStates.map(() => 0)
    this.channels = routing.routes.map((route) => new ChannelTable(route, channelOptions))
    this.receives = this.channels.map(() => [])
    this.wakes = this.localStates.map(() => [])
    this.timeouts = this.localStates.map(() => [])
  }

  /** Whether the cached transitions hold for any ids: no handler has read a neighbour's id. */
  get idIndependent(): boolean {
    return !this.runner.readsNeighbourIds
  }

  /** Whether some runs were cut at the limit of random choices. */
  get drawLimitReached(): boolean {
    return this.runner.drawLimitReached
  }

  /** Whether some runs were cut at the bound of a field. */
  get boundReached(): boolean {
    return this.runner.boundReached
  }

  /** Whether not every value of some random delay was tried. */
  get timeoutsLeftOut(): boolean {
    return this.runner.timeoutsLeftOut
  }

  /** Whether some runs were cut anywhere. */
  get cutsRuns(): boolean {
    return this.drawLimitReached || this.boundReached
  }

  /** Assigns other ids to the nodes and keeps what is cached for their former ids. */
  assignIds(world: World): void {
    this.world = world
    this.initialStates = this.localStates.map((localStates, node) =>
      localStates.initialWithId(world.ids[node], () => initialState(world, node)),
    )
  }

  /** The number of interned local states and channel contents. */
  get size(): number {
    const localStates = this.localStates.reduce((sum, { list }) => sum + list.length, 0)
    return this.channels.reduce((sum, { size }) => sum + size, localStates)
  }

  /** Whether some live node has woken. */
  anyAwake(cells: Uint32Array): boolean {
    return this.localStates.some(({ asleep, dead }, i) => !asleep[cells[i]] && !dead[cells[i]])
  }

  anyTimerArmed(cells: Uint32Array): boolean {
    return this.localStates.some(({ list }, node) => list[cells[node]].timers.length > 0)
  }

  /** Whether some message may be delivered now. */
  anyDeliverable(cells: Uint32Array): boolean {
    const first = this.localStates.length
    return this.channels.some((channel, i) => channel.deliverable(cells[first + i]).length > 0)
  }

  /** A sleeping node starts spontaneously. */
  onWake(node: number, local: number): readonly HandlerTransition[] {
    const byLocal = this.wakes[node]
    byLocal[local] ??= this.runHandler(node, local, { event: 'wake' })
    return byLocal[local]
  }

  /** Whether the node starts in the same way spontaneously and when a message wakes it. */
  startsUniformly(node: number, local: number): boolean {
    const outcome = ({ after, sent, draws }: HandlerTransition) => [after, sent, draws]
    const spontaneous = JSON.stringify(this.onWake(node, local).map(outcome))
    return linksOf(this.world.topology, node).every((link) => {
      const woken = this.runHandler(node, local, { event: 'wake', link })
      return JSON.stringify(woken.map(outcome)) === spontaneous
    })
  }

  /** A message is delivered from a channel. */
  onReceive(channel: number, local: number, message: number): readonly HandlerTransition[] {
    const byLocal = this.receives[channel]
    byLocal[local] ??= []
    const byMessage = byLocal[local]
    if (byMessage[message] === undefined) {
      const { to, in: link } = this.channels[channel].route
      byMessage[message] = this.runHandler(to, local, { event: 'receive', link, message, channel })
    }
    return byMessage[message]
  }

  onTimeout(node: number, local: number, timer: number): readonly HandlerTransition[] {
    const byLocal = this.timeouts[node]
    byLocal[local] ??= []
    byLocal[local][timer] ??= this.runHandler(node, local, { event: 'timeout', timer })
    return byLocal[local][timer]
  }

  /** The node receives a notice about a link, or recovers. */
  onFaultEvent(node: number, local: number, trigger: HandlerEvent): readonly HandlerTransition[] {
    const key = `${node};${local};${JSON.stringify(trigger)}`
    const known = this.faultEvents.get(key)
    if (known !== undefined) return known
    const transitions = this.runHandler(node, local, trigger)
    this.faultEvents.set(key, transitions)
    return transitions
  }

  private runHandler(node: number, before: number, trigger: HandlerEvent): HandlerTransition[] {
    const { routing } = this
    this.handlerRuns++
    const localStates = this.localStates[node]
    const led = localStates.list[before].state.status === 'leader'
    const outcomes = this.runner.run(node, localStates.list[before], trigger)
    return outcomes.map(({ local, actions, draws, armed, typeViolation }) => {
      if (typeViolation !== undefined) this.typeViolated = true
      const leads = local.state.status === 'leader'
      return {
        event: trigger.event,
        trigger,
        node,
        before,
        after: localStates.intern(local),
        sent: actions
          .filter((action) => action.action === 'send')
          .map(({ link, message }) => ({ channel: routing.channel(node, link, local), message })),
        actions,
        draws,
        armed,
        ...(typeViolation !== undefined && { typeViolation }),
        deposes: led && !leads,
        changesLeader: led !== leads,
      }
    })
  }
}
