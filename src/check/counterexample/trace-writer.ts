import { type Link, left } from '../../core/language/net.ts'
import { linksOf } from '../../core/language/topology.ts'
import { idOf, namingIn, realIds } from '../../core/language/world.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import { notifiedLinks } from '../model/routing.ts'
import type {
  FaultTransition,
  HandlerAction,
  HandlerTransition,
  LinkNotice,
} from '../model/transition.ts'
import type { TransitionCache } from '../model/transition-cache.ts'

/** Writes moves down as events, and knows which message of a channel is which. */
export class TraceWriter {
  private messages = 0
  private readonly inFlight: { readonly number: number; readonly message: number }[][]
  private readonly cut = new Set<number>()
  private readonly ids: Float64Array

  constructor(private readonly effects: TransitionCache) {
    this.inFlight = effects.channels.map(() => [])
    this.ids = realIds(effects.world).slice()
  }

  /** A node by its position and the id that it has now. */
  name(node: number): string {
    const named = this.effects.world.algorithm.needs.ids !== undefined
    return named ? `Position ${node} (id ${this.ids[node]})` : `Position ${node}`
  }

  /** What happened to the node, then what it did, in its order. */
  record(at: number, effect: HandlerTransition): TraceEvent[] {
    return this.recordOf(at, effect, effect.deeds)
  }

  recordFault(at: number, fault: Exclude<FaultTransition, { event: 'unheard' }>): TraceEvent[] {
    switch (fault.event) {
      case 'crash':
        return this.crash(at, fault.node, fault.during)
      case 'cut':
        return [this.severance(at, fault.node, fault.link)]
      default:
        return [this.mishap(at, fault)]
    }
  }

  private recordOf(
    at: number,
    effect: HandlerTransition,
    deeds: readonly HandlerAction[],
  ): TraceEvent[] {
    const { node, sent, draws } = effect
    const cause = this.cause(at, effect)
    const record: TraceEvent[] = [draws.length > 0 ? { ...cause, draws } : cause]
    let sends = 0
    for (const deed of deeds)
      if (deed.deed === 'send') record.push(...this.send(at, sent[sends++]))
      else if (deed.deed === 'follow') {
        const { world } = this.effects
        const leader = deed.leader === null ? null : idOf(world, deed.leader)
        record.push({ at, node, event: 'follow', leader })
      } else record.push({ at, node, event: deed.deed })
    return record
  }

  /** What the node did up to its last send, then its death. */
  private crash(at: number, node: number, during: CutShort | null): TraceEvent[] {
    const death: TraceEvent = { at, node, event: 'crash' }
    if (during === null) return [death]
    const { effect, sends } = during
    let sent = 0
    const done = effect.deeds.filter((deed) => {
      const begun = sent < sends
      if (deed.deed === 'send') sent++
      return begun
    })
    return [...this.recordOf(at, effect, done), death]
  }

  private severance(at: number, node: number, link: Link): TraceEvent {
    const { topology } = this.effects.world
    const to = topology.neighbor(node, link)
    this.cut.add(topology.channel(node, link)).add(topology.channel(to, topology.back(node, link)))
    return { at, node, event: 'cut', to }
  }

  private mishap(at: number, fault: Mishap): TraceEvent {
    const { event, channel, message } = fault
    const { from, out, to, in: link } = this.effects.channels[channel].route
    if (event === 'vanish') {
      const number = this.take(channel, message)
      return { at, node: to, event, from, ...this.contents(number, link, message) }
    }
    const flights = this.inFlight[channel]
    const place = this.place(channel, message, fault.before)
    const flight = flights[place]
    // The copy has the number of the message that it is a copy of.
    flights.splice(place, 1, ...(event === 'double' ? [flight, flight] : []))
    return { at, node: from, event, to, ...this.contents(flight.number, out, message) }
  }

  private cause(at: number, effect: HandlerTransition): TraceEvent {
    const { algorithm } = this.effects.world
    const { node, occasion, before } = effect
    switch (occasion.event) {
      case 'wake':
        return { at, node, event: 'wake' }
      case 'timeout':
        return { at, node, event: 'timeout', timer: algorithm.timers[occasion.alarm].name }
      case 'recover':
        this.ids[node] = idOf(this.effects.world, occasion.id)
        return { at, node, event: 'recover', id: this.ids[node] }
      case 'receive':
        return this.receipt(at, node, occasion, before)
      default:
        return this.news(at, effect, occasion)
    }
  }

  /** On a ring that closes everybody lies to the left, though some are nearest to the right. */
  private news(
    at: number,
    { node, before, after }: HandlerTransition,
    tidings: LinkNotice,
  ): TraceEvent {
    const { roads, world, locals } = this.effects
    const { list } = locals[node]
    const links = linksOf(world.topology, node)
    const [link = left] = notifiedLinks(roads, links, tidings, list[before], list[after])
    const peer = roads.sight.neighbor(node, tidings.link)
    return { at, node, event: tidings.event, link, peer }
  }

  private receipt(
    at: number,
    node: number,
    { channel, message }: Sent,
    before: number,
  ): TraceEvent {
    const { from, in: link } = this.effects.channels[channel].route
    const number = this.take(channel, message)
    const { state } = this.effects.locals[node].list[before]
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
    const { from: node, out: link, to } = this.effects.channels[channel].route
    const number = this.messages++
    const letter = { to, ...this.contents(number, link, message) }
    const sent: TraceEvent = { at, node, event: 'send', ...letter }
    if (this.cut.has(channel)) return [sent, { at, node, event: 'lose', ...letter }]
    this.inFlight[channel].push({ number, message })
    return [sent]
  }

  /** Equal messages are taken for each other in the order of sending, which no node can notice. */
  private take(channel: number, message: number): number {
    const [{ number }] = this.inFlight[channel].splice(this.place(channel, message, 0), 1)
    return number
  }

  private place(channel: number, message: number, before: number): number {
    const flights = this.inFlight[channel]
    return [...flights.keys()].filter((i) => flights[i].message === message)[before]
  }

  private contents(number: number, link: Link, message: number) {
    const { mail, world } = this.effects
    const { name, codec } = mail.kind(message)
    const body = codec.json(mail.body(message), namingIn(world))
    return { message: number, type: name, link, body }
  }
}

type Sent = HandlerTransition['sent'][number]
type CutShort = NonNullable<Extract<FaultTransition, { event: 'crash' }>['during']>
type Mishap = Extract<FaultTransition, { event: 'lose' | 'double' | 'vanish' }>
