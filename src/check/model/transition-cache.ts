import { keepsFollowed } from '../../core/language/problem.ts'
import { linksOf } from '../../core/language/topology.ts'
import { constantsOf, initialState, type World } from '../../core/language/world.ts'
import { ByteWriter } from '../../core/runtime/bytes.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import type { State } from '../../core/runtime/state.ts'
import type { FaultOptions, HandlerLimits } from '../options.ts'
import { type ChannelOptions, ChannelTable } from './channels.ts'
import { HandlerRunner } from './handler-runner.ts'
import { bytesKey, MessageTable } from './interner.ts'
import { type LinkView, LocalStates, mayFire, untilPossible } from './local-states.ts'

import type { Routing } from './routing.ts'
import {
  type HandlerEffects,
  type HandlerEvent,
  type HandlerResult,
  type HandlerTransition,
  resignsAmong,
} from './transition.ts'

/** Which limits of handlers some runs have reached. */
export interface LimitsReached {
  readonly draws: boolean
  readonly bounds: boolean
  readonly timeouts: boolean
}

/** A message that is in flight before any step. */
interface InitialMessage {
  readonly channel: number
  readonly message: number
}

/**
 * Memo table of handler runs: (local state, event) -> handler transitions. A handler runs once for
 * each local state and event, in however many global states they meet. Local states, messages and
 * channel contents are interned here.
 */
export class TransitionCache {
  readonly messages = new MessageTable()
  /** Nodes that begin in the same state share the numbers of their states. */
  readonly localStates: readonly LocalStates[]
  readonly channels: readonly ChannelTable[]
  /** The initial local state of each node. */
  initialStates: readonly number[]
  private readonly runner: HandlerRunner
  private readonly wakes: (readonly HandlerTransition[])[][]
  private readonly expiries: (readonly HandlerTransition[])[][]
  private readonly receives: (readonly HandlerTransition[])[][][]
  private readonly timeouts: (readonly HandlerTransition[])[][][]
  private readonly meetings: (readonly HandlerTransition[])[][][]
  /** Whether a message may be delivered again. */
  readonly lossy: boolean
  /** By how many units timers may fire early or late. */
  private readonly drift: number
  /** Whether some handler produced a value outside its declared type. */
  typeViolated = false
  /** The number of handler runs so far: each may be slow. */
  handlerRuns = 0
  private readonly effectsByKey = new Map<string, HandlerEffects>()
  /** Transitions for notices and recoveries, which occur only with faults. */
  private readonly faultEvents = new Map<string, readonly HandlerTransition[]>()
  /** The same by the event itself, which belongs to one node, and by the local state. */
  private readonly sameEvent = new WeakMap<HandlerEvent, (readonly HandlerTransition[])[]>()

  constructor(
    public world: World,
    readonly routing: Routing,
    channelOptions: ChannelOptions,
    /** The initial view of a node. */
    view: (node: number) => LinkView,
    limits: HandlerLimits,
    /** The faults that may occur; null if none. */
    faults: FaultOptions | null,
  ) {
    const drift = faults?.drift ?? 0
    this.drift = drift
    const { algorithm, topology } = world
    this.lossy = channelOptions.order === 'lossy'
    this.runner = new HandlerRunner(
      world,
      routing,
      this.messages,
      channelOptions.maxDelay !== null,
      limits,
      faults !== null || channelOptions.order === 'lossy',
      drift,
      faults === null && keepsFollowed(algorithm),
    )
    const alike = new Map<string, LocalStates>()
    this.localStates = Array.from({ length: topology.n }, (_, node) => {
      const key = `${JSON.stringify(view(node))} ${initialKey(world, node)}`
      const local =
        alike.get(key) ?? new LocalStates(algorithm.layout, initialState(world, node), view(node))
      alike.set(key, local)
      return local
    })
    this.initialStates = this.localStates.map(() => 0)
    this.channels = channelsOf(routing, channelOptions, this.localStates)
    this.receives = this.channels.map(() => [])
    this.meetings = this.channels.map(() => [])
    this.wakes = this.localStates.map(() => [])
    this.expiries = this.localStates.map(() => [])
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

  /** Takes over what was found out about the limits in another system for the same world. */
  addLimitsReached({ draws, bounds, timeouts }: LimitsReached): void {
    this.runner.drawLimitReached ||= draws
    this.runner.boundReached ||= bounds
    this.runner.timeoutsLeftOut ||= timeouts
  }

  get limitsReached(): LimitsReached {
    const { drawLimitReached, boundReached, timeoutsLeftOut } = this.runner
    return { draws: drawLimitReached, bounds: boundReached, timeouts: timeoutsLeftOut }
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

  /** The messages that are in flight before any step, in the order of sending. */
  get initialMessages(): InitialMessage[] {
    const { algorithm, topology, corrupted } = this.world
    return (corrupted?.messages ?? []).map(({ node, link, kind, body }) => {
      const to = topology.neighbor(node, link)
      const channel = this.channels.findIndex(
        ({ route }) => route.from === node && route.out === link && route.to === to,
      )
      return { channel, message: this.messages.intern(algorithm.kinds[kind], body as AnyBody) }
    })
  }

  /** The contents of the channels with these messages, by the number of their cells. */
  initialContents(): ReadonlyMap<number, number> {
    const contents = new Map<number, number>()
    for (const { channel, message } of this.initialMessages) {
      const cell = this.world.topology.n + channel
      contents.set(cell, this.channels[channel].append(contents.get(cell) ?? 0, message))
    }
    return contents
  }

  /** The number of interned local states and channel contents. */
  get size(): number {
    const lists = new Set([...this.localStates, ...this.channels].map(({ list }) => list))
    return [...lists].reduce((sum, { length }) => sum + length, 0)
  }

  /** Whether some live node has woken. */
  anyAwake(cells: Uint32Array): boolean {
    return this.localStates.some(({ asleep, dead }, i) => !asleep[cells[i]] && !dead[cells[i]])
  }

  /** Whether a timer is armed, or a leadership is bound to a moment that is still to come. */
  anyTimerArmed(cells: Uint32Array): boolean {
    return this.localStates.some(
      ({ list, bound }, node) =>
        list[cells[node]].timers.length > 0 || bound[cells[node]] !== undefined,
    )
  }

  /** The time until the next timer may fire, or the next leadership may end by its bound. */
  nextDeadline(cells: Uint32Array, faults: { paused(node: number): boolean } | null): number {
    let time = Number.POSITIVE_INFINITY
    for (let node = 0; node < this.localStates.length; node++) {
      const { list, bound } = this.localStates[node]
      const end = bound[cells[node]]
      if (end !== undefined) time = Math.min(time, untilPossible(end))
      if (faults?.paused(node)) continue
      const { timers } = list[cells[node]]
      const first = this.drift === 0 ? Math.min(1, timers.length) : timers.length
      for (let i = 0; i < first; i++) time = Math.min(time, untilPossible(timers[i]))
    }
    // Where clocks drift, what is possible already may still come later.
    return this.drift === 0 ? time : Math.max(1, time)
  }

  /** Whether a message to a node that is not paused may be delivered now, or must be. */
  anyMessage(
    such: 'deliverable' | 'overdue',
    cells: Uint32Array,
    faults: { paused(node: number): boolean } | null,
  ): boolean {
    const { channels } = this
    for (let i = 0; i < channels.length; i++) {
      const content = cells[this.localStates.length + i]
      if (content === 0 || faults?.paused(channels[i].route.to)) continue
      if (such === 'overdue' ? channels[i].overdue(content) : channels[i].mayDeliver(content))
        return true
    }
    return false
  }

  /** Where clocks drift: whether a leadership may end by its bound at this moment, or later. */
  mayExpireEarly(cells: Uint32Array): boolean {
    if (this.drift === 0) return false
    return this.localStates.some(({ bound }, node) => {
      const end = bound[cells[node]]
      return end !== undefined && mayFire(end)
    })
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

  /** The leadership of the node ends at the moment to which it was bound. */
  onExpiry(node: number, local: number): readonly HandlerTransition[] {
    const byLocal = this.expiries[node]
    byLocal[local] ??= this.runHandler(node, local, { event: 'expire' })
    return byLocal[local]
  }

  /** The ends of a channel meet, in these local states. */
  onMeet(channel: number, local: number, other: number): readonly HandlerTransition[] {
    const byLocal = this.meetings[channel]
    byLocal[local] ??= []
    byLocal[local][other] ??= this.runMeeting(channel, local, other)
    return byLocal[local][other]
  }

  /** Both ends act on the states before the meeting; their random choices are independent. */
  private runMeeting(channel: number, local: number, other: number): HandlerTransition[] {
    const { from, to } = this.channels[channel].route
    const [mine, theirs] = [this.localStates[from].list[local], this.localStates[to].list[other]]
    const part = (node: number, before: number, initiator: boolean, seen: State) =>
      this.runHandler(node, before, { event: 'meet', channel, initiator, other: seen })
    const responses = part(to, other, false, mine.state)
    return part(from, local, true, theirs.state).flatMap((initiation) =>
      responses.map((partner) => ({
        ...initiation,
        deposes: initiation.resigns || partner.resigns,
        changesLeader: initiation.changesLeader || partner.changesLeader,
        partner,
      })),
    )
  }

  /** The node receives a notice about a link, or recovers. */
  onFaultEvent(node: number, local: number, trigger: HandlerEvent): readonly HandlerTransition[] {
    const byLocal = this.sameEvent.get(trigger) ?? []
    if (byLocal.length === 0) this.sameEvent.set(trigger, byLocal)
    byLocal[local] ??= this.equalFaultEvent(node, local, trigger)
    return byLocal[local]
  }

  private equalFaultEvent(
    node: number,
    local: number,
    trigger: HandlerEvent,
  ): readonly HandlerTransition[] {
    const key = `${node};${local};${JSON.stringify(trigger)}`
    const known = this.faultEvents.get(key)
    if (known !== undefined) return known
    const transitions = this.runHandler(node, local, trigger)
    this.faultEvents.set(key, transitions)
    return transitions
  }

  /** What happened so far, by kinds of events. */
  get happened(): HandlerEffects[] {
    return [...this.effectsByKey.values()].filter(({ happened }) => happened)
  }

  private runHandler(node: number, before: number, trigger: HandlerEvent): HandlerTransition[] {
    const { routing } = this
    this.handlerRuns++
    const localStates = this.localStates[node]
    const led = localStates.list[before].state.status === 'leader'
    const outcomes = this.runner.run(node, localStates.list[before], trigger)
    const effects = this.effectsOf(trigger, outcomes)
    return outcomes.map(({ local, actions, draws, armed, typeViolation }) => {
      if (typeViolation !== undefined) this.typeViolated = true
      const leads = local.state.status === 'leader'
      const resigns = (led && !leads) || resignsAmong(actions, led)
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
        effects,
        ...(typeViolation !== undefined && { typeViolation }),
        deposes: resigns,
        resigns,
        changesLeader: led !== leads || resigns,
        gains: led === leads ? 0 : leads ? 1 : -1,
      }
    })
  }

  private effectsOf(trigger: HandlerEvent, outcomes: readonly HandlerResult[]): HandlerEffects {
    const actions = outcomes.flatMap((outcome) => outcome.actions)
    const sent = actions.flatMap((it) =>
      it.action === 'send' ? [this.messages.kind(it.message).index] : [],
    )
    const effects: HandlerEffects = {
      happened: false,
      event: trigger.event,
      sent: ascending(sent),
      handled: ascending(outcomes.flatMap(({ handled }) => handled)),
      timer: trigger.event === 'timeout' ? trigger.timer : -1,
      leads: actions.some(({ action }) => action === 'lead'),
      follows: actions.some(({ action }) => action === 'follow'),
      renews: outcomes.some(({ renews }) => renews),
      pieces: ascending(outcomes.flatMap(({ pieces }) => pieces)),
    }
    const key = JSON.stringify(effects)
    const known = this.effectsByKey.get(key) ?? effects
    this.effectsByKey.set(key, known)
    return known
  }
}

/** Notes that an event happens, given its outcomes. */
export function noteHappened(outcomes: readonly HandlerTransition[]): void {
  if (outcomes.length === 0) return
  const [{ effects, partner }] = outcomes
  effects.happened = true
  if (partner !== undefined) partner.effects.happened = true
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

/** The initial state as text, with the constants, which are no part of its bytes. */
function initialKey(world: World, node: number): string {
  const out = new ByteWriter()
  world.algorithm.layout.write(out, initialState(world, node))
  const constants = Object.values(constantsOf(world, node)).map((value) =>
    Object.is(value, -0) ? '-0' : value,
  )
  return `${constants} ${bytesKey(out.take())}`
}

/** Channels between nodes that share numbers, over links with the same numbers, share theirs. */
function channelsOf(
  { routes }: Routing,
  options: ChannelOptions,
  localStates: readonly LocalStates[],
): ChannelTable[] {
  const alike = new Map<string, ChannelTable>()
  return routes.map((route) => {
    const ends = [route.from, route.to].map((node) => localStates.indexOf(localStates[node]))
    const key = `${ends} ${route.out} ${route.in}`
    const channel = new ChannelTable(route, options, alike.get(key))
    if (!alike.has(key)) alike.set(key, channel)
    return channel
  })
}
