import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectNats, type NatsEvent } from '../../nats/connection.ts'
import { isStoreFull } from '../../nats/jetstream.ts'
import { type NatsOptions, parseNatsAddresses } from '../../nats/options.ts'
import { executeBatch, isTriedEnough, type JobRunner } from './batch-execution.ts'
import { KnownStudies, type KnownStudy } from './known-studies.ts'
import {
  type BatchReport,
  ForeignMessage,
  type JobBatch,
  protocolVersionText,
  readBatch,
  readCallerNotice,
  SUBJECT,
  type WorkerNotice,
} from './protocol.ts'
import type { Delivery } from './pull-inbox.ts'
import { ACK_WAIT_MS, StudyQueue, uniqueName } from './study-queue.ts'
import { WorkerAnnouncement } from './workers.ts'

const EXTEND_MS = ACK_WAIT_MS / 4
/** How long running jobs may go on when the worker leaves. */
const GRACE_MS = 3000
const RETRY_MS = 500
/** How often a worker without jobs looks for some, unless a caller tells it. */
const IDLE_MS = { least: 1000, most: 5000 }
const REFRESH_MS = 30_000
const FULL = 'the store of the server is full'

export interface WorkerOptions {
  readonly connection: NatsOptions
  readonly version: string
  readonly name: string
  /** The number of batches at a time. */
  readonly parallel: number
  readonly allowsCode: boolean
  /** The longest time of a job. */
  readonly jobMs: number
  readonly runner: JobRunner
  tell(event: WorkerEvent): void
}

export type WorkerEvent =
  | NatsEvent
  | { readonly what: 'study'; readonly kind: string; readonly caller: string }
  | { readonly what: 'batch'; readonly jobs: number; readonly failed: number }
  | { readonly what: 'waiting'; readonly reason: string }

/** A batch that this worker executes. */
interface RunningBatch {
  readonly study: string
  readonly delivery: Delivery
  abort(): void
}

function abortable(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** Takes batches of all studies in turn, until it leaves. */
export class JobWorker {
  private readonly id = uniqueName()
  private readonly studies: KnownStudies
  private readonly announcement: WorkerAnnouncement
  private readonly running = new Set<RunningBatch>()
  private readonly timers: NodeJS.Timeout[]
  private readonly told = new Set<string>()
  private readonly loop: Promise<void>
  private leaving = false
  private done = 0
  private refused = 0
  /** Reports for which the server has no space. */
  private full = 0
  private wake = () => {}
  private hinted = false

  private constructor(
    private readonly queue: StudyQueue,
    private readonly options: WorkerOptions,
  ) {
    const { connection } = queue
    const version = protocolVersionText(options.version)
    const { allowsCode } = options
    const refused = (reason: string) => this.options.tell({ what: 'refused', reason })
    this.studies = new KnownStudies(queue, { version, allowsCode, refused })
    this.announcement = new WorkerAnnouncement(connection, () => this.notice())
    connection.subscribe(`${SUBJECT.callers}.*`, {
      callback: (_, message) => void this.hear(message.data).catch(() => {}),
    })
    this.timers = [
      setInterval(() => {
        for (const { delivery } of this.running) delivery.extend()
      }, EXTEND_MS),
      setInterval(() => void this.refresh(), REFRESH_MS),
    ]
    this.loop = this.takeBatches()
  }

  static async start(options: WorkerOptions): Promise<JobWorker> {
    const { shown } = parseNatsAddresses(options.connection.servers, 'NATS')
    let worker: JobWorker | null = null
    const connection = await connectNats(options.connection, (event) => {
      options.tell(event)
      if (event.what === 'reconnected') void worker?.refresh()
    })
    try {
      worker = new JobWorker(await StudyQueue.open(connection, shown), options)
      return worker
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** Finishes the running jobs if that takes little time, hands back the others and leaves. */
  async leave(): Promise<void> {
    this.leaving = true
    this.studies.stop()
    this.wake()
    const timer = setTimeout(() => this.abort(this.running), GRACE_MS)
    await this.loop
    clearTimeout(timer)
    for (const one of this.timers) clearInterval(one)
    this.announcement.leave()
    // Without a connection nobody hears it.
    const limit = sleep(GRACE_MS, undefined, { ref: false })
    await Promise.race([this.queue.connection.flush().catch(() => {}), limit])
    await this.options.runner.close()
    await this.queue.connection.close()
  }

  get doneJobs(): number {
    return this.done
  }

  get busy(): number {
    return this.running.size
  }

  private notice(): WorkerNotice {
    const { id, options, done, refused } = this
    return {
      id,
      name: options.name,
      host: hostname(),
      pid: process.pid,
      version: protocolVersionText(options.version),
      parallel: options.parallel,
      busy: this.busy,
      done,
      refused,
      full: this.full > 0,
      allowsCode: options.allowsCode,
      leaving: false,
    }
  }

  private async takeBatches(): Promise<void> {
    await this.refresh()
    const running = new Set<Promise<void>>()
    let idle = IDLE_MS.least
    while (!this.leaving && !this.queue.connection.isClosed()) {
      if (running.size === this.options.parallel) {
        await Promise.race([...running])
        continue
      }
      this.hinted = false
      // It fails when the connection has ended.
      const next = await this.studies.next().catch(() => null)
      if (next === null) {
        idle = await this.rest(idle)
        continue
      }
      idle = IDLE_MS.least
      const run = this.handle(next.study, next.delivery).finally(() => running.delete(run))
      running.add(run)
    }
    await Promise.all(running)
  }

  /** Waits until there may be jobs; returns how long to wait the next time. */
  private async rest(ms: number): Promise<number> {
    if (this.hinted || this.leaving) return IDLE_MS.least
    let timer: NodeJS.Timeout | undefined
    const told = await new Promise<boolean>((resolve) => {
      this.wake = () => resolve(true)
      timer = setTimeout(() => resolve(false), ms)
    })
    clearTimeout(timer)
    return told ? IDLE_MS.least : Math.min(IDLE_MS.most, 2 * ms)
  }

  private async hear(data: Uint8Array): Promise<void> {
    try {
      const notice = readCallerNotice(data)
      if (notice.ended) this.abort([...this.running].filter(({ study }) => study === notice.study))
      if (!(await this.studies.heard(notice))) return
      this.hinted = true
      this.wake()
    } catch (error) {
      if (!(error instanceof ForeignMessage)) throw error
      this.refuse(`a notice of a caller: ${error.message}`)
    }
  }

  private async refresh(): Promise<void> {
    await this.studies.refresh().catch(() => {})
    this.hinted = true
    this.wake()
  }

  private async handle(study: KnownStudy, delivery: Delivery): Promise<void> {
    const { signal, abort } = abortable()
    const running = { study: study.study, delivery, abort }
    this.running.add(running)
    try {
      const batch = await this.readBatch(study, delivery)
      const report = await this.execute(study, batch, delivery.deliveries, signal)
      if (!(await this.publish(report, signal))) return
      delivery.acknowledge()
      const failed = report.jobs.filter(({ outcome }) => 'failed' in outcome).length
      this.done += report.jobs.length - failed
      this.options.tell({ what: 'batch', jobs: report.jobs.length, failed })
    } catch (error) {
      if (!(error instanceof ForeignMessage)) return
      delivery.refuse()
      this.refuse(`a batch of jobs: ${error.message}`)
    } finally {
      this.running.delete(running)
    }
  }

  private async readBatch({ study, idOf }: KnownStudy, delivery: Delivery) {
    const batch = readBatch(await this.queue.objects.unpacked(delivery.data))
    if (batch.study !== study) throw new ForeignMessage('of another study')
    if (batch.jobs.some(({ id, input }) => id !== idOf(input)))
      throw new ForeignMessage('the id of a job is not that of its content')
    return batch
  }

  private async execute(
    known: KnownStudy,
    batch: JobBatch,
    deliveries: number,
    abort: AbortSignal,
  ): Promise<BatchReport> {
    const { study, work, caller } = known
    const about = { study, batch: batch.batch, worker: this.options.name, deliveries }
    if (isTriedEnough(batch, deliveries)) return { ...about, returned: 'redelivered', jobs: [] }
    if (!this.told.has(study)) {
      this.told.add(study)
      this.options.tell({ what: 'study', kind: work.kind, caller })
    }
    const limits = {
      jobMs: this.options.jobMs,
      abort,
      leaving: () => this.leaving,
    }
    return { ...about, ...(await executeBatch(this.options.runner, known, batch, limits)) }
  }

  /** Until the server has stored it; false if the worker must leave before. */
  private async publish(report: BatchReport, abort: AbortSignal): Promise<boolean> {
    let full = false
    try {
      while (!this.queue.connection.isClosed()) {
        try {
          await this.queue.publishReport(report)
          return true
        } catch (error) {
          if (isStoreFull(error) && !full) {
            full = true
            if (this.full++ === 0) this.options.tell({ what: 'waiting', reason: FULL })
          }
          if (abort.aborted) return false
          await sleep(RETRY_MS)
        }
      }
      return false
    } finally {
      if (full) this.full--
    }
  }

  /** Ends the running jobs; what was done is reported. */
  private abort(batches: Iterable<RunningBatch>): void {
    for (const { abort } of batches) abort()
  }

  private refuse(reason: string): void {
    this.refused++
    this.options.tell({ what: 'refused', reason })
  }
}
