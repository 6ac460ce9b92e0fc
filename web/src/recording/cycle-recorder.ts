import { type AggregationRun, estimator } from '../../../src/sim/index.ts'
import { ColumnWriter } from './columns.ts'
import { numberOf, STATUSES } from './events.ts'

const ESTIMATE = numberOf('estimate')
const ALIVE = STATUSES.indexOf('unknown')
const DEAD = STATUSES.indexOf('dead')

/**
 * Records an aggregation in cycles: after each cycle a step for each node whose estimate has
 * changed, or that has crashed or recovered.
 */
export class CycleRecorder {
  steps = 0
  private readonly writer = new ColumnWriter()
  private readonly estimates: Float64Array
  private readonly statuses: Uint8Array

  constructor(private readonly gossip: AggregationRun) {
    this.estimates = new Float64Array(gossip.n).fill(Number.POSITIVE_INFINITY)
    this.statuses = new Uint8Array(gossip.n)
  }

  /** Records the changes of the last cycle. */
  closeStep(): void {
    const { gossip, writer, estimates, statuses } = this
    const { population, values, cycle: at, bits } = gossip
    const estimateOf = estimator(gossip)
    for (let node = 0; node < gossip.n; node++) {
      const estimate = estimateOf(node)
      const status = population.isAlive(node) ? ALIVE : DEAD
      if (Object.is(estimate, estimates[node]) && status === statuses[node]) continue
      estimates[node] = estimate
      statuses[node] = status
      writer.beginStep()
      writer.addEvent({ at, kind: ESTIMATE, node })
      const state = { value: values[node], estimate: Number.isFinite(estimate) ? estimate : null }
      writer.endStep({ status, state: JSON.stringify(state), estimate, bits })
      this.steps++
    }
  }

  take() {
    return this.writer.take()
  }
}
