import { aggregations } from '../../src/algorithms/index.ts'
import type { TraceEvent } from '../../src/core/index.ts'
import { flagged, prepareAggregation, type ScenarioInput } from '../../src/scenario/index.ts'
import {
  type CycleEntry,
  cycleResultOf,
  estimator,
  isOver,
  observe,
  type PeriodSimulation,
} from '../../src/sim/index.ts'

export const aggregationNamed = (name: unknown) => aggregations.find((it) => it.name === name)!

/** An aggregation by messages, before its first cycle. */
export function gathered(name: string, given: ScenarioInput = {}) {
  const preparation = prepareAggregation(given, aggregationNamed(name), flagged)
  const course = preparation.begin({ spoilBodies: true }) as PeriodSimulation
  return { course, tolerance: preparation.tolerance }
}

/** The same after so many cycles, with nothing in flight at the end. */
export function gossiped(name: string, until: number, given: ScenarioInput = {}) {
  const { course, tolerance } = gathered(name, given)
  const cycles: CycleEntry[] = [observe(course, tolerance, null)]
  for (let cycle = 1; cycle <= until; cycle++) {
    course.run()
    if (cycle === until) course.finish()
    cycles.push(observe(course, tolerance, cycles[cycle - 1]))
  }
  return { course, cycles, last: cycles[until] }
}

/** Looks at a run by messages while it goes on, at each of its events. */
export type Observer = (course: PeriodSimulation) => void

/** All that comes of a run by messages, with or without an observer. */
export function outcome(given: ScenarioInput, look: Observer | null) {
  const preparation = prepareAggregation(given, aggregationNamed(given.algorithm), String)
  const { scenario, topology, tolerance } = preparation
  const events: TraceEvent[] = []
  let begun: PeriodSimulation | undefined
  const trace = (event: TraceEvent) => {
    events.push(event)
    if (begun !== undefined) look?.(begun)
  }
  const course = preparation.begin({ trace }) as PeriodSimulation
  begun = course
  const cycles: CycleEntry[] = [observe(course, tolerance, null)]
  for (let over = false; !over; cycles.push(observe(course, tolerance, cycles.at(-1)!))) {
    course.run()
    over = isOver(course, scenario.until, scenario['max-messages'])
    if (over) course.finish()
  }
  const { states, algorithm, n } = course.simulation
  return {
    events,
    result: cycleResultOf(course, topology.links, cycles),
    estimates: Array.from({ length: n }, (_, node) => estimator(course)(node)),
    states: states.all().map((state) => algorithm.layout.json(state)),
  }
}
