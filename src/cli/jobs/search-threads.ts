import { availableParallelism } from 'node:os'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { SearchThread, SearchThreads, ThreadSetup, ThreadUpdate } from '../../check/index.ts'
import { BUILT } from '../../core/built.ts'
import { integer } from '../../options/reading.ts'
import type { ExecutorFlags } from './executor-flags.ts'

/** Tests run the sources directly, which threads cannot load. */
export const PROCESSORS = import.meta.url.endsWith('.ts') ? 1 : availableParallelism()

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
    if (index < this.workers.length) return this.workers[index]
    const worker = new Worker(new URL('cli/jobs/search-thread.js', BUILT), { execArgv: [] })
    // The process need not wait for it. A thread that fails has told the search, which one thread
    // then repeats.
    worker.unref()
    worker.on('error', () => {})
    this.workers.push(worker)
    return worker
  }
}

/** The number of threads that the flags of a command ask for. */
export function threadCount({ threads }: ExecutorFlags): number {
  return threads === undefined
    ? PROCESSORS
    : integer('--threads', threads, 1, 256, 'a whole number', 2)
}
