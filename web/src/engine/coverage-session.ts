import { type Aggregation, isAggregation } from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import { fork, prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { aggregationCycles, simulationOf } from '../../../src/sim/index.ts'
import { MOST_STEPS, SLICE, startsStep } from '../recording/recorder.ts'
import type { CoverageRequest, Session, SessionReply } from './protocol.ts'

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
  { scenario, intervention }: CoverageRequest,
  what: Algorithm | Aggregation,
  coverage: StepCoverage,
  reply: SessionReply,
): Session {
  const { trace } = coverage
  const run = isAggregation(what)
    ? gossip(what, { ...(intervention ? fork(scenario, what, intervention) : scenario) }, trace)
    : election(what, { ...(intervention ? fork(scenario, what, intervention) : scenario) }, trace)
  for (const _ of run) {
    coverage.closeStep()
    reply({ what: 'coverage', ...coverage.take() })
    if (coverage.isFull) break
    yield
  }
  reply({ what: 'covered' })
}

type Trace = (event: TraceEvent) => void

function* election(what: Algorithm, given: ScenarioInput, trace: Trace): Session {
  const { world, conditions, properties } = prepare(given, what, String)
  const simulation = simulationOf(world, conditions, properties, { trace })
  let ended = false
  while (!ended) {
    ended = simulation.run(SLICE) !== null
    yield
  }
}

function* gossip(what: Aggregation, given: ScenarioInput, trace: Trace): Session {
  const { scenario, begin } = prepare(given, what, String)
  // Cycles have no events, so that their steps have no code of their own.
  if (scenario.timing === 'cycles') return
  const run = begin({ trace })
  for (const _ of aggregationCycles(run, scenario)) yield
  yield
}
