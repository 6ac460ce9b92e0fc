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

/** Where a run comes from: the run that it changes, and since when. */
export interface Origin {
  readonly run: Run
  readonly at: number
  /** The change in words: "crash of position 3". */
  readonly change: string
}

/** Own definition, as it was written and as the worker runs it. */
export interface Code extends OwnCode {
  readonly source: string
  /** For each line of what was compiled the line of the source that it comes from, from 0. */
  readonly lines: readonly number[]
}

/** What has happened somewhere, event for event. */
export interface Recording {
  readonly world: RunFacts
  readonly events: readonly TraceEvent[]
  /** How all nodes are after so many events, where that is known. */
  readonly scenes?: readonly Snapshot[]
  /** What the last step breaks, if it breaks something. */
  readonly broken?: { readonly property: string; readonly detail: string }
}

export interface Refusal {
  readonly message: string
  /** The field of the scenario that it is about, if it is about one. */
  readonly field: string | null
  /** The line of own code, from 1, if it is about one. */
  readonly line?: number
}

let serials = 0

/** A scenario being simulated by a worker of its own, as far as it has got. */
export class Run {
  /** Views that belong to one run alone are known by it. */
  readonly serial = serials++
  readonly log = signal<RunLog | null>(null)
  /** How many steps are known so far: what is drawn depends on it. */
  readonly known = signal(0)
  /** The scenario with every default written out. */
  readonly whole = signal<Scenario | AggregationScenario | null>(null)
  /** What own code defines; null for algorithms of the catalogue. */
  readonly own = signal<AlgorithmEntry | null>(null)
  readonly result = signal<RunResult | CycleResult | null>(null)
  /** How an aggregation stands after each of its cycles. */
  readonly cycles = signal<readonly CycleEntry[]>([])
  /** Whether it was stopped since it goes on for too long. */
  readonly cut = signal(false)
  readonly refusal = signal<Refusal | null>(null)
  private frameShown: RunFrame | null = null
  /** Walks through the run as it becomes known, so that nobody else has far to go. */
  private surveyor: RunFrame | null = null
  /** Nobody looks at it any more. */
  readonly end: () => void

  constructor(
    readonly scenario: ScenarioInput,
    readonly code: Code | null = null,
    readonly origin: Origin | null = null,
    /** What is done to the scenario at a moment; the whole scenario has it. */
    private readonly intervention: Intervention | null = null,
    /** Events that are only shown: a counterexample, for which there is no scenario. */
    readonly recording: Recording | null = null,
  ) {
    if (recording === null) {
      this.end = startEngine(this.request('run'), (answer) => this.take(answer))
      return
    }
    const { world, events, scenes, broken } = recording
    const log = logOfEvents(world, events, scenes)
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

  /** How the run stands after so many steps; null before the world is known. Not to be kept. */
  frame(step: number): RunFrame | null {
    return this.frameShown?.seek(step) ?? null
  }

  private take(answer: EngineAnswer): void {
    switch (answer.what) {
      case 'begun': {
        const log = new RunLog(answer.world)
        this.frameShown = new RunFrame(log)
        this.surveyor = new RunFrame(log)
        this.whole.value = answer.scenario
        this.log.value = log
        break
      }
      case 'own':
        this.own.value = answer.subject
        break
      case 'chunk':
        this.log.value?.append(answer.chunk)
        this.surveyor?.seek(Number.POSITIVE_INFINITY)
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
