import { JobWorker, type WorkerOptions } from '../../../src/jobs/jetstream/worker.ts'
import { batches } from '../../../src/jobs/thread-batch.ts'
import { testKinds } from './kinds.ts'

/** A worker in this process, for the kinds of work of tests. */
export function startJobWorker(
  servers: string,
  options: Partial<WorkerOptions> = {},
): Promise<JobWorker> {
  const work = batches(testKinds)
  const numbers = new Map<string, number>()
  return JobWorker.start({
    connection: { servers },
    version: 'test',
    name: 'here',
    parallel: 2,
    allowsCode: false,
    jobMs: 60_000,
    tell: () => {},
    runner: {
      async run({ study, work: given }, inputs, signal) {
        if (!numbers.has(study)) numbers.set(study, numbers.size)
        const aborted = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
        const number = numbers.get(study)!
        return Promise.race([work({ study: number, work: given, inputs, parallel: 2 }), aborted])
      },
      async close() {},
    },
    ...options,
  })
}
