import { quoted } from '../core/text-format.ts'
import { UsageError } from '../core/usage-error.ts'
import type { Executor, Work, WorkKinds, WorkModule } from './executor.ts'
import { JobQueue } from './job-queue.ts'

/** Whether this is Node.js, which has files, sockets and threads of its own, and not a browser. */
export const IN_NODE = typeof process === 'object' && process.versions?.node !== undefined

/**
 * Executes all jobs in this thread, and yields to the event loop between two of them. Where jobs
 * wait for something, such as another process, `parallel` of them are under way at once.
 */
export function thisThread(kinds: WorkKinds, parallel = 1): Executor {
  const closed = new AbortController()
  return {
    execute: (work, jobs, listener, signal) =>
      runUntilAborted([signal, closed.signal], async (stop) => {
        const execute = await (await workModule(kinds, work)).open(work.given as never, {
          parallel,
        })
        const queue = new JobQueue(jobs, stop)
        const executeJobs = async () => {
          for (;;) {
            const [job] = await queue.take(1)
            if (job === undefined) return
            const doing = (what: string) => listener.doing?.(job.index, what)
            const output = await execute(job.input as never, { doing, signal: stop })
            if (stop.aborted) return
            listener.done(job.index, output as never)
            queue.finish(1)
            await nextTurn()
          }
        }
        await Promise.all(Array.from({ length: parallel }, executeJobs))
      }),
    async close() {
      closed.abort()
    },
  }
}

/** The next turn of the event loop; browsers have no setImmediate, and delay repeated timers. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (IN_NODE) return setImmediate(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => resolve())
    port1.start()
    port2.postMessage(null)
  })
}

/** The module of a kind of work. */
export async function workModule(
  kinds: WorkKinds,
  { kind }: Work,
): Promise<WorkModule<never, never, unknown>> {
  if (Object.hasOwn(kinds, kind)) return kinds[kind]()
  const known = Object.keys(kinds).join(', ')
  throw new UsageError('jobs', `there is no kind of work ${quoted(kind)}.`, `There are ${known}.`)
}

/** Runs a study until its end, or until one of the signals; what it waits for then is left. */
export async function runUntilAborted(
  signals: readonly AbortSignal[],
  study: (stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const ended = new AbortController()
  const stop = AbortSignal.any([...signals, ended.signal])
  if (stop.aborted) return
  try {
    await new Promise<void>((resolve, reject) => {
      stop.addEventListener('abort', () => resolve())
      study(stop).then(resolve, reject)
    })
  } finally {
    // Of several jobs at once, one may have failed.
    ended.abort()
  }
}
