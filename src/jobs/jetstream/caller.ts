import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../../core/usage-error.ts'
import { connectNats, type NatsEvent } from '../../nats/connection.ts'
import { refusedBy } from '../../nats/jetstream.ts'
import { type NatsOptions, parseNatsAddresses } from '../../nats/options.ts'
import type { Executor, Jobs, StudyListener, Work } from '../executor.ts'
import { JobQueue } from '../job-queue.ts'
import { runUntilAborted } from '../this-thread.ts'
import { protocolVersionText, type WorkerNotice } from './protocol.ts'
import { ClaimedStudy, type StudySettings } from './study-claim.ts'
import { StudyQueue } from './study-queue.ts'
import { ExecutionFailure, StudyRun } from './study-run.ts'
import { KnownWorkers } from './workers.ts'

/** How long the end of a study may take to remove what it left on the server. */
const CLEANING_MS = 5000

/** How a caller reaches its workers. */
export interface JetStreamExecutorOptions {
  readonly connection: NatsOptions
  /** The version of the package: workers of other versions get no jobs. */
  readonly version: string
  /** Tells studies with the same work apart, for example a hash of all their jobs. */
  readonly study?: string
  /** Whether to use the results that an earlier caller of the same study left. */
  readonly resume?: boolean
  /** A bundle of code that comes with the study: only some workers execute such code. */
  readonly code?: Uint8Array | null
}

/** Executes jobs on the workers of a server of NATS. Without such a server it is a UsageError. */
export async function jetstreamExecutor(options: JetStreamExecutorOptions): Promise<Executor> {
  const { shown } = parseNatsAddresses(options.connection.servers, 'NATS')
  const studies = new Set<RunningStudy>()
  const tell = (event: NatsEvent) => {
    for (const study of studies) study.tell(event)
  }
  const connection = await connectNats(options.connection, tell)
  const queue = await StudyQueue.open(connection, shown).catch(async (error) => {
    await connection.close()
    throw error
  })
  const { version, study: key = '', resume = false, code = null } = options
  const settings = { server: shown, version, caller: callerName(), key, resume, code }
  const closed = new AbortController()
  return {
    async execute(work, jobs, listener, signal) {
      const stop = AbortSignal.any([signal, closed.signal])
      if (stop.aborted) return
      const study = new RunningStudy(queue, settings, listener)
      studies.add(study)
      try {
        await study.run(work, jobs, stop)
      } finally {
        studies.delete(study)
      }
    },
    async close() {
      closed.abort()
      await Promise.all([...studies].map(({ ended }) => ended))
      await connection.close()
    },
  }
}

/** A study with its workers. */
class RunningStudy {
  private readonly workers: KnownWorkers
  private current: Pick<StudyRun<unknown, never>, 'reconnected' | 'tellProgress' | 'fail'> | null =
    null
  private refused = 0
  ended: Promise<void> = Promise.resolve()

  constructor(
    private readonly queue: StudyQueue,
    private readonly settings: StudySettings,
    private readonly listener: StudyListener<never>,
  ) {
    this.workers = new KnownWorkers(queue.connection, {
      joined: (worker) => this.joined(worker),
      left: (worker) => this.left(worker),
      refused: (reason) => this.refuse(reason),
    })
  }

  run(work: Work, jobs: Jobs<unknown>, stop: AbortSignal): Promise<void> {
    const running = this.execute(work, jobs, stop)
    this.ended = running.catch(() => {})
    return running
  }

  tell(event: NatsEvent): void {
    if (event.what === 'disconnected' || event.what === 'reconnected')
      this.listener.event?.({ what: event.what, reason: event.server })
    if (event.what === 'refused') this.refuse(event.reason)
    if (event.what === 'closed') this.current?.fail(ended(event.reason, this.settings.server))
    if (event.what === 'disconnected') this.workers.disconnected()
    if (event.what !== 'reconnected') return
    this.workers.reconnected()
    this.current?.reconnected()
  }

  private async execute(work: Work, jobs: Jobs<unknown>, stop: AbortSignal): Promise<void> {
    const { queue, settings, workers } = this
    let claimed: ClaimedStudy | null = null
    let running: Promise<void> | null = null
    let finished = false
    try {
      claimed = await ClaimedStudy.claim(queue, work, settings)
      const study = claimed
      await runUntilAborted([stop], (signal) => {
        const taken = new JobQueue(jobs, signal)
        const run = new StudyRun(queue, study, workers, work, taken, this.listener, signal)
        this.current = run
        run.tellProgress()
        running = run.run()
        return running
      })
      finished = !stop.aborted
    } catch (error) {
      // What a place that failed has done is used by a caller that comes back.
      finished = error instanceof UsageError && !(error instanceof ExecutionFailure)
      throw refusedBy(error, settings.server)
    } finally {
      workers.close()
      const cleaning = Promise.allSettled([running, claimed?.leave(finished)])
      await Promise.race([cleaning, sleep(CLEANING_MS, null, { ref: false })])
    }
  }

  private joined(worker: WorkerNotice): void {
    const version = protocolVersionText(this.settings.version)
    if (worker.version === version) {
      this.listener.event?.({ what: 'worker-joined', worker: nameOf(worker) })
      this.current?.tellProgress()
    } else this.refuse(`worker ${nameOf(worker)} has version ${worker.version}, not ${version}`)
  }

  private left(worker: WorkerNotice): void {
    this.listener.event?.({ what: 'worker-left', worker: nameOf(worker) })
    this.current?.tellProgress()
  }

  private refuse(reason: string): void {
    this.refused++
    this.listener.event?.({ what: 'refused', reason, count: this.refused })
  }
}

function nameOf({ name, host }: WorkerNotice): string {
  return name === host ? name : `${name} on ${host}`
}

/** The name of this process for others. */
function callerName(): string {
  return `${hostname()} (pid ${process.pid})`
}

function ended(reason: string, server: string): ExecutionFailure {
  const why = reason === '' ? '' : ` (${reason})`
  const hint = 'Check the log of the server.'
  return new ExecutionFailure(server, `The connection has ended${why}.`, hint)
}
