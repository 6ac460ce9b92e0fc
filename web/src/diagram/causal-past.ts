import { numberOf } from '../recording/events.ts'
import type { RunLog } from '../recording/run-log.ts'

const RECEIVE = numberOf('receive')

/** For each log the step before at the same node, as far as it is known; -1 for none. */
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
 * The steps without which a step could not have been as it was: those before it at the same node,
 * those that sent what arrived, and theirs (Lamport's happened-before). It is one of them.
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
