import { aggregations } from '../../src/algorithms/index.ts'
import { flagged, type Given, prepareAggregation } from '../../src/scenario/index.ts'
import { type CycleEntry, observe, type PeriodSimulation } from '../../src/sim/index.ts'

/** An aggregation by messages, before its first cycle. */
export function gathered(name: string, given: Given = {}) {
  const aggregation = aggregations.find((it) => it.name === name)!
  const preparation = prepareAggregation(given, aggregation, flagged)
  const course = preparation.begin({ spoilBodies: true }) as PeriodSimulation
  return { course, tolerance: preparation.tolerance }
}

/** The same after so many cycles, with nothing in flight at the end. */
export function gossiped(name: string, until: number, given: Given = {}) {
  const { course, tolerance } = gathered(name, given)
  const cycles: CycleEntry[] = [observe(course, tolerance, null)]
  for (let cycle = 1; cycle <= until; cycle++) {
    course.run()
    if (cycle === until) course.conclude()
    cycles.push(observe(course, tolerance, cycles[cycle - 1]))
  }
  return { course, cycles, last: cycles[until] }
}
