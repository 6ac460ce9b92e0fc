import { type Link, left } from '../../core/language/net.ts'
import { linksOf } from '../../core/language/topology.ts'
import { idOf, namingIn, realIds } from '../../core/language/world.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import { type SplitNetwork, separates } from '../model/faults/partitions.ts'
import { notifiedLinks } from '../model/routing.ts'
import type {
  FaultTransition,
  HandlerAction,
  HandlerTransition,
  LinkNotice,
} from '../model/transition.ts'
import type { TransitionCache } from '../model/transition-cache.ts'

/** Converts transitions to trace events and numbers the messages in flight. */
export class TraceWriter {
  private messages = 0
  private readonly inFlight: { readonly number: number; readonly message: number }[][]
  private readonly cut = new Set<number>()
  private readonly partitions: SplitNetwork[] = []
  private readonly ids: Float64Array

  constructor(private readonly cache: TransitionCache) {
    this.inFlight = cache.channels.map(() => [])
    this.ids = realIds(cache.world).slice()
  }

  /** The messages that are in flight before any step; no handler has sent them. */
  recordInitial(): TraceEvent[] {
    return this.cache.initialMessages.flatMap((message) => this.send(0, message))
  }

  /** A node by its position and its current id. */
  name(node: number): string {
    const named = this.cache.world.algorithm.needs.ids !== undefined
    return named ? `Position ${node} (id ${this.ids[node]})` : `Position ${node}`
  }

  /** The event at the node, then its actions in order. */
  record(at: number, transition: HandlerTransition): TraceEvent[] {
    return this.recordOf(at, transition, transition.actions)
  }

  recordFault(at: number, fault: Exclude<FaultTransition, { event: 'unheard' }>): TraceEvent[] {
    switch (fault.event) {
      case 'crash':
        return this.crash(at, fault.node, fault.during)
      case 'cut':
        return [this.cutLink(at, fault)]
      case 'part':
      case 'heal':
        return this.partition(at, fault)
      case 'pause':
      case 'resume':
        return [{ at, node: fault.node, event: fault.event }]
      default:
        return [this.messageFault(at, fault)]
    }
  }

  private recordOf(
    at: number,
    transition: HandlerTransition,
    actions: readonly HandlerAction[],
  ): TraceEvent[] {
    const { draws, partner } = transition
    const cause = this.cause(at, transition)
    return [
      draws.length > 0 ? { ...cause, draws } : cause,
      ...this.actionsOf(at, transition, actions),
      ...(partner === undefined
        ? []
        : [this.cause(at, partner), ...this.actionsOf(at, partner, partner.actions)]),
    ]
  }

  private actionsOf(
    at: number,
    { node, sent }: HandlerTransition,
    actions: readonly HandlerAction[],
  ): TraceEvent[] {
    const record: TraceEvent[] = []
    let sends = 0
    for (const action of actions)
      if (action.action === 'send') record.push(...this.send(at, sent[sends++]))
      else if (action.action === 'follow') {
        const { world } = this.cache
        const leader = action.leader === null ? null : idOf(world, action.leader)
        record.push({ at, node, event: 'follow', leader })
      } else {
        const { action: event, ...rest } = action
        record.push({ at, node, event, ...rest })
      }
    return record
  }

  /** The actions of the node up to its last send, then the crash. */
  private crash(at: number, node: number, during: CrashDuring | null): TraceEvent[] {
    const crash: TraceEvent = { at, node, event: 'crash' }
    if (during === null) return [crash]
    const { transition, sends } = during
    let sent = 0
    const done = transition.actions.filter((action) => {
      const before = sent < sends
      if (action.action === 'send') sent++
      return before
    })
    return [...this.recordOf(at, transition, done), crash]
  }

  private cutLink(at: number, { node, link, oneWay }: LinkCut): TraceEvent {
    const { topology } = this.cache.world
    const to = topology.neighbor(node, link)
    this.cut.add(topology.channel(node, link))
    if (oneWay) return { at, node, event: 'cut', to, oneWay }
    this.cut.add(topology.channel(to, topology.back(node, link)))
    return { at, node, event: 'cut', to }
  }

  /** An event for each link between the two sides. */
  private partition(at: number, { event, partition }: PartitionChange): TraceEvent[] {
    const { topology } = this.cache.world
    if (event === 'part') this.partitions.push(partition)
    else this.partitions.splice(this.partitions.indexOf(partition), 1)
    const { side, oneWay } = partition
    return side.flatMap((node) =>
      linksOf(topology, node)
        .map((link) => topology.neighbor(node, link))
        .filter((to) => !side.includes(to))
        .map((to): TraceEvent => {
          const now = event === 'part' ? 'cut' : 'mend'
          return { at, node, event: now, to, ...(oneWay && { oneWay }) }
        }),
    )
  }

  private messageFault(at: number, fault: MessageFault): TraceEvent {
    const { event, channel, message } = fault
    const { from, out, to, in: link } = this.cache.channels[channel].route
    if (event === 'vanish') {
      const number = this.take(channel, message)
      return { at, node: to, event, from, ...this.contents(number, link, message) }
    }
    const inFlight = this.inFlight[channel]
    const index = this.indexIn(channel, message, fault.before)
    const original = inFlight[index]
    // The duplicate has the number of the original.
    inFlight.splice(index, 1, ...(event === 'double' ? [original, original] : []))
    return { at, node: from, event, to, ...this.contents(original.number, out, message) }
  }

  private cause(at: number, transition: HandlerTransition): TraceEvent {
    const { algorithm } = this.cache.world
    const { node, trigger, before } = transition
    switch (trigger.event) {
      case 'wake':
        return { at, node, event: 'wake' }
      case 'timeout': {
        const { name: timer } = algorithm.timers[trigger.timer]
        const { timers } = this.cache.localStates[node].list[before]
        const left = timers.find((other) => other.timer === trigger.timer)?.remaining ?? 0
        return { at, node, event: 'timeout', timer, ...(left !== 0 && { late: -left }) }
      }
      case 'expire':
        return { at, node, event: 'expire' }
      case 'meet': {
        const { from, to } = this.cache.channels[trigger.channel].route
        return trigger.initiator
          ? { at, node, event: 'meet', to }
          : { at, node, event: 'respond', from }
      }
      case 'recover': {
        this.ids[node] = idOf(this.cache.world, trigger.id)
        const { amnesia } = trigger
        return { at, node, event: 'recover', id: this.ids[node], ...(amnesia && { amnesia }) }
      }
      case 'receive':
        return this.receive(at, node, trigger, before)
      default:
        return this.notice(at, transition, trigger)
    }
  }

  /** On a closing ring the link may lead to another node by now; then it counts as the left one. */
  private notice(
    at: number,
    { node, before, after }: HandlerTransition,
    notice: LinkNotice,
  ): TraceEvent {
    const { routing, world, localStates } = this.cache
    const { list } = localStates[node]
    const links = linksOf(world.topology, node)
    const [link = left] = notifiedLinks(routing, links, notice, list[before], list[after])
    const peer = routing.detectorGraph.neighbor(node, notice.link)
    return { at, node, event: notice.event, link, peer }
  }

  private receive(
    at: number,
    node: number,
    { channel, message }: Sent,
    before: number,
  ): TraceEvent {
    const { from, in: link } = this.cache.channels[channel].route
    const number = this.take(channel, message)
    const { state } = this.cache.localStates[node].list[before]
    return {
      at,
      node,
      event: 'receive',
      from,
      ...this.contents(number, link, message),
      ...(state.status === 'asleep' && { woken: true }),
      ...(state.stopped && { ignored: true }),
    }
  }

  private send(at: number, { channel, message }: Sent): TraceEvent[] {
    const { from: node, out: link, to } = this.cache.channels[channel].route
    const number = this.messages++
    const contents = { to, ...this.contents(number, link, message) }
    const sent: TraceEvent = { at, node, event: 'send', ...contents }
    if (this.cut.has(channel) || this.partitions.some((it) => separates(it, node, to)))
      return [sent, { at, node, event: 'lose', ...contents }]
    this.inFlight[channel].push({ number, message })
    return [sent]
  }

  /** Equal messages are delivered in order of sending, which no node can distinguish. */
  private take(channel: number, message: number): number {
    const index = this.indexIn(channel, message, 0)
    if (this.cache.lossy) return this.inFlight[channel][index].number
    const [{ number }] = this.inFlight[channel].splice(index, 1)
    return number
  }

  private indexIn(channel: number, message: number, before: number): number {
    const inFlight = this.inFlight[channel]
    return [...inFlight.keys()].filter((i) => inFlight[i].message === message)[before]
  }

  private contents(number: number, link: Link, message: number) {
    const { messages, world } = this.cache
    const { name, codec } = messages.kind(message)
    const body = codec.json(messages.body(message), namingIn(world))
    return { message: number, type: name, link, body }
  }
}

type Sent = HandlerTransition['sent'][number]
type CrashDuring = NonNullable<Extract<FaultTransition, { event: 'crash' }>['during']>
type LinkCut = Extract<FaultTransition, { event: 'cut' }>
type PartitionChange = Extract<FaultTransition, { event: 'part' | 'heal' }>
type MessageFault = Extract<FaultTransition, { event: 'lose' | 'double' | 'vanish' }>
