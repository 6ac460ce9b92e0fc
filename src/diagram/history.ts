import { left } from '../core/language/net.ts'
import type { TraceEvent } from '../core/trace/trace-event.ts'

/** A message as a diagram draws it. `arrived` is null while it is under way. */
export interface MessageArrow {
  readonly from: number
  readonly to: number
  readonly type: string
  readonly body: Readonly<Record<string, unknown>>
  readonly sent: number
  /** Whether it crosses the seam of the ring, between the last position and position 0. */
  readonly wraps: 'down' | 'up' | null
  arrived: number | null
  /** When the network lost it, if it did. */
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

interface Lane {
  readonly lives: LifeSpan<NodeLife>[]
  readonly reigns: LifeSpan<'leader'>[]
}

const MARKS = 'wake timeout lead follow stop crash recover retire down up cut mend'.split(' ')
/** Where nodes move about, links come and go all the time: more than these are a blot. */
const MOST_OF_LINKS = 40

type Marked =
  | ('wake' | 'timeout' | 'lead' | 'follow' | 'stop')
  | ('crash' | 'recover' | 'retire' | 'down' | 'up' | 'cut' | 'mend')

export interface EventMark {
  readonly kind: Marked | 'draw'
  readonly node: number
  readonly at: number
  /** The timer, where it is a timeout; what the coins showed, where it is a draw. */
  readonly text?: string
  /** Who is gone or back, or at the other end of the link. */
  readonly peer?: number
}

/** A run, or its beginning, as lines, arrows and marks. */
export interface History {
  readonly lanes: readonly Lane[]
  readonly flights: readonly MessageArrow[]
  readonly marks: readonly EventMark[]
  /** Every moment at which something drawn happens, in order. */
  readonly moments: readonly number[]
  /** How many messages the whole record holds. */
  readonly messages: number
  /** Whether messages were left out because there were too many. */
  readonly cut: boolean
}

interface Limits {
  readonly lanes: number
  readonly flights: number
}

/**
 * Retells the events within the limits: higher positions are left out, and so is all that follows
 * the last message that is drawn, but for the arrivals of those that are.
 */
export function historyOf(
  events: readonly TraceEvent[],
  about: { readonly n: number; readonly ring: boolean; readonly origin: number },
  limits: Limits,
): History {
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
    if (event.event === 'send') messages++
    if (event.node >= shown || (event.event === 'send' && event.to >= shown)) continue
    if (event.event === 'send' && flights.length === limits.flights) cut = true
    const ends = isEnding(event)
    if (ends ? !underWay.get(event.message)?.length : cut) continue
    moments.add(event.at)
    live(lanes[event.node], event)
    if (event.event === 'send') {
      const flight = departure(event, about)
      flights.push(flight)
      underWay.set(event.message, [flight])
    } else if (ends) end(underWay.get(event.message)!, event)
    else if (event.event === 'double') {
      // A copy leaves when and where its original did.
      const copies = underWay.get(event.message) ?? []
      const copy = copies.slice(0, 1).map((original) => ({ ...original }))
      flights.push(...copy)
      copies.push(...copy)
    } else if (isMark(event)) marks.push(...marksOf(event, shown))
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

type Happening<K extends TraceEvent['event']> = Extract<TraceEvent, { event: K }>

function departure(send: Happening<'send'>, about: { n: number; ring: boolean }): MessageArrow {
  const { node: from, to, type, body, at: sent } = send
  const wraps = about.ring ? seam(send, about.n) : null
  const fate = { arrived: null, lost: null, vanished: false, ignored: false }
  return { from, to, type, body, sent, wraps, ...fate }
}

type Ending =
  | Happening<'receive' | 'vanish'>
  | (Happening<'lose' | 'double'> & { readonly event: 'lose' })

function isEnding(event: TraceEvent): event is Ending {
  return event.event === 'receive' || event.event === 'vanish' || event.event === 'lose'
}

/** One of the copies that are under way comes to its end. */
function end(copies: MessageArrow[], event: Ending): void {
  const flight = copies.shift()!
  if (event.event === 'lose') flight.lost = event.at
  else flight.arrived = event.at
  flight.vanished = event.event === 'vanish'
  flight.ignored = event.event === 'receive' && event.ignored === true
}

function isMark(event: TraceEvent): event is Happening<Marked> {
  return MARKS.includes(event.event)
}

/** A link has a mark at each of its ends. */
function marksOf(event: Happening<Marked>, shown: number): EventMark[] {
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

/** On a ring the link tells the direction, also where two nodes are joined by both links. */
function seam(send: { node: number; link: number }, n: number): 'down' | 'up' | null {
  if (send.link === left) return send.node === n - 1 ? 'down' : null
  return send.node === 0 ? 'up' : null
}

function sleeping(start: number): Lane {
  return { lives: [{ kind: 'asleep', from: start, to: null, first: true }], reigns: [] }
}

/** What happens around a node that sleeps does not wake it. */
const UNHEARD = 'vanish lose double down up cut mend'.split(' ')

/** Carries the line of a node on through an event of its own. */
function live({ lives, reigns }: Lane, { event, at }: TraceEvent): void {
  const life = lives.at(-1)
  const now = life?.to === null ? life.kind : 'dead'
  if (event === 'crash') close(lives, at)
  else if (event === 'recover') become('awake')
  else if (event === 'stop') become('stopped')
  else if (event === 'wake' || (now === 'asleep' && !UNHEARD.includes(event))) become('awake')
  if (event === 'lead') reigns.push({ kind: 'leader', from: at, to: null })
  if (event === 'crash' || event === 'follow' || event === 'withdraw') close(reigns, at)

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
