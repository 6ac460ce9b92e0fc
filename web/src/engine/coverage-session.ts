import type { Aggregation } from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import { MOST_STEPS, SLICE, startsStep } from '../recording/recorder.ts'
import type { CoverageRequest, Session, SessionReply } from './protocol.ts'
import { preparedFor } from './sessions.ts'

/** The pieces of code that run in each step. Equal sets of pieces have the same number. */
export class StepCoverage {
  private steps: number[] = []
  private sets: number[][] = []
  private readonly numbers = new Map<string, number>()
  private former: TraceEvent | null = null
  private readonly now = new Set<number>()
  private count = 0

  /** A piece of code runs. */
  readonly hit = (piece: number): void => {
    this.now.add(piece)
  }

  /** Begins the next step, as the recording of the run does. */
  readonly trace = (event: TraceEvent): void => {
    if (startsStep(event, this.former)) {
      if (this.former !== null) this.closeStep()
      // What runs before the first event belongs to no step.
      this.now.clear()
    }
    this.former = event
  }

  closeStep(): void {
    if (this.former === null) return
    this.former = null
    const pieces = [...this.now].sort((a, b) => a - b)
    const key = pieces.join()
    let number = this.numbers.get(key)
    if (number === undefined) {
      number = this.numbers.size
      this.numbers.set(key, number)
      this.sets.push(pieces)
    }
    this.steps.push(number)
    this.count++
  }

  get isFull(): boolean {
    return this.count >= MOST_STEPS
  }

  /** The steps and sets since the last time. */
  take(): { readonly steps: Int32Array; readonly sets: readonly (readonly number[])[] } {
    const taken = { steps: Int32Array.from(this.steps), sets: this.sets }
    this.steps = []
    this.sets = []
    return taken
  }
}

/** Simulates a scenario again, and replies with the code that runs in each step. */
export function* coverageSession(
  request: CoverageRequest,
  what: Algorithm | Aggregation,
  coverage: StepCoverage,
  reply: SessionReply,
): Session {
  const { trace } = coverage
  const prepared = preparedFor(request, what)
  // Cycles have no events, so that their steps have no code of their own.
  const run = prepared.messages() === null ? null : prepared.run({ trace })
  for (let ended = run === null; !ended; ) {
    ended = run!.step(SLICE)
    coverage.closeStep()
    reply({ what: 'coverage', ...coverage.take() })
    if (coverage.isFull) break
    yield
  }
  reply({ what: 'covered' })
}
