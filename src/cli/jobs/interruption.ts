import { createContext, Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { Interrupted } from '../io.ts'

const CALLING = new Script('work()')
const INTERRUPTED = 'ERR_SCRIPT_EXECUTION_INTERRUPTED'
const realm = createContext({ work: null })

/**
 * Calls a function that computes for long. Ctrl-C ends it by `Interrupted`, though this thread does
 * not look at the event loop meanwhile. Other threads get no signals.
 */
export function interruptible<T>(work: () => T): T {
  if (!isMainThread) return work()
  realm.work = work
  try {
    return CALLING.runInContext(realm, { breakOnSigint: true })
  } catch (error) {
    // It is an error of the realm.
    if ((error as NodeJS.ErrnoException | null)?.code === INTERRUPTED) throw new Interrupted()
    throw error
  }
}

/**
 * Ctrl-C while jobs are executed: they are aborted in order. While this thread computes it could
 * not notice, so what takes long is called by `interruptible`.
 */
export class Interruption {
  happened = false
  private expected = false

  constructor(private readonly abort: () => void) {}

  /** From now on Ctrl-C is noticed; a second one ends the process. */
  expect(): void {
    if (this.expected) return
    this.expected = true
    process.once('SIGINT', this.interrupt)
  }

  end(): void {
    process.off('SIGINT', this.interrupt)
  }

  private readonly interrupt = () => {
    this.happened = true
    this.abort()
  }
}
