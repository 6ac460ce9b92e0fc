import type { TraceEvent } from '../../core/index.ts'
import { PeriodSimulation, type Simulation, simulationOf } from '../../sim/index.ts'
import type { AggregationPreparation } from '../gossip/prepare-gossip.ts'
import type { MessageWorld } from '../run.ts'
import type { Intervention } from './intervention.ts'

/** The state of a run just before an intervention, as far as the intervention depends on it. */
export interface RunSnapshot {
  readonly n: number
  /** Of the node that it concerns. */
  readonly alive: boolean
  readonly asleep: boolean
  /** Of the message that it concerns. */
  readonly inFlight: boolean
  /** Whether the network has duplicated it, and one copy has been delivered or lost. */
  readonly partlyDelivered: boolean
  /** If it is to arrive: a message that is still ahead of it on the same link then, or null. */
  readonly ahead: number | null
}

const NOTHING_SEEN = {
  alive: false,
  asleep: false,
  inFlight: false,
  partlyDelivered: false,
  ahead: null,
}

/** Follows a trace and keeps the messages in flight, by number. */
class InFlight {
  readonly partlyDelivered = new Set<number>()
  readonly messages = new Map<number, { node: number; link: number; copies: number }>()

  see(event: TraceEvent): void {
    if (!('message' in event)) return
    const { event: what, message, node, link } = event
    const known = this.messages.get(message)
    if (what === 'send') this.messages.set(message, { node, link, copies: 1 })
    else if (what === 'double') known!.copies++
    else if (--known!.copies === 0) this.messages.delete(message)
    else this.partlyDelivered.add(message)
  }
}

/** Simulates an election, or gossip by messages, up to everything before an intervention. */
export function snapshotBefore(
  { world, conditions }: MessageWorld,
  moment: number,
  intervention: Intervention,
): RunSnapshot {
  const flight = new InFlight()
  const trace = (event: TraceEvent) => flight.see(event)
  const messages = 'message' in intervention
  const simulation = simulationOf(world, conditions, [], messages ? { trace } : {})
  // Nothing happens before time 0.
  if (moment > 0) simulation.finishUntil(justBefore(moment))
  const { n } = simulation
  if (!messages)
    return { n, ...NOTHING_SEEN, ...('node' in intervention && nodeIn(simulation, intervention)) }
  const { message } = intervention
  const known = flight.messages.get(message)
  const partlyDelivered = flight.partlyDelivered.has(message)
  const seen = { n, ...NOTHING_SEEN, inFlight: known !== undefined, partlyDelivered }
  if (
    known === undefined ||
    intervention.what !== 'arrive' ||
    !(intervention.to >= intervention.at)
  )
    return seen
  simulation.finishUntil(intervention.to - (conditions.synchronous ? 1 : 0))
  const first = [...flight.messages].find(
    ([number, { node, link }]) => number < message && node === known.node && link === known.link,
  )
  return { ...seen, ahead: first === undefined ? null : first[0] }
}

/** The same for an aggregation between two cycles, where single messages are not distinguished. */
export function snapshotBeforeCycle(
  { begin }: Pick<AggregationPreparation, 'begin'>,
  intervention: Intervention,
): RunSnapshot {
  const run = begin()
  while (run.cycle < intervention.at - 1) run.run()
  const { n, population } = run
  const seen = { n, ...NOTHING_SEEN }
  if (!('node' in intervention)) return seen
  if (run instanceof PeriodSimulation) return { ...seen, ...nodeIn(run.simulation, intervention) }
  return { ...seen, alive: intervention.node < n && population.isAlive(intervention.node) }
}

function nodeIn({ monitor, states, n }: Simulation, { node }: { readonly node: number }) {
  const alive = node >= 0 && node < n && monitor.alive(node)
  return { alive, asleep: alive && states.of(node).status === 'asleep' }
}

/** The largest number below another. */
function justBefore(moment: number): number {
  return moment * (1 - Number.EPSILON / 2)
}
