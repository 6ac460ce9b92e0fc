import { linksOf } from '../../core/language/topology.ts'
import { initialState, type World } from '../../core/language/world.ts'
import { ChannelTable, type Travel } from './channels.ts'
import { HandlerRunner } from './handler-runner.ts'
import { type LinkView, LocalStates } from './local-states.ts'
import { MessageTable } from './message-table.ts'
import type { Routing } from './routing.ts'
import type { HandlerEvent, HandlerTransition } from './transition.ts'

/**
 * The algorithm on its network, with everything numbered that can be part of a state. A handler
 * runs once for each local state and occasion, however many global states these meet in.
 */
export class TransitionCache {
  readonly mail = new MessageTable()
  readonly locals: readonly LocalStates[]
  readonly channels: readonly ChannelTable[]
  /** By position: the number of the local state before anything has happened. */
  sleepers: readonly number[]
  private readonly performer: HandlerRunner
  private readonly wakes: (readonly HandlerTransition[])[][]
  private readonly receipts: (readonly HandlerTransition[])[][][]
  private readonly timeouts: (readonly HandlerTransition[])[][][]
  /** Whether something was seen that does not fit its type. */
  someMisfit = false
  /** Of what happens only where there are faults. */
  private readonly rare = new Map<string, readonly HandlerTransition[]>()

  constructor(
    public world: World,
    readonly roads: Routing,
    travel: Travel,
    /** What the node at a position knows about its links before anything has happened. */
    view: (node: number) => LinkView,
    draws?: number,
  ) {
    const { algorithm, topology } = world
    this.performer = new HandlerRunner(world, roads, this.mail, travel.longest !== null, draws)
    this.locals = Array.from(
      { length: topology.n },
      (_, node) => new LocalStates(algorithm.layout, initialState(world, node), view(node)),
    )
    this.sleepers = this.locals.map(() => 0)
    this.channels = roads.routes.map((route) => new ChannelTable(route, travel))
    this.receipts = this.channels.map(() => [])
    this.wakes = this.locals.map(() => [])
    this.timeouts = this.locals.map(() => [])
  }

  /** Whether what was found out so far holds for any ids: nobody has asked who is next to it. */
  get impersonal(): boolean {
    return !this.performer.asked
  }

  /** Whether some runs end since a node may not draw again. */
  get cut(): boolean {
    return this.performer.cut
  }

  /** Gives the nodes other ids; what was found out about them under their old ids is kept. */
  seat(world: World): void {
    this.world = world
    this.sleepers = this.locals.map((locals, node) =>
      locals.sleeping(world.ids[node], () => initialState(world, node)),
    )
  }

  /** How many local states and contents of channels were seen. */
  get seen(): number {
    const locals = this.locals.reduce((sum, { list }) => sum + list.length, 0)
    return this.channels.reduce((sum, { seen }) => sum + seen, locals)
  }

  /** Of local states, by node: whether one is up and has woken, whether one has set an alarm. */
  someoneAwake(cells: Uint32Array): boolean {
    return this.locals.some(({ asleep, dead }, it) => !asleep[cells[it]] && !dead[cells[it]])
  }

  someAlarm(cells: Uint32Array): boolean {
    return this.locals.some(({ list }, node) => list[cells[node]].alarms.length > 0)
  }

  /** Whether some message may arrive now. */
  someRipe(cells: Uint32Array): boolean {
    const first = this.locals.length
    return this.channels.some((channel, i) => channel.next(cells[first + i]).length > 0)
  }

  /** The node, asleep so far, wakes by itself. */
  ofWaking(node: number, local: number): readonly HandlerTransition[] {
    const byLocal = this.wakes[node]
    byLocal[local] ??= this.find(node, local, { event: 'wake' })
    return byLocal[local]
  }

  /** Whether the node does the same when it wakes by itself as when a message begins to wake it. */
  startsAlike(node: number, local: number): boolean {
    const outcome = ({ after, sent, draws }: HandlerTransition) => [after, sent, draws]
    const alone = JSON.stringify(this.ofWaking(node, local).map(outcome))
    return linksOf(this.world.topology, node).every((link) => {
      const woken = this.find(node, local, { event: 'wake', link })
      return JSON.stringify(woken.map(outcome)) === alone
    })
  }

  /** A message arrives at the end of a channel. */
  ofReceipt(channel: number, local: number, message: number): readonly HandlerTransition[] {
    const byLocal = this.receipts[channel]
    byLocal[local] ??= []
    const byMessage = byLocal[local]
    if (byMessage[message] === undefined) {
      const { to, in: link } = this.channels[channel].route
      byMessage[message] = this.find(to, local, { event: 'receive', link, message, channel })
    }
    return byMessage[message]
  }

  ofTimeout(node: number, local: number, alarm: number): readonly HandlerTransition[] {
    const byLocal = this.timeouts[node]
    byLocal[local] ??= []
    byLocal[local][alarm] ??= this.find(node, local, { event: 'timeout', alarm })
    return byLocal[local][alarm]
  }

  /** The node is told something about a link, or comes back from the dead. */
  ofFault(node: number, local: number, occasion: HandlerEvent): readonly HandlerTransition[] {
    const key = `${node};${local};${JSON.stringify(occasion)}`
    const known = this.rare.get(key)
    if (known !== undefined) return known
    const found = this.find(node, local, occasion)
    this.rare.set(key, found)
    return found
  }

  private find(node: number, before: number, occasion: HandlerEvent): HandlerTransition[] {
    const { roads } = this
    const locals = this.locals[node]
    const led = locals.list[before].state.status === 'leader'
    const ways = this.performer.perform(node, locals.list[before], occasion)
    return ways.map((performance) => {
      const { local, deeds, draws, sets, misfit } = performance
      if (misfit !== undefined) this.someMisfit = true
      const leads = local.state.status === 'leader'
      return {
        event: occasion.event,
        occasion,
        node,
        before,
        after: locals.numberOf(local),
        sent: deeds
          .filter((deed) => deed.deed === 'send')
          .map(({ link, message }) => ({ channel: roads.channel(node, link, local), message })),
        deeds,
        draws,
        sets,
        ...(misfit !== undefined && { misfit }),
        deposes: led && !leads,
        seats: led !== leads,
      }
    })
  }
}
