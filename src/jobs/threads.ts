import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Tinypool } from 'tinypool'
import { BUILT } from '../core/built.ts'
import { UsageError } from '../core/usage-error.ts'
import {
  type Executor,
  type JobFunction,
  type StudyListener,
  Unfinished,
  type Work,
  type WorkKinds,
} from './executor.ts'
import { JobQueue, type NumberedJob } from './job-queue.ts'
import { runUntilAborted, thisThread, workModule } from './this-thread.ts'
import { BATCH_MS, type ThreadBatch, type ThreadReply } from './thread-batch.ts'

/** The time in this thread before deciding whether to start others. */
const TRIAL_MS = 500
/** Only the most recent part of the trial predicts the speed: at first the code is still slow. */
const RECENT_MS = 100
/** The least remaining work for which threads pay off: each needs about a second to warm up. */
const THREADS_PAY_OFF_MS = 3000
/** The longest time in this thread without looking at the event loop, apart from one long job. */
const YIELD_MS = 5

/** Where threads find the code of the jobs. */
export interface ThreadOptions {
  readonly kinds: WorkKinds
  /** The built file of a thread, below `dist`; it exports `work`, made by `batches`. */
  readonly entry: string
  readonly count: number
  /** Whether jobs may begin in this thread; if not, it stays free for other things. */
  readonly trial?: boolean
}

/**
 * Executes jobs in threads. Where jobs can end early, a study begins in this thread, and moves to
 * others when the rest takes so long that they pay off.
 */
export function jobThreads(options: ThreadOptions): Executor {
  if (options.count === 1 && options.trial !== false) return thisThread(options.kinds)
  const closed = new AbortController()
  const pool = new Pool(options)
  let studies = 0
  return {
    execute: (work, jobs, listener, signal) =>
      runUntilAborted([signal, closed.signal], async (stop) => {
        const queue = new JobQueue(jobs, stop)
        const number = studies++
        await new ThreadStudy(options, pool, work, queue, listener, stop, number).run()
      }),
    async close() {
      closed.abort()
      await pool.close()
    },
  }
}

/** The threads, which are started when they are needed. */
class Pool {
  private started: Promise<Tinypool> | null = null

  constructor(private readonly options: ThreadOptions) {}

  async run(batch: ThreadBatch, signal: AbortSignal): Promise<ThreadReply> {
    this.started ??= this.start()
    // An abort ends the thread that executes the batch.
    return (await this.started).run(batch, { name: 'work', signal })
  }

  async close(): Promise<void> {
    await (await this.started)?.destroy()
  }

  private async start(): Promise<Tinypool> {
    const { entry, count } = this.options
    const { Tinypool } = await import('tinypool')
    return new Tinypool({
      filename: fileURLToPath(new URL(entry, BUILT)),
      minThreads: 0,
      maxThreads: count,
      // Until the pool is destroyed: the largest delay of a timer.
      idleTimeout: 2 ** 31 - 1,
    })
  }
}

/** One study: in this thread, in others, or in both. */
class ThreadStudy<Input, Output> {
  /** Read by jobs when they begin. */
  private readonly place = { parallel: 1 }
  /** The time of one job, as far as it is known. */
  private each: number | null = null

  constructor(
    private readonly options: ThreadOptions,
    private readonly pool: Pool,
    private readonly work: Work,
    private readonly queue: JobQueue<Input>,
    private readonly listener: StudyListener<Output>,
    private readonly stop: AbortSignal,
    private readonly number: number,
  ) {}

  async run(): Promise<void> {
    const { kinds, count, trial } = this.options
    const module = await workModule(kinds, this.work)
    if (module.endsEarly !== true || trial === false) return this.inThreads(count, null)
    const execute = await module.open(this.work.given as never, this.place)
    if (await this.inThisThread(execute)) return
    // This thread executes jobs too, unless one of them would block it for too long.
    const helping = (this.each ?? BATCH_MS) < BATCH_MS
    this.place.parallel = Math.min(count, this.queue.left)
    await this.inThreads(helping ? count - 1 : count, helping ? execute : null)
  }

  /** Executes jobs here until none is left, or until threads pay off: then false. */
  private async inThisThread(execute: JobFunction): Promise<boolean> {
    const begun = Date.now()
    const until = begun + TRIAL_MS + THREADS_PAY_OFF_MS
    let recent = { since: begun, spent: cpuMs(), done: 0 }
    let [done, yielded] = [0, begun]
    while (!this.stop.aborted) {
      const now = Date.now()
      if (now - recent.since > RECENT_MS && done > recent.done) {
        const spent = cpuMs()
        // CPU time: threads cannot use the time that other programs take.
        this.each = (spent - recent.spent) / (done - recent.done)
        recent = { since: now, spent, done }
        const { left } = this.queue
        const rest = this.each * left
        if (left > 1 && now - begun > TRIAL_MS && rest > THREADS_PAY_OFF_MS) return false
      }
      const [job] = await this.queue.take(1)
      if (job === undefined) return true
      try {
        const output = await execute(job.input as never, this.queue.left > 1 ? { until } : {})
        if (this.stop.aborted) return true
        this.finish([job], [output])
        done++
      } catch (error) {
        if (!(error instanceof Unfinished)) throw error
        // What takes too long here is executed again in a thread.
        this.queue.finish(1, [job])
        this.each = THREADS_PAY_OFF_MS
        return false
      }
      if (now - yielded > YIELD_MS) {
        await setImmediate()
        yielded = Date.now()
      }
    }
    return true
  }

  private async inThreads(others: number, here: JobFunction | null): Promise<void> {
    const progress = { workers: this.options.count, machines: 1, redeliveries: 0 }
    this.listener.event?.({ what: 'progress', progress })
    const runners = Array.from({ length: others }, () => this.inThread())
    await Promise.all(here === null ? runners : [...runners, this.alsoHere(here)])
  }

  private async inThread(): Promise<void> {
    const { work, number: study, options, stop } = this
    const parallel = Math.min(options.count, this.queue.left)
    for (;;) {
      const jobs = await this.queue.take(this.batchSize())
      if (jobs.length === 0) return
      const inputs = jobs.map(({ input }) => input)
      const reply = await this.pool.run({ study, work, inputs, parallel }, stop)
      if (stop.aborted) return
      const { outputs, ms, error } = reply
      if (outputs.length > 0) this.each = ms / outputs.length
      this.finish(jobs, outputs)
      if (error !== null) throw new UsageError(...error)
    }
  }

  /** Between jobs the answers of the threads are read. */
  private async alsoHere(execute: JobFunction): Promise<void> {
    let yielded = Date.now()
    for (;;) {
      const jobs = await this.queue.take(1)
      if (jobs.length === 0) return
      const output = await execute(jobs[0].input as never, {})
      if (this.stop.aborted) return
      this.finish(jobs, [output])
      if (Date.now() - yielded < YIELD_MS) continue
      await setImmediate()
      yielded = Date.now()
    }
  }

  /** As many jobs as take the time of a batch, and not more than an equal part of the rest. */
  private batchSize(): number {
    if (this.each === null) return 1
    const equalPart = Math.ceil(this.queue.left / (2 * this.options.count))
    return Math.max(1, Math.min(equalPart, Math.round(BATCH_MS / Math.max(this.each, 1e-3))))
  }

  /** Reports the jobs that ended; those without an output are executed again. */
  private finish(jobs: readonly NumberedJob<Input>[], outputs: readonly unknown[]): void {
    for (const [i, output] of outputs.entries()) {
      // Whoever gets a result may not want any more.
      if (this.stop.aborted) return
      this.listener.done(jobs[i].index, output as Output)
    }
    this.queue.finish(jobs.length, jobs.slice(outputs.length))
  }
}

/** The CPU time of this process so far, of all its threads. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
