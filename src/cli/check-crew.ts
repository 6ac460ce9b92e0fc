import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Tinypool } from 'tinypool'
import type { Arrangements, Tally } from '../check/index.ts'
import { Complaint } from '../core/index.ts'
import { type Errand, Errands, type Parcel, type Task } from './check-errand.ts'
import type { Options } from './check-exploration.ts'

/** How long it is tried in this thread; starting others takes about as long. */
const TRIAL_MS = 200
/** Work for others that is worth starting them. */
const WORTH_MS = 500
/** Errands long enough to be worth posting, short enough that nobody waits long for the last. */
const ERRAND_MS = 100
/** Sources are run as they are only by tests, in whose threads they cannot be loaded. */
const THREADS = import.meta.url.endsWith('.ts') ? 1 : availableParallelism()

/** Explores arrangements one after the other, in threads where that takes long. */
export class Crew {
  private readonly begun = Date.now()
  private readonly deadline: number

  constructor(
    private readonly name: string,
    private readonly options: Options,
    private readonly arrangements: Arrangements,
  ) {
    const { seconds } = options
    this.deadline =
      seconds === undefined ? Number.MAX_SAFE_INTEGER : this.begun + Number(seconds) * 1000
  }

  /** Until all are done, something is broken or a limit is reached; false after Ctrl-C. */
  async work(tally: Tally, look: () => void): Promise<boolean> {
    const trial = Date.now()
    const errands = new Errands(this.task(1))
    const { count } = this.arrangements
    while (!tally.over && tally.explored < count) {
      const spent = Date.now() - trial
      const rest = count - tally.explored
      const each = spent / Math.max(1, tally.explored)
      const threads = Math.min(THREADS, rest)
      if (threads > 1 && spent > TRIAL_MS && each * rest > WORTH_MS) {
        const size = Math.max(1, Math.min(Math.ceil(rest / threads), Math.round(ERRAND_MS / each)))
        return this.together(tally, look, threads, size)
      }
      const errand = this.errand(tally, 1, tally.explored)
      // What takes too long here is begun again by others.
      const patience = threads > 1 ? trial + TRIAL_MS + WORTH_MS : this.deadline
      const deadline = Math.min(this.deadline, patience)
      const [share] = await errands.sharesOf({ ...errand, deadline })
      if (deadline < this.deadline && Date.now() > deadline)
        return this.together(tally, look, threads, 1)
      tally.add(share)
      look()
      if (Date.now() - trial > TRIAL_MS) await setImmediate()
    }
    return true
  }

  private async together(
    tally: Tally,
    look: () => void,
    threads: number,
    size: number,
  ): Promise<boolean> {
    const pool = new Tinypool({
      filename: fileURLToPath(new URL('./check-worker.js', import.meta.url)),
      minThreads: threads,
      maxThreads: threads,
    })
    let stopped = false
    let failure: unknown = null
    const stop = () => {
      stopped = true
      pool.destroy()
    }
    process.once('SIGINT', stop)
    const task = this.task(threads)
    const first = tally.explored
    const { count } = this.arrangements
    const parcels: (Parcel['shares'] | undefined)[] = []
    let [begun, added] = [0, 0]
    let last = false
    const carry = async () => {
      for (let number = begun++; !last && !stopped; number = begun++) {
        const from = first + number * size
        if (from >= count) return
        const errand = this.errand(tally, Math.min(size, count - from), from)
        const { shares, complaint }: Parcel = await pool.run({ task, errand }, { name: 'work' })
        if (complaint !== null) throw new Complaint(...complaint)
        if (shares.some(({ exhausted, violated }) => violated || !exhausted)) last = true
        parcels[number] = shares
        // They come in any order and are counted in that of their numbers.
        for (; parcels[added] !== undefined; added++)
          for (const one of parcels[added]!) tally.add(one)
        if (tally.over) last = true
        look()
      }
    }
    try {
      await Promise.all(Array.from({ length: threads }, carry))
    } catch (error) {
      failure = error
    } finally {
      process.off('SIGINT', stop)
      await pool.destroy()
    }
    if (failure !== null && !stopped) throw failure
    return !stopped
  }

  private task(threads: number): Task {
    const { name, options } = this
    const memory = Math.max(1, Math.floor(Number(options.memory) / threads))
    return { name, options: { ...options, memory: String(memory) } }
  }

  /** The next few arrangements, with what is left of the limits. */
  private errand(tally: Tally, count: number, from: number): Errand {
    const { options, arrangements } = this
    return {
      states: Math.max(1, Number(options.states) - tally.states),
      deadline: this.deadline,
      ids: Array.from({ length: count }, (_, i) => arrangements.at(from + i)),
    }
  }
}
