import type { RunSnapshot } from '../../../src/scenario/fork/run-snapshot.ts'
import type { Intervention } from '../../../src/scenario/index.ts'
import { numberOf, STATUSES } from './events.ts'
import { RunFrame } from './frame.ts'
import type { RunLog } from './run-log.ts'

const CRASH = numberOf('crash')
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
  const seen = { n, alive: false, asleep: false }
  const mail = { inFlight: false, partlyDelivered: false, ahead: null }
  const ofNode = 'node' in intervention
  if (!ofNode && !('message' in intervention)) return { ...seen, ...mail }
  const { at } = intervention
  // Gossip by messages is changed between cycles, but its messages at any time.
  const moment = period === null || !ofNode ? at : (at - 1) * period
  const first = unit === 'round' || unit === 'cycle' ? 1 : 0
  const reaches = (time: number) => isWhole || log.timeOf(log.steps - 1) > time
  if (!reaches(moment)) return null
  if (moment <= first) {
    // A node that is never up and one that crashes at once look the same.
    const isUp = intervention.what === 'crash' && !crashesAt(log, intervention.node, first)
    return isUp ? { ...seen, ...mail, alive: true, asleep: true } : null
  }
  const steps = stepsBefore(log, moment)
  if (ofNode) {
    const status = new RunFrame(log).seek(steps).status[intervention.node]
    return { ...seen, ...mail, alive: status !== DEAD, asleep: status === ASLEEP }
  }
  const copies = flightsOf(log, intervention.message).filter((it) => log.sentIn.at(it) < steps)
  const open = copies.filter((flight) => !hasEnded(log, flight, steps))
  const known = { ...seen, inFlight: open.length > 0, partlyDelivered: copies.length > open.length }
  if (intervention.what === 'drop' || open.length === 0) return { ...known, ahead: null }
  // A ring of two has two links between the same nodes, which the recording does not tell apart.
  if (n === 2 || !reaches(intervention.to)) return null
  return { ...known, ahead: aheadOf(log, copies[0], log.stepsUntil(intervention.to)) }
}

/** Whether a node crashes at a moment or before it. */
function crashesAt(log: RunLog, node: number, moment: number): boolean {
  const steps = log.stepsUntil(moment)
  for (let event = 0; event < (steps === 0 ? 0 : log.end(steps - 1)); event++)
    if (log.kind.at(event) === CRASH && log.node.at(event) === node) return true
  return false
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
