import type { Aggregation } from '../../../src/algorithms/index.ts'
import { type Given, prepareAggregation } from '../../../src/scenario/index.ts'
import {
  type Course,
  type CycleEntry,
  cycleResultOf,
  estimator,
  isOver,
  observe,
  PeriodSimulation,
} from '../../../src/sim/index.ts'
import { CycleScribe } from '../recording/cycle-recorder.ts'
import { MOST_STEPS, Scribe } from '../recording/recorder.ts'
import type { Session, Tell } from './protocol.ts'
import { cycleFacts, factsUnder } from './world-facts.ts'

/** Simulates an aggregation, cycle by cycle. */
export function* aggregationSession(given: Given, aggregation: Aggregation, tell: Tell): Session {
  const preparation = prepareAggregation(given, aggregation, String)
  const { scenario, topology, tolerance, begin } = preparation
  const { world, conditions } = preparation.world?.() ?? {}
  tell({
    what: 'begun',
    scenario,
    world: world && conditions ? factsUnder(world, conditions) : cycleFacts(aggregation, topology),
  })
  let course: Course
  const byMessages = new Scribe(
    () => (course as PeriodSimulation | undefined)?.simulation,
    (node) => estimator(course)(node),
  )
  course = begin(world ? { trace: (event) => byMessages.record(event) } : {})
  const scribe = course instanceof PeriodSimulation ? byMessages : new CycleScribe(course)
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
  while (!over && scribe.steps < MOST_STEPS) {
    course.run()
    over = isOver(course, scenario.until, scenario['max-messages'])
    if (over) course.conclude()
    look()
    yield
  }
  tell({ what: 'ended', result: cycleResultOf(course, topology.links, cycles), cut: !over })
}
