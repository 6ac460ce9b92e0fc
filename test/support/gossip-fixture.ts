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
  const preparation = prepare({ timing: 'async', ...given }, aggregationNamed(name), flagged)
  const run = preparation.begin({ spoilBodies: true }) as PeriodSimulation
  return { run, tolerance: preparation.tolerance }
}

/** The same after `until` cycles, with no message in flight at the end. */
export function gossiped(name: string, until: number, given: ScenarioInput = {}) {
  const { run, tolerance } = gathered(name, given)
  const cycles: CycleEntry[] = [observe(run, tolerance, null)]
  for (const _ of aggregationCycles(run, { until }))
    cycles.push(observe(run, tolerance, cycles.at(-1)!))
  return { run, cycles, last: cycles.at(-1)! }
}

/** Looks at a run by messages while it goes on, at each of its events. */
export type Observer = (run: PeriodSimulation) => void

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
  const run = preparation.begin({ trace }) as PeriodSimulation
  begun = run
  const cycles: CycleEntry[] = [observe(run, tolerance, null)]
  for (const _ of aggregationCycles(run, scenario))
    cycles.push(observe(run, tolerance, cycles.at(-1)!))
  const { states, algorithm, n } = run.simulation
  return {
    events,
    result: cycleResultOf(run, topology.links, cycles),
    estimates: Array.from({ length: n }, (_, node) => estimator(run)(node)),
    states: states.all().map((state) => algorithm.layout.json(state)),
  }
}
