import { availableParallelism } from 'node:os'
import type { Executor, WorkKinds } from '../../jobs/executor.ts'
import { thisThread } from '../../jobs/this-thread.ts'
import { jobThreads } from '../../jobs/threads.ts'
import { withoutSecrets } from '../../nats/options.ts'
import { natsOptionsOf } from '../input/nats-flags.ts'
import type { Io } from '../io.ts'
import { VERSION } from '../version.ts'
import { ExecutionReport } from './execution-report.ts'
import type { ExecutorFlags } from './executor-flags.ts'
import { PROCESSORS } from './search-threads.ts'
import { workKinds } from './work-kinds.ts'

/** What a command wants to be executed. */
interface Execution {
  /** The number of threads; as many as processors if left out. */
  readonly threads?: number
  /** Jobs are processes of their own, for which this thread waits. */
  readonly processes?: boolean
  /** Kinds of work that this thread has prepared already. */
  readonly prepared?: WorkKinds
  /** Own files whose code the jobs need, or that the jobs hold code themselves. */
  readonly code?: readonly string[] | 'in jobs'
  /** Tells studies with the same work apart, for other machines. */
  readonly study?: string
  /** Whether results of an earlier call are used, on other machines. */
  readonly resume?: boolean
  /** Whether events are told as JSON. */
  readonly json?: boolean
}

/** The executor that the flags of a command ask for. */
export interface ChosenExecutor {
  readonly executor: Executor
  /** Whether jobs are executed by other processes, which do not see the files of this one. */
  readonly remote: boolean
  readonly report: ExecutionReport
}

export async function chosenExecutor(
  flags: ExecutorFlags,
  io: Io,
  execution: Execution = {},
): Promise<ChosenExecutor> {
  const { json = false } = execution
  if (flags.on !== undefined) return onWorkers(flags, io, execution)
  const { threads: count = PROCESSORS, processes, prepared } = execution
  const kinds = { ...workKinds, ...prepared }
  const executor = processes
    ? thisThread(kinds, availableParallelism())
    : jobThreads({ kinds, count, entry: 'cli/jobs/job-thread.js' })
  return { executor, remote: false, report: new ExecutionReport(io, null, json) }
}

async function onWorkers(
  flags: ExecutorFlags,
  io: Io,
  { code = [], study, resume, json = false }: Execution,
): Promise<ChosenExecutor> {
  const connection = natsOptionsOf(flags.on, flags, '--on')
  const bundle = await bundleOf(code)
  const { jetstreamExecutor } = await import('../../jobs/jetstream/caller.ts')
  const executor = await jetstreamExecutor({
    connection: { ...connection, name: 'conclave' },
    version: VERSION,
    code: bundle,
    ...(study !== undefined && { study }),
    ...(resume !== undefined && { resume }),
  })
  const server = withoutSecrets(connection.servers)
  return { executor, remote: true, report: new ExecutionReport(io, server, json) }
}

/** What tells workers that they execute the code of others; null if they do not. */
async function bundleOf(code: readonly string[] | 'in jobs'): Promise<Uint8Array | null> {
  if (code.length === 0) return null
  const { bundledCode, CODE_IN_JOBS } = await import('../own-code/code-bundle.ts')
  return code === 'in jobs' ? CODE_IN_JOBS : bundledCode(code)
}
