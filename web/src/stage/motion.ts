import { numberOf } from '../recording/events.ts'
import type { RunLog } from '../recording/run-log.ts'

const RECEIVE = numberOf('receive')
const SEND = numberOf('send')

/** At most this many steps are looked through for one picture. */
const MOST_STEPS = 400
/** How long an event may be seen after it has happened, in units of simulated time. */
export const LONGEST_SEEN = 1

/** An event of the recent past, and how long ago it was. */
export interface RecentEvent {
  readonly event: number
  readonly step: number
  readonly age: number
}

/** The kinds of events that are seen even among many small nodes. */
export const FATEFUL: ReadonlySet<number> = new Set(
  (['lose', 'vanish', 'lead', 'crash'] as const).map(numberOf),
)

/** The events of the last unit of time before a moment, the latest step first. */
export function recentEvents(
  log: RunLog,
  step: number,
  time: number,
  kinds: ReadonlySet<number> | null = null,
): RecentEvent[] {
  const found: RecentEvent[] = []
  const last = Math.max(0, step - MOST_STEPS)
  for (let past = step - 1; past >= last; past--) {
    const age = time - log.timeOf(past)
    if (age > LONGEST_SEEN) break
    for (let event = log.first.at(past); event < log.end(past); event++)
      if (kinds === null || kinds.has(log.kind.at(event)))
        found.push({ event, step: past, age: Math.max(0, age) })
  }
  return found
}

/** What a node does with a message: it keeps it, sends the same on, or answers in another way. */
export function receiptOf(log: RunLog, step: number): 'swallowed' | 'passed on' | 'answered' {
  const first = log.first.at(step)
  let answered = false
  for (let event = first + 1; event < log.end(step); event++) {
    if (log.kind.at(event) !== SEND) continue
    if (log.type.at(event) === log.type.at(first) && log.body.at(event) === log.body.at(first))
      return 'passed on'
    answered = true
  }
  return answered || log.kind.at(first) !== RECEIVE ? 'answered' : 'swallowed'
}

const LEAD = numberOf('lead')
const CRASH = numberOf('crash')
const ESTIMATE = numberOf('estimate')
/** How long a node is seen to act, to be elected and to crash, in units of simulated time. */
const ACTS = 0.35
const IS_CROWNED = 0.9
const CRASHES = 0.6

/** What a node has just done, as how much of each motion is left: from 1 at its start to 0. */
export interface NodeMotion {
  readonly acts: number
  readonly crowned: number
  readonly crashes: number
}

const REST: NodeMotion = { acts: 0, crowned: 0, crashes: 0 }

/** The nodes in motion at a time, by position. */
export function nodeMotions(
  log: RunLog,
  recent: readonly RecentEvent[],
  time: number,
): Map<number, NodeMotion> {
  const moving = new Map<number, NodeMotion>()
  for (const { event, step } of recent) {
    const kind = log.kind.at(event)
    if (kind === ESTIMATE) continue
    const age = time - log.at.at(event)
    const left = (seen: number) => (age < 0 || age >= seen ? 0 : 1 - age / seen)
    const now = {
      acts: event === log.first.at(step) && kind !== CRASH ? left(ACTS) : 0,
      crowned: kind === LEAD ? left(IS_CROWNED) : 0,
      crashes: kind === CRASH ? left(CRASHES) : 0,
    }
    if (now.acts + now.crowned + now.crashes === 0) continue
    const node = log.node.at(event)
    const before = moving.get(node) ?? REST
    moving.set(node, {
      acts: Math.max(before.acts, now.acts),
      crowned: Math.max(before.crowned, now.crowned),
      crashes: Math.max(before.crashes, now.crashes),
    })
  }
  return moving
}

/** How far a node that crashes is moved sideways, as a share of its radius. */
export function shake(left: number): number {
  return 0.22 * left * Math.sin(left * 28)
}

const LOSE = numberOf('lose')
const VANISH = numberOf('vanish')

/** A message that is lost, half-way; one that reaches a crashed node, at the node. */
const LOST_AT = 0.5
/** How long a message that is lost at its sending flies until it is half-way. */
const HALF_WAY = 0.5
/** How long the cross is seen at which a message has ended. */
const CROSS_SEEN = 0.7

/** A message on its way, from 0 at the rim of its sender to 1 at the rim of its receiver. */
export interface FlightPicture {
  readonly share: number
  /** Where the cross stands at which it ends; null where it arrives, or is not lost yet. */
  readonly cross: number | null
}

/**
 * A message at a time. Nothing that is not received reaches its receiver: what is lost ends
 * half-way, what a crashed node does not receive ends at the node, with a cross.
 */
export function flightPicture(log: RunLog, flight: number, time: number): FlightPicture {
  const [begun, ends] = [log.departure(flight), log.arrival(flight)]
  switch (log.fateOf(flight)) {
    case 'lose': {
      const atSending = ends <= begun
      const part = progress(begun, atSending ? begun + HALF_WAY : ends, time)
      return { share: LOST_AT * part, cross: atSending || time >= ends ? LOST_AT : null }
    }
    case 'vanish':
      return { share: progress(begun, ends, time), cross: time >= ends ? 1 : null }
    case 'receive':
      return { share: progress(begun, ends, time), cross: null }
    default:
      // Nobody knows yet when it arrives, if ever: it stays on its way.
      return { share: LOST_AT * progress(begun, begun + 1, time), cross: null }
  }
}

function progress(begun: number, ends: number, time: number): number {
  return ends > begun ? Math.min(1, Math.max(0, (time - begun) / (ends - begun))) : 1
}

/** Messages that have been lost, or have reached a crashed node, a short time ago. */
export function lostFlights(log: RunLog, recent: readonly RecentEvent[]): number[] {
  const flights: number[] = []
  for (const { event, age } of recent) {
    const kind = log.kind.at(event)
    const flight = log.flight.at(event)
    if (flight < 0 || (kind !== LOSE && kind !== VANISH)) continue
    const atSending = kind === LOSE && log.departure(flight) === log.at.at(event)
    if (atSending || age <= CROSS_SEEN) flights.push(flight)
  }
  return flights
}
