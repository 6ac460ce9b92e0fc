import type { RunSnapshot } from '../../../src/scenario/fork/run-snapshot.ts'
import type { Intervention } from '../../../src/scenario/index.ts'
import { STATUSES } from './events.ts'
import { RunFrame } from './frame.ts'
import type { RunLog } from './run-log.ts'

const ASLEEP = STATUSES.indexOf('asleep')
const DEAD = STATUSES.indexOf('dead')

/**
 * The state of a run just before an intervention, from its recording. Null where that is not
 * recorded: the run may go on after its last step, and what is in place before time 0 is no step.
 */
export function recordedBefore(
  log: RunLog,
  isWhole: boolean,
  intervention: Intervention,
  /** The length of a cycle of gossip by messages; null for other runs. */
  period: number | null,
): RunSnapshot | null {
  const { n, unit } = log.world
  const { at } = intervention
  // Gossip by messages is changed between cycles, but its messages at any time.
  const moment = period === null || 'message' in intervention ? at : (at - 1) * period
  const first = unit === 'round' || unit === 'cycle' ? 1 : 0
  const reaches = (time: number) => isWhole || log.timeOf(log.steps - 1) > time
  if (moment <= first || !reaches(moment)) return null
  const steps = stepsBefore(log, moment)
  const seen = { n, alive: false, asleep: false }
  if (!('message' in intervention)) {
    const mail = { inFlight: false, partlyDelivered: false, ahead: null }
    if (!('node' in intervention)) return { ...seen, ...mail }
    const status = new RunFrame(log).seek(steps).status[intervention.node]
    return { ...seen, ...mail, alive: status !== DEAD, asleep: status === ASLEEP }
  }
  const copies = flightsOf(log, intervention.message).filter((it) => log.sentIn.at(it) < steps)
  const open = copies.filter((flight) => !hasEnded(log, flight, steps))
  const mail = { inFlight: open.length > 0, partlyDelivered: copies.length > open.length }
  if (intervention.what === 'drop' || open.length === 0) return { ...seen, ...mail, ahead: null }
  // A ring of two has two links between the same nodes, which the recording does not tell apart.
  if (n === 2 || !reaches(intervention.to)) return null
  return { ...seen, ...mail, ahead: aheadOf(log, copies[0], log.stepsUntil(intervention.to)) }
}

/** The number of steps before a moment. */
function stepsBefore(log: RunLog, moment: number): number {
  let steps = log.stepsUntil(moment)
  while (steps > 0 && log.timeOf(steps - 1) >= moment) steps--
  return steps
}

function flightsOf(log: RunLog, message: number): number[] {
  const flights: number[] = []
  for (let flight = 0; flight < log.sending.length; flight++)
    if (log.message.at(log.sending.at(flight)) === message) flights.push(flight)
  return flights
}

function hasEnded(log: RunLog, flight: number, steps: number): boolean {
  const end = log.endedIn.at(flight)
  return end >= 0 && end < steps
}

/** An earlier message between the same nodes that is still in flight after these steps, or null. */
function aheadOf(log: RunLog, flight: number, steps: number): number | null {
  const event = log.sending.at(flight)
  const message = log.message.at(event)
  for (let other = 0; other < flight; other++) {
    const sending = log.sending.at(other)
    if (log.node.at(sending) !== log.node.at(event)) continue
    if (log.peer.at(sending) !== log.peer.at(event)) continue
    const number = log.message.at(sending)
    if (number < message && !hasEnded(log, other, steps)) return number
  }
  return null
}
