import type { Work } from '../executor.ts'
import type { ThreadReply } from '../thread-batch.ts'
import { TRIES } from './outstanding-jobs.ts'
import type { BatchReport, JobBatch, JobReport } from './protocol.ts'

/** What is executed for a study. */
export interface StudyCode {
  readonly study: string
  readonly work: Work
  /** The bundle of code that came with the study. */
  readonly code: Uint8Array | null
}

/** Executes jobs apart from the worker, so that a job can end badly without ending the worker. */
export interface JobRunner {
  /**
   * The outputs of at least one job, or the error of the user in the one after them. Rejects if the
   * place where they ran has ended, or when the signal is aborted.
   */
  run(
    study: StudyCode,
    inputs: readonly unknown[],
    signal: AbortSignal,
  ): Promise<Pick<ThreadReply, 'outputs' | 'ms' | 'error'>>
  close(): Promise<void>
}

/** A batch that takes so many times as long goes back in part, so that other workers help. */
const LONGER = 4

/** When a worker stops with a batch before its end. */
export interface ExecutionLimits {
  /** A job that takes longer has failed. */
  readonly jobMs: number
  /** Ends the running job too. */
  readonly abort: AbortSignal
  /** Whether the worker wants to leave. */
  leaving(): boolean
}

/** What is reported about a batch, apart from who reports it. */
type Execution = Pick<BatchReport, 'returned' | 'jobs'>

/**
 * Whether a batch goes back without a try: it was tried often enough, or one of several jobs may
 * have ended a worker; the caller sends them one by one.
 */
export function isTriedEnough({ tries, jobs }: JobBatch, deliveries: number): boolean {
  return tries + deliveries > TRIES || (jobs.length > 1 && deliveries > 1)
}

/** Executes the jobs of a batch, as far as the limits allow. */
export async function executeBatch(
  runner: JobRunner,
  study: StudyCode,
  { jobs, ms: wanted }: JobBatch,
  { jobMs, abort, leaving }: ExecutionLimits,
): Promise<Execution> {
  const reports: JobReport[] = []
  const begun = Date.now()
  /** After a failure jobs run one by one, so that it is known which of them fails. */
  let alone = jobs.length === 1
  while (reports.length < jobs.length) {
    const late = reports.length > 0 && Date.now() - begun > LONGER * wanted
    if (late || leaving() || abort.aborted) return { returned: 'handed back', jobs: reports }
    const rest = alone ? [jobs[reports.length]] : jobs.slice(reports.length)
    const limit = new JobLimit(abort, jobMs)
    const started = Date.now()
    const add = (report: Omit<JobReport, 'id'>) =>
      reports.push({ id: jobs[reports.length].id, ...report })
    try {
      const inputs = rest.map(({ input }) => input)
      const reply = await runner.run(study, inputs, limit.signal)
      const ms = reply.ms / Math.max(1, reply.outputs.length)
      for (const output of reply.outputs) add({ ms, outcome: { output } })
      if (reply.error !== null) {
        const [where, problem, hint = ''] = reply.error
        add({ ms, outcome: { error: [where, problem, hint] } })
      }
    } catch (error) {
      if (abort.aborted) continue
      if (!alone) {
        alone = true
        continue
      }
      const ms = Date.now() - started
      const reason = limit.reached ? `it took longer than ${jobMs / 1000} s` : reasonOf(error)
      add({ ms, outcome: { failed: reason } })
    } finally {
      limit.clear()
    }
  }
  return { returned: null, jobs: reports }
}

/** Aborts a job when its time is over, or with another signal. */
class JobLimit {
  private readonly controller = new AbortController()
  private readonly timer: NodeJS.Timeout
  private readonly abort = () => this.controller.abort()
  reached = false

  constructor(
    private readonly other: AbortSignal,
    ms: number,
  ) {
    this.timer = setTimeout(() => {
      this.reached = true
      this.abort()
    }, ms)
    other.addEventListener('abort', this.abort)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  clear(): void {
    clearTimeout(this.timer)
    this.other.removeEventListener('abort', this.abort)
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message === '' ? 'it ended without a result' : message
}
