import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { IdPermutations, PermutationSummary } from '../../check/index.ts'
import { UsageError } from '../../core/index.ts'
import { BUILT } from '../../experiment/built.ts'
import { cpuMs } from '../terminal/progress.ts'
import type { Options } from './explore.ts'
import {
  type BatchResult,
  type PermutationBatch,
  PermutationBatches,
  type PermutationTask,
} from './permutation-worker.ts'

/** How long it is tried in this thread before it is decided whether others are to help. */
const TRIAL_MS = 500
/** How much of the trial tells how fast it will go on: in the beginning code is still slow. */
const LATELY_MS = 100
/** Work that is worth others; each takes about a second until it is as fast as this thread. */
const WORTH_MS = 3000
/** Errands long enough to be worth posting, short enough that nobody waits long for the last. */
const ERRAND_MS = 100
/** Sources are run as they are only by tests, in whose threads they cannot be loaded. */
const THREADS = import.meta.url.endsWith('.ts') ? 1 : availableParallelism()

/** Explores arrangements one after the other, in threads where that takes long. */
export class PermutationPool {
  private readonly begun = Date.now()
  private readonly deadline: number

  constructor(
    private readonly name: string,
    private readonly options: Options,
    private readonly arrangements: IdPermutations,
  ) {
    const { seconds } = options
    this.deadline =
      seconds === undefined ? Number.MAX_SAFE_INTEGER : this.begun + Number(seconds) * 1000
  }

  /** Until all are done, something is broken or a limit is reached; false after Ctrl-C. */
  async work(tally: PermutationSummary, look: () => void): Promise<boolean> {
    const trial = Date.now()
    const errands = new PermutationBatches({ name: this.name, options: this.options })
    const { count } = this.arrangements
    let lately = { since: trial, spent: cpuMs(), explored: 0 }
    while (!tally.finished && tally.explored < count) {
      const now = Date.now()
      const rest = count - tally.explored
      const threads = Math.min(THREADS, rest)
      if (now - lately.since > LATELY_MS) {
        const spent = cpuMs()
        // Where other programs are at work, others could not help in the time that those take.
        const each = (spent - lately.spent) / (tally.explored - lately.explored)
        lately = { since: now, spent, explored: tally.explored }
        if (threads > 1 && now - trial > TRIAL_MS && each * rest > WORTH_MS)
          return this.together(tally, look, threads, each, errands)
      }
      // What takes too long here is begun again by others.
      const patience = threads > 1 ? trial + TRIAL_MS + WORTH_MS : this.deadline
      const deadline = Math.min(this.deadline, patience)
      const [share] = await errands.sharesOf({ ...this.errand(tally, 1, tally.explored), deadline })
      if (deadline < this.deadline && Date.now() > deadline)
        return this.together(tally, look, threads, WORTH_MS, errands)
      tally.add(share)
      look()
      if (now - trial > TRIAL_MS) await setImmediate()
    }
    return true
  }

  /** With others, and in this thread too, unless it would not hear anything else for too long. */
  private async together(
    tally: PermutationSummary,
    look: () => void,
    threads: number,
    each: number,
    errands: PermutationBatches,
  ): Promise<boolean> {
    const first = tally.explored
    const { count } = this.arrangements
    const fair = Math.ceil((count - first) / threads)
    const size = Math.max(1, Math.min(fair, Math.round(ERRAND_MS / each)))
    const helping = each < ERRAND_MS
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
    const parcels: (BatchResult['shares'] | undefined)[] = []
    let [begun, added] = [0, 0]
    let last = false
    let tooLarge = false
    const add = (share: BatchResult['shares'][number]) => {
      // It was begun with more than those before it have left.
      if (share.states > tally.statesLeft) tooLarge = last = true
      if (!tooLarge) tally.add(share)
    }
    const there = (errand: PermutationBatch): Promise<BatchResult> =>
      pool.run({ task, errand }, { name: 'work' })
    const here = async (errand: PermutationBatch): Promise<BatchResult> => ({
      shares: await errands.sharesOf(errand, () => setImmediate()),
      complaint: null,
    })
    const carry = async (perform: (errand: PermutationBatch) => Promise<BatchResult>) => {
      for (let number = begun++; !last && !stopped; number = begun++) {
        const from = first + number * size
        if (from >= count) return
        const errand = this.errand(tally, Math.min(size, count - from), from, threads)
        const { shares, complaint } = await perform(errand)
        if (complaint !== null) throw new UsageError(...complaint)
        if (shares.some(({ exhausted, violated }) => violated || !exhausted)) last = true
        parcels[number] = shares
        // They come in any order and are counted in that of their numbers.
        for (; parcels[added] !== undefined; added++) parcels[added]!.forEach(add)
        if (tally.finished) last = true
        look()
      }
    }
    try {
      const carriers = Array.from({ length: others }, () => carry(there))
      await Promise.all(helping ? [...carriers, carry(here)] : carriers)
      if (tooLarge && !stopped)
        for (const share of await errands.sharesOf(this.errand(tally, 1, tally.explored)))
          tally.add(share)
    } catch (error) {
      failure = error
    } finally {
      process.off('SIGINT', stop)
      await pool.destroy()
    }
    if (failure !== null && !stopped) throw failure
    return !stopped
  }

  /** The next few arrangements, with what is left of the limits for one of so many threads. */
  private errand(
    tally: PermutationSummary,
    count: number,
    from: number,
    threads = 1,
  ): PermutationBatch {
    const { options, arrangements } = this
    return {
      states: Math.max(1, Number(options.states) - tally.states),
      memory: Math.max(1, Math.floor(Number(options.memory) / threads)),
      deadline: this.deadline,
      ids: Array.from({ length: count }, (_, i) => arrangements.at(from + i)),
    }
  }
}
