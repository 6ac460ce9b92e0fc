import { MessageChannel, Worker } from 'node:worker_threads'
import type { SearchThread, SearchThreads, ThreadSetup, ThreadUpdate } from '../../check/index.ts'
import { BUILT } from '../../core/built.ts'

/** Threads of this process for searches, which are started when a search needs them. */
export class ProcessorThreads implements SearchThreads {
  private readonly workers: Worker[] = []

  constructor(readonly count: number) {}

  start(setup: ThreadSetup): SearchThread {
    const worker = this.worker(setup.thread - 1)
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ setup, port: port2 }, [port2])
    port1.unref()
    return { send: (update: ThreadUpdate) => port1.postMessage(update) }
  }

  private worker(index: number): Worker {
    this.workers[index] ??= new Worker(new URL('cli/jobs/search-thread.js', BUILT), {
      execArgv: [],
    })
    // The process need not wait for it. A thread that fails has told the search, which goes on alone.
    this.workers[index].unref()
    this.workers[index].on('error', () => {})
    return this.workers[index]
  }
}
