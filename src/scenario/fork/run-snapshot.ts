import type { TraceEvent } from '../../core/index.ts'
import {
  type Conditions,
  PeriodSimulation,
  type Simulation,
  simulationOf,
} from '../../sim/index.ts'
import type { Preparation } from '../election/prepare-election.ts'
import type { SpontaneousStart } from '../fields/wake.ts'
import type { AggregationPreparation } from '../gossip/prepare-gossip.ts'

/** The state of a run just before a point in time. */
export interface RunSnapshot {
  readonly n: number
  alive(node: number): boolean
  asleep(node: number): boolean
  /** The nodes that start spontaneously, with times as users count them. */
  readonly starts: readonly SpontaneousStart[]
  inFlight(message: number): boolean
  /** Whether the network has duplicated a message and one copy has been delivered or lost. */
  partlyDelivered(message: number): boolean
  /** A message that is still ahead of another on the same FIFO link at that time, or null. */
  ahead(message: number, then: number): number | null
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

/** Simulates an election, or gossip by messages, up to everything before a point in time. */
export function snapshotBefore(
  { world, conditions }: Pick<Preparation, 'world' | 'conditions'>,
  moment: number,
  { messages }: { readonly messages: boolean },
): RunSnapshot {
  const flight = new InFlight()
  const trace = (event: TraceEvent) => flight.see(event)
  const simulation = simulationOf(world, conditions, [], messages ? { trace } : {})
  // Nothing happens before time 0.
  if (moment > 0) simulation.finishUntil(justBefore(moment))
  const origin = conditions.synchronous ? 1 : 0
  return {
    ...nodesIn(simulation),
    starts: startsOf(conditions, (time) => time + origin),
    inFlight: (message) => flight.messages.has(message),
    partlyDelivered: (message) => flight.partlyDelivered.has(message),
    ahead(message, then) {
      const { node, link } = flight.messages.get(message)!
      simulation.finishUntil(then - origin)
      const first = [...flight.messages].find(
        ([number, other]) => number < message && other.node === node && other.link === link,
      )
      return conditions.fifo && first !== undefined ? first[0] : null
    },
  }
}

/** The same for an aggregation between two cycles, where single messages are not distinguished. */
export function snapshotBeforeCycle(
  preparation: AggregationPreparation,
  cycle: number,
): RunSnapshot {
  const run = preparation.begin()
  while (run.cycle < cycle - 1) run.run()
  const { n, population, period } = run
  const setting = preparation.world?.()
  return {
    ...(run instanceof PeriodSimulation
      ? nodesIn(run.simulation)
      : { n, alive: (node: number) => population.isAlive(node), asleep: () => false }),
    starts: setting ? startsOf(setting.conditions, (time) => time / period! + 1) : [],
    inFlight: () => false,
    partlyDelivered: () => false,
    ahead: () => null,
  }
}

function nodesIn({ monitor, states, n }: Simulation): Pick<RunSnapshot, 'n' | 'alive' | 'asleep'> {
  return {
    n,
    alive: (node) => monitor.alive(node),
    asleep: (node) => monitor.alive(node) && states.of(node).status === 'asleep',
  }
}

function startsOf({ starts }: Conditions, timeOf: (moment: number) => number): SpontaneousStart[] {
  return Array.from(starts.nodes, (node, i) => ({ node, at: timeOf(starts.times[i]) }))
}

/** The largest number below another. */
function justBefore(moment: number): number {
  return moment * (1 - Number.EPSILON / 2)
}
