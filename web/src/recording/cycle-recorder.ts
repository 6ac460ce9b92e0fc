import { type AggregationRun, estimator } from '../../../src/sim/index.ts'
import { ColumnWriter } from './column-writer.ts'
import { numberOf, STATUSES } from './events.ts'

const ESTIMATE = numberOf('estimate')
const HERE = STATUSES.indexOf('unknown')
const GONE = STATUSES.indexOf('dead')

/**
 * Writes down an aggregation whose exchanges are done at once: after each cycle a step for each
 * node whose estimate has changed, or who has come or gone.
 */
export class CycleRecorder {
  steps = 0
  private readonly ledger = new ColumnWriter()
  private readonly estimates: Float64Array
  private readonly there: Uint8Array

  constructor(private readonly course: AggregationRun) {
    this.estimates = new Float64Array(course.n).fill(Number.POSITIVE_INFINITY)
    this.there = new Uint8Array(course.n)
  }

  /** What has changed in the cycle that is over. */
  closeStep(): void {
    const { course, ledger, estimates, there } = this
    const { population, values, cycle: at, bits } = course
    const estimateOf = estimator(course)
    for (let node = 0; node < course.n; node++) {
      const estimate = estimateOf(node)
      const status = population.isAlive(node) ? HERE : GONE
      if (Object.is(estimate, estimates[node]) && status === there[node]) continue
      estimates[node] = estimate
      there[node] = status
      ledger.beginStep()
      ledger.addEvent({ at, kind: ESTIMATE, node })
      const state = { value: values[node], estimate: Number.isFinite(estimate) ? estimate : null }
      ledger.endStep({ status, state: JSON.stringify(state), estimate, bits })
      this.steps++
    }
  }

  take() {
    return this.ledger.take()
  }
}
