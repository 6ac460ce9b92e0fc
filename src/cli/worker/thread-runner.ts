import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { BUILT } from '../../core/built.ts'
import type { JobRunner } from '../../jobs/jetstream/batch-execution.ts'
import type { ThreadBatch, ThreadReply } from '../../jobs/thread-batch.ts'
import type { ThreadAnswer } from './batch-thread.ts'

const ENTRY = fileURLToPath(new URL('cli/worker/batch-thread.js', BUILT))

/** Executes jobs in threads. A thread that ends, or must end, is replaced by another. */
export function threadRunner(parallel: number, entry = ENTRY): JobRunner {
  const idle: JobThread[] = []
  const all = new Set<JobThread>()
  const numbers = new Map<string, number>()
  return {
    async run({ study, work }, inputs, signal) {
      if (!numbers.has(study)) numbers.set(study, numbers.size)
      const thread = idle.pop() ?? new JobThread(entry)
      all.add(thread)
      try {
        const number = numbers.get(study)!
        return await thread.run({ study: number, work, inputs, parallel }, signal)
      } finally {
        if (thread.ended) all.delete(thread)
        else idle.push(thread)
      }
    },
    async close() {
      await Promise.all([...all].map((thread) => thread.end()))
    },
  }
}

class JobThread {
  private readonly worker: Worker
  private readonly exit: Promise<never>
  ended = false

  constructor(entry: string) {
    this.worker = new Worker(entry, { stdout: true, stderr: true })
    // What jobs print belongs to nobody here.
    this.worker.stdout.resume()
    this.worker.stderr.resume()
    this.exit = new Promise((_, reject) => {
      this.worker.once('error', (error) => {
        this.ended = true
        reject(error)
      })
      this.worker.once('exit', (code) => {
        this.ended = true
        reject(new Error(`the thread of the job ended with code ${code}`))
      })
    })
    this.exit.catch(() => {})
  }

  async run(batch: ThreadBatch, signal: AbortSignal): Promise<ThreadReply> {
    const abort = () => void this.end()
    signal.addEventListener('abort', abort)
    try {
      const answer = new Promise<ThreadAnswer>((resolve) => this.worker.once('message', resolve))
      this.worker.postMessage(batch)
      const reply = await Promise.race([answer, this.exit])
      if ('failed' in reply) throw new Error(reply.failed)
      return reply
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  async end(): Promise<void> {
    this.ended = true
    await this.worker.terminate()
  }
}
