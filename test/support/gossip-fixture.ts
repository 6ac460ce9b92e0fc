import { aggregations } from '../../src/algorithms/index.ts'
import type { TraceEvent } from '../../src/core/index.ts'
import { flagged, prepare, type ScenarioInput } from '../../src/scenario/index.ts'
import {
  aggregationCycles,
  type CycleEntry,
  cycleResultOf,
  estimator,
  observe,
  type PeriodSimulation,
} from '../../src/sim/index.ts'

export const aggregationNamed = (name: unknown) => aggregations.find((it) => it.name === name)!

/** An aggregation by messages, before its first cycle. */
export function gathered(name: string, given: ScenarioInput = {}) {
  const preparation = prepare(given, aggregationNamed(name), flagged)
  const course = preparation.begin({ spoilBodies: true }) as PeriodSimulation
  return { course, tolerance: preparation.tolerance }
}

/** The same after so many cycles, with nothing in flight at the end. */
export function gossiped(name: string, until: number, given: ScenarioInput = {}) {
  const { course, tolerance } = gathered(name, given)
  const cycles: CycleEntry[] = [observe(course, tolerance, null)]
  for (const _ of aggregationCycles(course, { until }))
    cycles.push(observe(course, tolerance, cycles.at(-1)!))
  return { course, cycles, last: cycles[until] }
}

/** Looks at a run by messages while it goes on, at each of its events. */
export type Observer = (course: PeriodSimulation) => void

/** All that comes of a run by messages, with or without an observer. */
export function outcome(given: ScenarioInput, look: Observer | null) {
  const preparation = prepare(given, aggregationNamed(given.algorithm), String)
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
  for (const _ of aggregationCycles(course, scenario))
    cycles.push(observe(course, tolerance, cycles.at(-1)!))
  const { states, algorithm, n } = course.simulation
  return {
    events,
    result: cycleResultOf(course, topology.links, cycles),
    estimates: Array.from({ length: n }, (_, node) => estimator(course)(node)),
    states: states.all().map((state) => algorithm.layout.json(state)),
  }
}
