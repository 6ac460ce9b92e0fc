import { numberOf } from '../../recording/events.ts'
import type { RunLog } from '../../recording/run-log.ts'
import type { RecentEvent } from './recent-events.ts'

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
export function flightAt(log: RunLog, flight: number, time: number): FlightPicture {
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
