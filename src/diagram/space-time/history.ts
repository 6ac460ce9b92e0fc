import { left } from '../../core/language/net.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'

/** A message as a diagram draws it. `arrived` is null while it is in flight. */
export interface MessageArrow {
  readonly from: number
  readonly to: number
  readonly type: string
  readonly body: Readonly<Record<string, unknown>>
  readonly sent: number
  /** Whether it crosses the seam of the ring, between the last position and position 0. */
  readonly wraps: 'down' | 'up' | null
  arrived: number | null
  /** The time of its loss, if it is lost. */
  lost: number | null
  vanished: boolean
  ignored: boolean
}

export type NodeLife = 'asleep' | 'awake' | 'stopped'

/** A stretch of a node's line; `to` is null where it lasts until the end. */
export interface LifeSpan<K> {
  readonly kind: K
  readonly from: number
  to: number | null
  /** Set where the line begins. */
  readonly first?: true
}

export interface NodeLane {
  readonly lives: LifeSpan<NodeLife>[]
  readonly leaderships: LifeSpan<'leader'>[]
}

const MARKS = 'wake timeout lead follow stop crash recover retire down up cut mend'.split(' ')
/** Where nodes move, links change all the time: beyond this number none is marked. */
const MOST_OF_LINKS = 40

type Marked =
  | ('wake' | 'timeout' | 'lead' | 'follow' | 'stop')
  | ('crash' | 'recover' | 'retire' | 'down' | 'up' | 'cut' | 'mend')

export interface EventMark {
  readonly kind: Marked | 'draw'
  readonly node: number
  readonly at: number
  /** The timer of a timeout, or the outcomes of random choices. */
  readonly text?: string
  /** The node that is down or up, or the other end of the link. */
  readonly peer?: number
}

/** A run, or its beginning, as lines, arrows and marks. */
export interface SpaceTimeHistory {
  readonly lanes: readonly NodeLane[]
  readonly flights: readonly MessageArrow[]
  readonly marks: readonly EventMark[]
  /** Every moment at which something drawn happens, in order. */
  readonly moments: readonly number[]
  /** The number of messages in all events. */
  readonly messages: number
  /** Whether messages were left out because there were too many. */
  readonly cut: boolean
}

interface Limits {
  readonly lanes: number
  readonly flights: number
}

/**
 * The events within the limits: higher positions are left out, and so is every event after the
 * last message that is drawn, except the arrivals of drawn messages.
 */
export function historyOf(
  events: readonly TraceEvent[],
  about: { readonly n: number; readonly ring: boolean; readonly origin: number },
  limits: Limits,
): SpaceTimeHistory {
  const shown = Math.min(about.n, limits.lanes)
  const start = Math.min(about.origin, events[0]?.at ?? about.origin)
  const lanes = Array.from({ length: shown }, () => sleeping(start))
  const flights: MessageArrow[] = []
  const underWay = new Map<number, MessageArrow[]>()
  const marks: EventMark[] = []
  const moments = new Set([start])
  let messages = 0
  let cut = false
  for (const event of events) {
    const begins = event.event === 'send' || event.event === 'meet'
    if (begins) messages++
    if (event.node >= shown || (begins && event.to >= shown)) continue
    if (begins && flights.length === limits.flights) cut = true
    const ends = isEnding(event)
    if (ends ? !underWay.get(event.message)?.length : cut) continue
    moments.add(event.at)
    live(lanes[event.node], event)
    if (event.event === 'send') {
      const flight = departure(event, about)
      flights.push(flight)
      underWay.set(event.message, [flight])
    } else if (event.event === 'meet') flights.push(meeting(event))
    else if (ends) end(underWay.get(event.message)!, event)
    else if (event.event === 'double') {
      // A copy leaves when and where its original did.
      const copies = underWay.get(event.message) ?? []
      const copy = copies.slice(0, 1).map((original) => ({ ...original }))
      flights.push(...copy)
      copies.push(...copy)
    } else if (isMark(event)) marks.push(...eventMarks(event, shown))
    if (event.draws) marks.push({ kind: 'draw', ...spotOf(event), text: event.draws.join() })
  }
  const links = marks.filter(isOfLink).length
  return {
    lanes,
    flights,
    marks: links > MOST_OF_LINKS ? marks.filter((mark) => !isOfLink(mark)) : marks,
    moments: [...moments].sort((a, b) => a - b),
    messages,
    cut,
  }
}

type EventOf<K extends TraceEvent['event']> = Extract<TraceEvent, { event: K }>

function departure(send: EventOf<'send'>, about: { n: number; ring: boolean }): MessageArrow {
  const { node: from, to, type, body, at: sent } = send
  const wraps = about.ring ? seam(send, about.n) : null
  const end = { arrived: null, lost: null, vanished: false, ignored: false }
  return { from, to, type, body, sent, wraps, ...end }
}

/** A meeting takes no time: an arrow straight to the other node. */
function meeting({ node: from, to, at }: EventOf<'meet'>): MessageArrow {
  const end = { lost: null, vanished: false, ignored: false }
  return { from, to, type: 'meet', body: {}, sent: at, arrived: at, wraps: null, ...end }
}

type Ending =
  | EventOf<'receive' | 'vanish'>
  | (EventOf<'lose' | 'double'> & { readonly event: 'lose' })

function isEnding(event: TraceEvent): event is Ending {
  return event.event === 'receive' || event.event === 'vanish' || event.event === 'lose'
}

/** One of the copies in flight ends: received, lost, or sent to a crashed node. */
function end(copies: MessageArrow[], event: Ending): void {
  const flight = copies.shift()!
  if (event.event === 'lose') flight.lost = event.at
  else flight.arrived = event.at
  flight.vanished = event.event === 'vanish'
  flight.ignored = event.event === 'receive' && event.ignored === true
}

function isMark(event: TraceEvent): event is EventOf<Marked> {
  return isMarked(event.event)
}

/** Whether events of a kind have a sign on the line of their node. */
export function isMarked(kind: string): boolean {
  return MARKS.includes(kind)
}

/** A link has a mark at each of its ends. */
export function eventMarks(event: EventOf<Marked>, shown: number): EventMark[] {
  const mark = { kind: event.event, ...spotOf(event) }
  switch (event.event) {
    case 'timeout':
      return [{ ...mark, text: event.timer }]
    case 'down':
    case 'up':
      return [{ ...mark, peer: event.peer }]
    case 'cut':
    case 'mend': {
      const { node, to } = event
      const ends = [
        { ...mark, peer: to },
        { ...mark, node: to, peer: node },
      ]
      return ends.filter((it) => it.node < shown)
    }
    default:
      return [mark]
  }
}

function isOfLink({ kind }: EventMark): boolean {
  return kind === 'cut' || kind === 'mend'
}

function spotOf({ node, at }: TraceEvent): Pick<EventMark, 'node' | 'at'> {
  return { node, at }
}

/** On a ring the link gives the direction, also where both links join the same two nodes. */
function seam(send: { node: number; link: number }, n: number): 'down' | 'up' | null {
  if (send.link === left) return send.node === n - 1 ? 'down' : null
  return send.node === 0 ? 'up' : null
}

function sleeping(start: number): NodeLane {
  return { lives: [{ kind: 'asleep', from: start, to: null, first: true }], leaderships: [] }
}

/** Events that do not wake a sleeping node. */
const UNNOTICED = 'vanish lose double down up cut mend pause resume'.split(' ')

/** Continues the line of a node with an event at that node. */
function live({ lives, leaderships }: NodeLane, { event, at }: TraceEvent): void {
  const life = lives.at(-1)
  const now = life?.to === null ? life.kind : 'dead'
  if (event === 'crash') close(lives, at)
  else if (event === 'recover') become('awake')
  else if (event === 'stop') become('stopped')
  else if (event === 'wake' || (now === 'asleep' && !UNNOTICED.includes(event))) become('awake')
  if (event === 'lead') leaderships.push({ kind: 'leader', from: at, to: null })
  if (event === 'crash' || event === 'follow' || event === 'withdraw') close(leaderships, at)

  function become(kind: NodeLife) {
    if (now === kind) return
    close(lives, at)
    lives.push({ kind, from: at, to: null })
  }
}

function close(spans: LifeSpan<unknown>[], at: number): void {
  const last = spans.at(-1)
  if (last?.to === null) last.to = at
}
