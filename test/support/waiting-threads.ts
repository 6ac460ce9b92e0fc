import type { SearchThread, ThreadSetup } from '../../src/check/index.ts'
import { READY } from '../../src/check/search/threads/shared-memory.ts'
import { ProcessorThreads } from '../../src/cli/jobs/search-threads.ts'

const LONGEST_MS = 60_000

/** Threads that also help in small searches: a search waits for them. */
export class WaitingThreads extends ProcessorThreads {
  readonly least = 2

  override start(setup: ThreadSetup): SearchThread {
    const thread = super.start(setup)
    const control = new Int32Array(setup.control)
    const begun = Date.now()
    while (Atomics.load(control, READY) < setup.thread) {
      if (Date.now() - begun > LONGEST_MS) throw new Error('a thread did not start')
      Atomics.wait(control, READY, setup.thread - 1, 1)
    }
    return thread
  }
}
