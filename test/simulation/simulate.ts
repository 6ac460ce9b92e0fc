import { Cluster, type OpensNode } from './cluster.ts'
import { FaultInjector } from './faults.ts'
import type { SafetyViolation } from './oracle.ts'
import { type RunSettings, settingsOf } from './settings.ts'
import { happens, worldOf } from './world/world.ts'

/** What a seed gave. */
export interface SimulationResult {
  readonly seed: number
  /** Null if all went well; else one line. */
  readonly problem: string | null
  /** Whether the problem is one of safety. */
  readonly unsafe: boolean
  /** The same for the same seed, to the byte. */
  readonly hash: string
  readonly settings: RunSettings
  readonly terms: number
  readonly events: number
  /** The time from the moment when everything was mended until somebody led. */
  readonly recovery: number
  readonly lines: readonly string[]
}

/** Nobody has reason to write more often within 100 ms, not even when all connect at once. */
const STORM = 600

export interface SimulationOptions {
  readonly opens: OpensNode
  /** Whether to keep the lines of the trace. */
  readonly records?: boolean
}

/** Runs the coordinators of one seed in a virtual world. */
export async function simulate(
  seed: number,
  { opens, records = false }: SimulationOptions,
): Promise<SimulationResult> {
  const world = worldOf(seed, records)
  const settings = settingsOf(world.random.split('settings'))
  const cluster = new Cluster(world, settings, opens)
  const { oracle } = cluster
  for (const machine of cluster.used) cluster.start(machine, true)
  const faults = new FaultInjector(cluster)
  oracle.elected = () => faults.elected()
  faults.start()
  const random = world.random.split('probes')
  const probe = () => {
    if (happens(random, 0.5)) oracle.probe(cluster.machines)
    world.schedule(world.time + random.unit() * settings.lease, probe)
  }
  world.schedule(0, probe)
  const stops = () => {
    cluster.look()
    const violation = violationIn(cluster)
    if (violation !== null) throw violation
  }
  let problem: string | null = null
  let recovery = Number.NaN
  try {
    await world.runUntil(settings.begin, stops)
    if (oracle.history.length === 0) throw new Error('nobody led before the first fault')
    await world.runUntil(settings.heal, stops)
    oracle.lastLed = Number.NEGATIVE_INFINITY
    const healed = world.time
    while (oracle.lastLed < healed && world.time < settings.end)
      await world.runUntil(world.time + 10, stops)
    recovery = world.time - healed
    if (oracle.lastLed < healed && settings.recovers)
      throw new Error('nobody leads after everything was mended')
    await world.runUntil(world.time + settings.lease / 2, stops)
    const { busiest } = cluster.network
    if (busiest > STORM) throw new Error(`${busiest} writes within 100 ms: a storm`)
    if (cluster.errors.length > 0) throw new Error(cluster.errors[0])
  } catch (error) {
    problem = (error as Error).message
  }
  const { hash, lines, events } = world
  const terms = oracle.history.length
  const unsafe = violationIn(cluster) !== null
  return { seed, problem, unsafe, hash, settings, terms, events, recovery, lines }
}

function violationIn({ oracle, otherOracles }: Cluster): SafetyViolation | null {
  const all = [oracle, ...otherOracles.values()]
  return all.find(({ violation }) => violation !== null)?.violation ?? null
}
