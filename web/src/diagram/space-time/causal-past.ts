import { numberOf } from '../../recording/events.ts'
import type { RunLog } from '../../recording/run-log.ts'

const RECEIVE = numberOf('receive')

/** For each log, the previous step of the same node by step; -1 for none. */
const known = new WeakMap<RunLog, Before>()

class Before {
  private readonly steps: number[] = []
  private readonly last: Int32Array

  constructor(private readonly log: RunLog) {
    this.last = new Int32Array(log.world.n).fill(-1)
  }

  at(step: number): number {
    while (this.steps.length <= step) {
      const next = this.steps.length
      const node = this.log.nodeOf(next)
      this.steps.push(this.last[node])
      this.last[node] = next
    }
    return this.steps[step]
  }
}

/**
 * The steps that happened before a step (Lamport), and the step itself: earlier steps of the same
 * node, steps that sent a message received, and the steps before those.
 */
export function causalPast(log: RunLog, step: number): ReadonlySet<number> {
  const before = known.get(log) ?? new Before(log)
  known.set(log, before)
  const past = new Set<number>()
  const waiting = [step]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one < 0 || past.has(one)) continue
    past.add(one)
    waiting.push(before.at(one))
    const first = log.first.at(one)
    const flight = log.kind.at(first) === RECEIVE ? log.flight.at(first) : -1
    if (flight >= 0) waiting.push(log.sentIn.at(flight))
  }
  return past
}
