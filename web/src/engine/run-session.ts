import type { Aggregation } from '../../../src/algorithms/index.ts'
import { type Algorithm, UsageError } from '../../../src/core/index.ts'
import { grouped } from '../../../src/core/text-format.ts'
import { prepareElection } from '../../../src/scenario/election/prepare-election.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import {
  type AggregationRun,
  aggregationCycles,
  type CycleEntry,
  cycleResultOf,
  estimator,
  observe,
  PeriodSimulation,
  type RunEnd,
  resultOf,
  type Simulation,
  simulationOf,
} from '../../../src/sim/index.ts'
import { CycleRecorder } from '../recording/cycle-recorder.ts'
import { ColumnRecorder, FIRST_SLICE, MOST_STEPS, SLICE } from '../recording/recorder.ts'
import type { Session, SessionReply } from './protocol.ts'
import { cycleFacts, factsUnder } from './world-facts.ts'

/** More nodes than this take minutes and all of the memory of a page. */
const MOST_NODES = 100_000

/** Refuses what a page cannot show, before its network is made. */
export function refuseTooLarge({ n, topology = '' }: ScenarioInput): void {
  const [, kind, first, second] = /^([a-z-]+):(\d+)(?:x(\d+))?/.exec(String(topology)) ?? []
  const side = Number(first ?? n ?? 0)
  const nodes = kind === 'hypercube' ? 2 ** side : side * Number(second ?? 1)
  if (!(nodes > MOST_NODES)) return
  throw new UsageError(
    first === undefined ? 'n' : 'topology',
    `the page shows up to ${grouped(MOST_NODES)} nodes, not ${grouped(nodes)}.`,
    'Take fewer, or use conclave run in a terminal.',
  )
}

/** Simulates an election, slice by slice. */
export function* electionSession(
  scenario: ScenarioInput,
  algorithm: Algorithm,
  reply: SessionReply,
): Session {
  const {
    world,
    conditions,
    properties,
    scenario: whole,
  } = prepareElection(scenario, algorithm, String)
  reply({
    what: 'begun',
    scenario: whole,
    world: factsUnder(world, conditions),
  })
  let simulation: Simulation
  const recorder = new ColumnRecorder(() => simulation)
  const observers = recorder.observers(world.algorithm, world.topology.n)
  simulation = simulationOf(world, conditions, properties, observers)
  let ending: RunEnd | null = null
  let slice = FIRST_SLICE
  while (ending === null && recorder.steps < MOST_STEPS) {
    ending = simulation.run(slice)
    slice = Math.min(SLICE, 2 * slice)
    recorder.closeStep()
    reply({ what: 'chunk', chunk: recorder.take() })
    yield
  }
  reply({ what: 'ended', result: resultOf(simulation, ending ?? 'limit'), cut: ending === null })
}

/** Simulates an aggregation, cycle by cycle. */
export function* aggregationSession(
  given: ScenarioInput,
  aggregation: Aggregation,
  reply: SessionReply,
): Session {
  const preparation = prepare(given, aggregation, String)
  const { scenario, topology, tolerance, begin } = preparation
  const { world, conditions } = preparation.world?.() ?? {}
  reply({
    what: 'begun',
    scenario,
    world: world && conditions ? factsUnder(world, conditions) : cycleFacts(aggregation, topology),
  })
  let gossip: AggregationRun
  const byMessages = new ColumnRecorder(
    () => (gossip as PeriodSimulation | undefined)?.simulation,
    (node) => estimator(gossip)(node),
  )
  gossip = begin(world ? byMessages.observers(world.algorithm, topology.n) : {})
  const recorder = gossip instanceof PeriodSimulation ? byMessages : new CycleRecorder(gossip)
  const cycles: CycleEntry[] = []
  const recordCycle = () => {
    recorder.closeStep()
    reply({ what: 'chunk', chunk: recorder.take() })
    const entry = observe(gossip, tolerance, cycles.at(-1) ?? null)
    cycles.push(entry)
    reply({ what: 'cycle', entry })
  }
  recordCycle()
  // A rumor that all know at the beginning has no cycle.
  let over = true
  for (over of aggregationCycles(gossip, scenario)) {
    recordCycle()
    yield
    if (recorder.steps >= MOST_STEPS) break
  }
  reply({ what: 'ended', result: cycleResultOf(gossip, topology.links, cycles), cut: !over })
}

/** Replies with the facts of a scenario's network only. */
export function* electionWorld(
  given: ScenarioInput,
  algorithm: Algorithm,
  reply: SessionReply,
): Session {
  const { world, conditions } = prepare(given, algorithm, String)
  yield reply({ what: 'world', world: factsUnder(world, conditions) })
}

/** The same for an aggregation, by messages or in cycles. */
export function* aggregationWorld(
  given: ScenarioInput,
  aggregation: Aggregation,
  reply: SessionReply,
): Session {
  const { topology, ...preparation } = prepare(given, aggregation, String)
  const { world, conditions } = preparation.world?.() ?? {}
  yield reply({
    what: 'world',
    world: world && conditions ? factsUnder(world, conditions) : cycleFacts(aggregation, topology),
  })
}
