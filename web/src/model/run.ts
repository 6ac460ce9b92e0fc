import { batch, signal } from '@preact/signals'
import type { Snapshot } from '../../../src/check/index.ts'
import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import type {
  AggregationScenario,
  Intervention,
  Scenario,
  ScenarioInput,
  SeenRun,
} from '../../../src/scenario/index.ts'
import type { CycleEntry, CycleResult, RunResult } from '../../../src/sim/index.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import type { EngineAnswer, OwnCode, Request } from '../engine/protocol.ts'
import { logOfEvents } from '../recording/event-log.ts'
import { RunFrame } from '../recording/frame.ts'
import { type RunFacts, RunLog } from '../recording/run-log.ts'
import { askEngine, startEngine } from './engine.ts'

/** The origin of a branch: the run that it changes, and the moment of the change. */
export interface Origin {
  readonly run: ShownRun
  readonly at: number
  /** The change in words: "crash of position 3". */
  readonly change: string
  /** What its recording shows of the moment of the change; left out where it does not reach it. */
  readonly seen?: SeenRun | undefined
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
  /** The violated property, if any, and after how many events: at the end if that is left out. */
  readonly broken?: {
    readonly property: string
    readonly detail: string
    readonly events?: number
  }
}

export interface Refusal {
  readonly message: string
  /** The field of the scenario that caused it, if there is one. */
  readonly field: string | null
  /** The line of own code that caused it, from 1, if there is one. */
  readonly line?: number
}

/** What went wrong in own code, with the line of its source, from 1, if it is known. */
export function failureOf(
  { message, line, sourceLine }: Extract<EngineAnswer, { what: 'failed' }>,
  code: Pick<Code, 'lines'> | null,
): { readonly message: string; readonly line?: number } {
  const known = sourceLine ?? (line === null ? undefined : (code?.lines[line] ?? 0))
  return { message, ...(known !== undefined && { line: known + 1 }) }
}

let serials = 0

/** A scenario that a worker simulates, with the events so far. */
export class ShownRun {
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
  /** The parameters as the nodes have them. */
  params: SeenRun['params'] = {}
  private frameShown: RunFrame | null = null
  /** Follows the recording to its end, which makes the keyframes for all other frames. */
  private keyframeMaker: RunFrame | null = null
  private stop: (() => void) | null = null

  constructor(
    readonly scenario: ScenarioInput,
    readonly code: Code | null = null,
    readonly origin: Origin | null = null,
    /** A change at one moment; `whole` is the scenario after the change. */
    readonly intervention: Intervention | null = null,
    /** Events that are only shown, such as a counterexample; the scenario is then empty. */
    public recording: Recording | null = null,
    /** Whether it waits for `start`. */
    waits = false,
  ) {
    if (recording !== null) this.record(recording)
    else if (!waits) this.start()
  }

  /** Starts the worker, unless it has been started. */
  start(): void {
    if (this.recording === null)
      this.stop ??= startEngine(this.request('run'), (answer) => this.take(answer))
  }

  /** Ends the worker of a run that is no longer shown. */
  end(): void {
    this.stop?.()
  }

  /** Shows other events: a walk through the states of a model goes on. */
  record(recording: Recording): void {
    const { world, events, snapshots, broken } = recording
    const log = logOfEvents(world, events, snapshots)
    if (broken) {
      const { property, detail, events: count = events.length } = broken
      log.violations.push({ step: log.stepsOfEvents(count), property, detail })
    }
    batch(() => {
      this.recording = recording
      this.frameShown = new RunFrame(log)
      this.log.value = log
      this.known.value = log.steps
    })
  }

  static recorded(recording: Recording, code: Code | null = null): ShownRun {
    return new ShownRun({}, code, null, null, recording)
  }

  /** The event log, as `conclave run --trace` writes it. */
  async trace(): Promise<string> {
    if (this.recording !== null)
      return this.recording.events.map((event) => `${JSON.stringify(event)}\n`).join('')
    for await (const answer of askEngine(this.request('trace')))
      if (answer.what === 'trace') return answer.text
    throw new Error('there is no event log')
  }

  /** Whether no more steps will come. */
  get ended(): boolean {
    const { recording, result, refusal } = this
    return recording !== null || result.value !== null || refusal.value !== null
  }

  private request(want: Request['want']): Request {
    return { ...this.subject, want }
  }

  /** What a worker simulates. */
  get subject(): Pick<Request, 'scenario' | 'code' | 'intervention' | 'seen'> {
    const { scenario, code, intervention, origin } = this
    return { scenario, code, intervention, seen: origin?.seen }
  }

  /** The run after `step` steps; null before it begins. The frame moves: do not keep it. */
  frame(step: number): RunFrame | null {
    return this.frameShown?.seek(step) ?? null
  }

  private take(answer: EngineAnswer): void {
    switch (answer.what) {
      case 'begun': {
        const { topology, places } = answer.world
        const log = new RunLog({ ...answer.world, places: placesOf(topology) ?? places })
        this.frameShown = new RunFrame(log)
        this.keyframeMaker = new RunFrame(log)
        this.whole.value = answer.scenario
        this.params = answer.params
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
        this.refusal.value = { field: 'code', ...failureOf(answer, this.code) }
        break
      case 'refused':
        this.refusal.value = answer
    }
  }
}

/** Where nodes were put by hand, in the unit square, x and y by turns, by the name of a network. */
const drawn = new Map<string, Float64Array>()

export function keepPlaces(network: string, places: Float64Array): void {
  drawn.set(network, places)
}

/** The places of a network that was drawn on this page; null for any other. */
function placesOf(network: string): Float64Array | null {
  return drawn.get(network) ?? null
}
