import { signal } from '@preact/signals'
import type { AggregationScenario, Given, Scenario } from '../../../src/scenario/index.ts'
import type { CycleEntry, CycleResult, RunResult } from '../../../src/sim/index.ts'
import { Frame } from '../engine/frame.ts'
import type { Answer, Request } from '../engine/protocol.ts'
import { RunLog } from '../engine/run-log.ts'
import EngineWorker from '../engine/worker.ts?worker&inline'

/** Where a run comes from: the run that it changes, and since when. */
export interface Origin {
  readonly run: Run
  readonly at: number
  /** The change in words: "crash of position 3". */
  readonly change: string
}

/** Own definition, as it was written and as the worker runs it. */
export interface Code {
  readonly source: string
  readonly compiled: string
}

export interface Refusal {
  readonly message: string
  /** The field of the scenario that it is about, if it is about one. */
  readonly field: string | null
}

/** A scenario being simulated by a worker of its own, as far as it has got. */
export class Run {
  readonly log = signal<RunLog | null>(null)
  /** How many steps are known so far: what is drawn depends on it. */
  readonly known = signal(0)
  /** The scenario with every default written out. */
  readonly whole = signal<Scenario | AggregationScenario | null>(null)
  readonly result = signal<RunResult | CycleResult | null>(null)
  /** How an aggregation stands after each of its cycles. */
  readonly cycles = signal<readonly CycleEntry[]>([])
  /** Whether it was stopped since it goes on for too long. */
  readonly cut = signal(false)
  readonly refusal = signal<Refusal | null>(null)
  private frameShown: Frame | null = null
  private readonly worker: Worker

  constructor(
    readonly scenario: Given,
    readonly code: Code | null = null,
    readonly origin: Origin | null = null,
  ) {
    this.worker = new EngineWorker()
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => this.take(data)
    this.worker.onerror = ({ message }) => {
      this.refusal.value = { message, field: null }
    }
    this.worker.postMessage(this.request('run'))
  }

  /** The event log, as `conclave run --trace` writes it. */
  trace(): Promise<string> {
    const worker = new EngineWorker()
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if (data.what === 'trace') resolve(data.text)
        if (data.what === 'refused') reject(new Error(data.message))
        worker.terminate()
      }
      worker.postMessage(this.request('trace'))
    })
  }

  private request(want: Request['want']): Request {
    return { scenario: this.scenario, code: this.code?.compiled ?? null, want }
  }

  /** How the run stands after so many steps; null before the world is known. Not to be kept. */
  frame(step: number): Frame | null {
    return this.frameShown?.seek(step) ?? null
  }

  /** Nobody looks at it any more. */
  end(): void {
    this.worker.terminate()
  }

  private take(answer: Answer): void {
    switch (answer.what) {
      case 'begun': {
        const log = new RunLog(answer.world)
        this.frameShown = new Frame(log)
        this.whole.value = answer.scenario
        this.log.value = log
        break
      }
      case 'chunk':
        this.log.value?.append(answer.chunk)
        this.known.value = this.log.value?.steps ?? 0
        break
      case 'cycle':
        this.cycles.value = [...this.cycles.value, answer.entry]
        break
      case 'ended':
        this.cut.value = answer.cut
        this.result.value = answer.result
        this.worker.terminate()
        break
      case 'refused':
        this.refusal.value = answer
        this.worker.terminate()
    }
  }
}
