import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { IdPermutations, PermutationSummary } from '../../check/index.ts'
import { BUILT } from '../../core/built.ts'
import { UsageError } from '../../core/index.ts'
import { cpuMs } from '../terminal/progress.ts'
import type { Options } from './explore.ts'
import {
  type BatchResult,
  type PermutationBatch,
  PermutationBatches,
  type PermutationTask,
} from './permutation-worker.ts'

/** The time in this thread before deciding whether to start others. */
const TRIAL_MS = 500
/** Only the most recent part of the trial predicts the speed: at first the code is still slow. */
const RECENT_MS = 100
/** The least remaining work for which threads pay off: each needs about a second to warm up. */
const THREADS_PAY_OFF_MS = 3000
/** The target duration of a batch: worth posting, and short enough for an even finish. */
const BATCH_MS = 100
/** Tests run the sources directly, which threads cannot load. */
const THREADS = import.meta.url.endsWith('.ts') ? 1 : availableParallelism()

/** Explores permutations one after the other, in threads if that takes long. */
export class PermutationPool {
  private readonly started = Date.now()
  private readonly deadline: number

  constructor(
    private readonly name: string,
    private readonly options: Options,
    private readonly permutations: Pick<IdPermutations, 'count' | 'at'>,
  ) {
    const { seconds } = options
    this.deadline =
      seconds === undefined ? Number.MAX_SAFE_INTEGER : this.started + Number(seconds) * 1000
  }

  /** Until all are done, a violation is found or a limit is reached; false after Ctrl-C. */
  async run(summary: PermutationSummary, onProgress: () => void): Promise<boolean> {
    const trial = Date.now()
    const batches = new PermutationBatches({ name: this.name, options: this.options })
    const { count } = this.permutations
    let recent = { since: trial, spent: cpuMs(), explored: 0 }
    while (!summary.finished && summary.explored < count) {
      const now = Date.now()
      const rest = count - summary.explored
      const threads = Math.min(THREADS, rest)
      if (now - recent.since > RECENT_MS) {
        const spent = cpuMs()
        // CPU time: threads cannot use the time that other programs take.
        const each = (spent - recent.spent) / (summary.explored - recent.explored)
        recent = { since: now, spent, explored: summary.explored }
        if (threads > 1 && now - trial > TRIAL_MS && each * rest > THREADS_PAY_OFF_MS)
          return this.inThreads(summary, onProgress, threads, each, batches)
      }
      // A permutation that takes too long here is explored again in a thread.
      const trialEnd = threads > 1 ? trial + TRIAL_MS + THREADS_PAY_OFF_MS : this.deadline
      const deadline = Math.min(this.deadline, trialEnd)
      const [result] = await batches.run({ ...this.batch(summary, 1, summary.explored), deadline })
      if (deadline < this.deadline && Date.now() > deadline)
        return this.inThreads(summary, onProgress, threads, THREADS_PAY_OFF_MS, batches)
      summary.add(result)
      onProgress()
      if (now - trial > TRIAL_MS) await setImmediate()
    }
    return true
  }

  /** In threads, and in this thread too unless a permutation would block it for too long. */
  private async inThreads(
    summary: PermutationSummary,
    onProgress: () => void,
    threads: number,
    each: number,
    batches: PermutationBatches,
  ): Promise<boolean> {
    const first = summary.explored
    const { count } = this.permutations
    const equalPart = Math.ceil((count - first) / threads)
    const size = Math.max(1, Math.min(equalPart, Math.round(BATCH_MS / each)))
    const helping = each < BATCH_MS
    const others = helping ? threads - 1 : threads
    const { Tinypool } = await import('tinypool')
    const pool = new Tinypool({
      filename: fileURLToPath(new URL('cli/check/permutation-worker.js', BUILT)),
      minThreads: others,
      maxThreads: others,
    })
    let stopped = false
    let failure: unknown = null
    const stop = () => {
      stopped = true
      pool.destroy()
    }
    process.once('SIGINT', stop)
    const task: PermutationTask = { name: this.name, options: this.options }
    const done: (BatchResult['results'] | undefined)[] = []
    let [started, added] = [0, 0]
    let last = false
    let tooLarge = false
    const add = (result: BatchResult['results'][number]) => {
      // It started with a larger limit than the earlier ones have left.
      if (result.states > summary.statesLeft) tooLarge = last = true
      if (!tooLarge) summary.add(result)
    }
    const inThread = (batch: PermutationBatch): Promise<BatchResult> =>
      pool.run({ task, batch }, { name: 'work' })
    const inThisThread = async (batch: PermutationBatch): Promise<BatchResult> => ({
      results: await batches.run(batch, () => setImmediate()),
      usageError: null,
    })
    const runBatches = async (runBatch: (batch: PermutationBatch) => Promise<BatchResult>) => {
      for (let number = started++; !last && !stopped; number = started++) {
        const from = first + number * size
        if (from >= count) return
        const batch = this.batch(summary, Math.min(size, count - from), from, threads)
        const { results, usageError } = await runBatch(batch)
        if (usageError !== null) throw new UsageError(...usageError)
        if (results.some(({ exhausted, violated }) => violated || !exhausted)) last = true
        done[number] = results
        // Batches finish in any order, but are added in order.
        for (; done[added] !== undefined; added++) done[added]!.forEach(add)
        if (summary.finished) last = true
        onProgress()
      }
    }
    try {
      const runners = Array.from({ length: others }, () => runBatches(inThread))
      await Promise.all(helping ? [...runners, runBatches(inThisThread)] : runners)
      if (tooLarge && !stopped)
        for (const result of await batches.run(this.batch(summary, 1, summary.explored)))
          summary.add(result)
    } catch (error) {
      failure = error
    } finally {
      process.off('SIGINT', stop)
      await pool.destroy()
    }
    if (failure !== null && !stopped) throw failure
    return !stopped
  }

  /** The next permutations, with one thread's part of the remaining budget. */
  private batch(
    summary: PermutationSummary,
    count: number,
    from: number,
    threads = 1,
  ): PermutationBatch {
    const { options, permutations } = this
    return {
      states: Math.max(1, Number(options.states) - summary.states),
      memory: Math.max(1, Math.floor(Number(options.memory) / threads)),
      deadline: this.deadline,
      ids: Array.from({ length: count }, (_, i) => permutations.at(from + i)),
    }
  }
}
