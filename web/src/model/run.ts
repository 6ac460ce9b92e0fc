import { signal } from '@preact/signals'
import type { Snapshot } from '../../../src/check/index.ts'
import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import type {
  AggregationScenario,
  Intervention,
  Scenario,
  ScenarioInput,
} from '../../../src/scenario/index.ts'
import type { CycleEntry, CycleResult, RunResult } from '../../../src/sim/index.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import type { OwnCode } from '../engine/own-code.ts'
import type { EngineAnswer, Request } from '../engine/protocol.ts'
import { logOfEvents } from '../recording/event-log.ts'
import { RunFrame } from '../recording/frame.ts'
import { type RunFacts, RunLog } from '../recording/run-log.ts'
import { askEngine, startEngine } from './engine.ts'

/** The origin of a branch: the run that it changes, and the moment of the change. */
export interface Origin {
  readonly run: Run
  readonly at: number
  /** The change in words: "crash of position 3". */
  readonly change: string
}

/** An own definition: its source and the compiled code. */
export interface Code extends OwnCode {
  readonly source: string
  /** For each line of the compiled code the line of the source, both from 0. */
  readonly lines: readonly number[]
}

/** The events of a run that is only shown, not simulated. */
export interface Recording {
  readonly world: RunFacts
  readonly events: readonly TraceEvent[]
  /** The states of all nodes at some points of the run, where they are known. */
  readonly snapshots?: readonly Snapshot[]
  /** The property that the last step violates, if any. */
  readonly broken?: { readonly property: string; readonly detail: string }
}

export interface Refusal {
  readonly message: string
  /** The field of the scenario that caused it, if there is one. */
  readonly field: string | null
  /** The line of own code that caused it, from 1, if there is one. */
  readonly line?: number
}

let serials = 0

/** A scenario that a worker simulates, with the events so far. */
export class Run {
  /** The key of views that belong to one run. */
  readonly serial = serials++
  readonly log = signal<RunLog | null>(null)
  /** The number of steps recorded so far. Views read it in order to be drawn again. */
  readonly known = signal(0)
  /** The scenario with every default written out. */
  readonly whole = signal<Scenario | AggregationScenario | null>(null)
  /** The entry of an own definition; null for algorithms of the catalogue. */
  readonly own = signal<AlgorithmEntry | null>(null)
  readonly result = signal<RunResult | CycleResult | null>(null)
  /** The estimates of an aggregation after each cycle. */
  readonly cycles = signal<readonly CycleEntry[]>([])
  /** Whether the run was stopped at the limit of steps. */
  readonly cut = signal(false)
  readonly refusal = signal<Refusal | null>(null)
  private frameShown: RunFrame | null = null
  /** Follows the recording to its end, which makes the keyframes for all other frames. */
  private keyframeMaker: RunFrame | null = null
  /** Ends the worker of a run that is no longer shown. */
  readonly end: () => void

  constructor(
    readonly scenario: ScenarioInput,
    readonly code: Code | null = null,
    readonly origin: Origin | null = null,
    /** A change at one moment; `whole` is the scenario after the change. */
    private readonly intervention: Intervention | null = null,
    /** Events that are only shown, such as a counterexample; the scenario is then empty. */
    readonly recording: Recording | null = null,
  ) {
    if (recording === null) {
      this.end = startEngine(this.request('run'), (answer) => this.take(answer))
      return
    }
    const { world, events, snapshots, broken } = recording
    const log = logOfEvents(world, events, snapshots)
    if (broken) log.violations.push({ step: log.steps, ...broken })
    this.frameShown = new RunFrame(log)
    this.log.value = log
    this.known.value = log.steps
    this.end = () => {}
  }

  static recorded(recording: Recording, code: Code | null = null): Run {
    return new Run({}, code, null, null, recording)
  }

  /** The event log, as `conclave run --trace` writes it. */
  async trace(): Promise<string> {
    if (this.recording !== null)
      return this.recording.events.map((event) => `${JSON.stringify(event)}\n`).join('')
    for await (const answer of askEngine(this.request('trace')))
      if (answer.what === 'trace') return answer.text
    throw new Error('there is no event log')
  }

  private request(want: Request['want']): Request {
    const { scenario, code, intervention } = this
    return { scenario, code, intervention, want }
  }

  /** The run after `step` steps; null before it begins. The frame moves: do not keep it. */
  frame(step: number): RunFrame | null {
    return this.frameShown?.seek(step) ?? null
  }

  private take(answer: EngineAnswer): void {
    switch (answer.what) {
      case 'begun': {
        const log = new RunLog(answer.world)
        this.frameShown = new RunFrame(log)
        this.keyframeMaker = new RunFrame(log)
        this.whole.value = answer.scenario
        this.log.value = log
        break
      }
      case 'own':
        this.own.value = answer.entry
        break
      case 'chunk':
        this.log.value?.append(answer.chunk)
        this.keyframeMaker?.seek(Number.POSITIVE_INFINITY)
        this.known.value = this.log.value?.steps ?? 0
        break
      case 'cycle':
        this.cycles.value = [...this.cycles.value, answer.entry]
        break
      case 'ended':
        this.cut.value = answer.cut
        this.result.value = answer.result
        break
      case 'failed':
        this.refusal.value = {
          message: answer.message,
          field: 'code',
          ...(answer.line !== null && { line: (this.code?.lines[answer.line] ?? 0) + 1 }),
        }
        break
      case 'refused':
        this.refusal.value = answer
    }
  }
}
