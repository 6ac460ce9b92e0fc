import type { Link } from '../core/net.ts'
import type { TraceEvent } from '../core/trace.ts'
import type { Effect, Effects } from './effects.ts'
import { sentence } from './sentence.ts'
import type { Mode, Move } from './system.ts'

type Send = Extract<TraceEvent, { event: 'send' }>

/** One step of a counterexample. What does not belong to its event is left out. */
export interface Step {
  /** The number of the step, from 1; the round or the time where time counts. */
  readonly at: number
  readonly event: 'wake' | 'receive' | 'timeout' | 'tick'
  readonly node?: number
  readonly from?: number
  readonly type?: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly timer?: string
  /** What the node drew with `choose`. */
  readonly draws?: readonly number[]
  readonly sends: readonly Pick<Send, 'to' | 'type' | 'body'>[]
  readonly becomes?: 'leader' | 'lost'
  readonly stops?: true
  /** The step as a sentence. */
  readonly text: string
}

/** A run that goes wrong: as steps to read, and as events to draw. */
export interface Story {
  /** What `at` counts. */
  readonly unit: 'step' | 'round' | 'time'
  readonly trace: readonly Step[]
  readonly events: readonly TraceEvent[]
}

export function tell(moves: readonly Move[], mode: Mode, effects: Effects): Story {
  const unit = typeof mode === 'string' ? 'step' : mode.clocked === 1 ? 'round' : 'time'
  const clerk = new Clerk(effects)
  const trace: Step[] = []
  const events: TraceEvent[] = []
  let at = unit === 'time' ? 0 : 1
  for (const move of moves) {
    if (move.event === 'tick') {
      at += move.time
      trace.push({ at, event: 'tick', sends: [], text: passing(move.time, unit) })
      continue
    }
    const record = clerk.record(at, move)
    events.push(...record)
    trace.push(stepOf(record, move, sentence(effects.world, record, move.draws)))
    if (unit === 'step') at++
  }
  return { unit, trace, events }
}

function passing(time: number, unit: Story['unit']): string {
  const [one, many] = unit === 'round' ? ['round', 'rounds'] : ['unit of time', 'units of time']
  return time === 1 ? `One ${one} passes.` : `${time} ${many} pass.`
}

function stepOf(record: readonly TraceEvent[], { event, node, draws }: Effect, text: string): Step {
  const [cause] = record
  const outcome = record.findLast(({ event }) => event === 'lead' || event === 'follow')
  return {
    at: cause.at,
    event,
    node,
    ...(cause.event === 'receive' && { from: cause.from, type: cause.type, body: cause.body }),
    ...(cause.event === 'timeout' && { timer: cause.timer }),
    ...(draws.length > 0 && { draws }),
    sends: record
      .filter((deed) => deed.event === 'send')
      .map(({ to, type, body }) => ({ to, type, body })),
    ...(outcome && { becomes: outcome.event === 'lead' ? 'leader' : 'lost' }),
    ...(record.some((deed) => deed.event === 'stop') && { stops: true }),
    text,
  }
}

/** Writes moves down as events, and knows which message of a channel is which. */
class Clerk {
  private messages = 0
  private readonly inFlight: { readonly number: number; readonly message: number }[][]

  constructor(private readonly effects: Effects) {
    this.inFlight = effects.channels.map(() => [])
  }

  /** What happened to the node, then what it did, in its order. */
  record(at: number, effect: Effect): TraceEvent[] {
    const { node } = effect
    const record = [this.cause(at, effect)]
    for (const deed of effect.deeds)
      if (deed.deed === 'send') record.push(this.send(at, node, deed.link, deed.message))
      else if (deed.deed === 'follow')
        record.push({ at, node, event: 'follow', leader: deed.leader })
      else record.push({ at, node, event: deed.deed })
    return record
  }

  private cause(at: number, { node, occasion, before }: Effect): TraceEvent {
    if (occasion.event === 'wake') return { at, node, event: 'wake' }
    const { algorithm, topology } = this.effects.world
    if (occasion.event === 'timeout')
      return { at, node, event: 'timeout', timer: algorithm.alarms[occasion.alarm].name }
    const { link, message } = occasion
    const from = topology.neighbor(node, link)
    const channel = this.inFlight[topology.channel(from, topology.back(node, link))]
    // Equal messages are taken for each other in the order of sending, which no node can notice.
    const [{ number }] = channel.splice(
      channel.findIndex((flight) => flight.message === message),
      1,
    )
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

  private send(at: number, node: number, link: Link, message: number): TraceEvent {
    const { topology } = this.effects.world
    const number = this.messages++
    this.inFlight[topology.channel(node, link)].push({ number, message })
    const to = topology.neighbor(node, link)
    return { at, node, event: 'send', to, ...this.contents(number, link, message) }
  }

  private contents(number: number, link: Link, message: number) {
    const { mail } = this.effects
    const { name, packing } = mail.kind(message)
    return { message: number, type: name, link, body: packing.plain(mail.body(message)) }
  }
}
