import type { Aggregation } from '../../../src/algorithms/index.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import {
  type AggregationRun,
  aggregationCycles,
  type CycleEntry,
  cycleResultOf,
  estimator,
  observe,
  PeriodSimulation,
} from '../../../src/sim/index.ts'
import { CycleRecorder } from '../recording/cycle-recorder.ts'
import { ColumnRecorder, MOST_STEPS } from '../recording/recorder.ts'
import type { Session, Tell } from './protocol.ts'
import { cycleFacts, factsUnder } from './world-facts.ts'

/** Simulates an aggregation, cycle by cycle. */
export function* aggregationSession(
  given: ScenarioInput,
  aggregation: Aggregation,
  tell: Tell,
): Session {
  const preparation = prepare(given, aggregation, String)
  const { scenario, topology, tolerance, begin } = preparation
  const { world, conditions } = preparation.world?.() ?? {}
  tell({
    what: 'begun',
    scenario,
    world: world && conditions ? factsUnder(world, conditions) : cycleFacts(aggregation, topology),
  })
  let course: AggregationRun
  const byMessages = new ColumnRecorder(
    () => (course as PeriodSimulation | undefined)?.simulation,
    (node) => estimator(course)(node),
  )
  course = begin(world ? { trace: (event) => byMessages.record(event) } : {})
  const scribe = course instanceof PeriodSimulation ? byMessages : new CycleRecorder(course)
  const cycles: CycleEntry[] = []
  const look = () => {
    scribe.closeStep()
    tell({ what: 'chunk', chunk: scribe.take() })
    const entry = observe(course, tolerance, cycles.at(-1) ?? null)
    cycles.push(entry)
    tell({ what: 'cycle', entry })
  }
  look()
  let over = false
  for (over of aggregationCycles(course, scenario)) {
    look()
    yield
    if (scribe.steps >= MOST_STEPS) break
  }
  tell({ what: 'ended', result: cycleResultOf(course, topology.links, cycles), cut: !over })
}
