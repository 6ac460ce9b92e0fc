import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../../core/usage-error.ts'
import { isStoreFull, refusedBy } from '../../nats/jetstream.ts'
import type { StudyListener, Work } from '../executor.ts'
import type { JobQueue, NumberedJob } from '../job-queue.ts'
import { BatchSize, batchMs, MOST_OUTSTANDING, windowOf } from './batch-size.ts'
import { type OutstandingJob, OutstandingJobs, type Settlement } from './outstanding-jobs.ts'
import {
  type BatchReport,
  encode,
  ForeignMessage,
  type JobOutcome,
  jobIds,
  readReport,
  SUBJECT,
} from './protocol.ts'
import type { ClaimedStudy } from './study-claim.ts'
import { type ReportReader, type StoredReport, type StudyQueue, uniqueName } from './study-queue.ts'
import { type KnownWorkers, machinesOf } from './workers.ts'

const TICK_MS = 2000
const RETRY_MS = 500
/** After so many ticks without a report it is asked whether the server has forgotten the study. */
const QUIET_TICKS = 5
const RESTORE_MS = 3600_000
/** Without room in the store for this long, a study fails. */
const FULL_MS = 60_000
/** As the server says it. */
const FULL = 'insufficient storage resources'
/** Larger batches would be slow to publish. */
const BATCH_BYTES = 256 * 1024

/** The place where jobs are executed has failed, and none of the jobs: their results are kept. */
export class ExecutionFailure extends UsageError {}

/** One study of a caller: its jobs go out in batches, and reports of workers come back. */
export class StudyRun<Input, Output> {
  private readonly outstanding = new OutstandingJobs()
  private readonly size = new BatchSize()
  private readonly sequences = new Map<string, number>()
  private readonly idOf: (input: unknown) => string
  /** The outcomes that were stored before this call, by the ids of their jobs. */
  private readonly earlier = new Map<string, JobOutcome>()
  private taking = false
  /** Reports that were stored before, and are not read yet: they may save jobs. */
  private stored = 0
  private redeliveries = 0
  private refused = 0
  private quietTicks = 0
  private settled = false
  private hinted = false
  private fullSince: number | null = null
  /** Why nobody takes jobs. */
  private waiting: string | null = null
  /** The number of the last report in its stream. */
  private last = 0
  private reader: ReportReader | null = null
  private restoring = false
  private restoredAt = Date.now()
  private readonly end: Promise<void>
  private resolve!: () => void
  private reject!: (error: unknown) => void

  constructor(
    private readonly queue: StudyQueue,
    private readonly study: ClaimedStudy,
    private readonly workers: KnownWorkers,
    work: Work,
    private readonly jobs: JobQueue<Input>,
    private readonly listener: StudyListener<Output>,
    private readonly stop: AbortSignal,
  ) {
    this.idOf = jobIds(work)
    this.end = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // Whoever waits for the end gets the error.
    this.end.catch(() => {})
  }

  /** Until all jobs have ended or the study is aborted. */
  async run(): Promise<void> {
    const { queue, study, stop } = this
    stop.addEventListener('abort', () => this.resolve())
    let unwatch = () => {}
    let timer: NodeJS.Timeout | undefined
    try {
      await this.openReports()
      await queue.openJobs(study.id)
      unwatch = queue.watchGivenUp(study.id, (sequence) => void this.givenUp(sequence))
      timer = setInterval(() => {
        this.tick().catch((error) => this.reject(error))
      }, TICK_MS)
      this.pump()
      await this.end
    } finally {
      this.settled = true
      clearInterval(timer)
      unwatch()
      await this.reader?.close().catch(() => {})
    }
  }

  private async openReports(): Promise<void> {
    const { id } = this.study
    const reader = await this.queue.reports(id, `${id}-${uniqueName()}`)
    if (this.reader === null) this.stored = reader.stored
    this.reader = reader
    if (this.settled) await reader.close()
    else void this.follow(reader.messages)
  }

  /** Called by the executor, which knows the connection. */
  reconnected(): void {
    void this.restore()
    this.pump()
    this.hint()
  }

  /** Called when a worker comes or goes, too. */
  tellProgress(): void {
    const workers = this.study.usable(this.workers.all)
    const [count, machines] = [workers.length, machinesOf(workers)]
    const progress = { workers: count, machines, redeliveries: this.redeliveries }
    this.listener.event?.({ what: 'progress', progress })
  }

  /** The connection has ended for good. */
  fail(error: Error): void {
    this.reject(error)
  }

  private async follow(messages: AsyncIterable<StoredReport>): Promise<void> {
    try {
      for await (const message of messages) {
        const report = await this.readReport(message)
        if (this.settled) return
        if (report === undefined) continue
        message.ack()
        if (report !== null) this.receive(report)
        this.stored--
        if (this.stored === 0) this.pump()
      }
    } catch (error) {
      this.reject(error)
    }
  }

  /** Null if it is none of ours; undefined if it could not be read, and is delivered again. */
  private async readReport({ data, seq }: StoredReport): Promise<BatchReport | null | undefined> {
    try {
      const report = readReport(await this.queue.objects.unpacked(data))
      if (report.study !== this.study.id) throw new ForeignMessage('of another study')
      this.last = seq
      return report
    } catch (error) {
      if (!(error instanceof ForeignMessage)) return undefined
      this.refused++
      const reason = `a report of a worker: ${error.message}`
      this.listener.event?.({ what: 'refused', reason, count: this.refused })
      return null
    }
  }

  private receive(report: BatchReport): void {
    this.quietTicks = 0
    this.fullSince = null
    const ms = report.jobs.reduce((sum, job) => sum + job.ms, 0)
    this.size.measured(report.jobs.length, ms)
    if (this.stored > 0)
      for (const { id, outcome } of report.jobs)
        if ('output' in outcome) this.earlier.set(id, outcome)
    this.sequences.delete(report.batch)
    const settlement = this.outstanding.settle(report)
    if (settlement.redelivered > 0) {
      this.redeliveries += settlement.redelivered
      const { worker } = report
      this.listener.event?.({ what: 'redelivered', jobs: settlement.redelivered, worker })
    }
    this.conclude(settlement)
  }

  /** Tells the listener, and sends what comes next. */
  private conclude({ ended }: Settlement): void {
    for (const { job, outcome } of ended) {
      if (this.settled || this.stop.aborted) return
      for (const index of job.indexes) this.tell(index, outcome)
      this.jobs.finish(job.indexes.length)
    }
    this.pump()
  }

  private tell(index: number, outcome: JobOutcome): void {
    try {
      if ('output' in outcome) this.listener.done(index, outcome.output as Output)
      else if ('error' in outcome) throw new UsageError(...outcome.error)
      else if (this.listener.failed !== undefined) this.listener.failed(index, outcome.failed)
      else
        throw new UsageError(
          `job ${index}`,
          `It was given up after three tries: ${outcome.failed}.`,
        )
    } catch (error) {
      this.reject(error)
    }
  }

  /** Publishes batches as long as there is room for them. */
  private pump(): void {
    while (!this.settled && !this.stop.aborted && this.stored <= 0 && this.hasRoom) {
      const size = this.size.next(this.restJobs, this.parallel)
      const again = this.outstanding.repeated(size)
      if (again.length > 0) {
        this.publish(again)
        continue
      }
      if (this.taking) return
      this.taking = true
      this.jobs.take(size).then(
        (jobs) => {
          this.taking = false
          this.send(jobs)
        },
        (error) => this.reject(error),
      )
    }
  }

  private send(jobs: readonly NumberedJob<Input>[]): void {
    if (jobs.length === 0) {
      this.resolve()
      return
    }
    let batch: OutstandingJob[] = []
    let bytes = 0
    for (const { index, input } of jobs) {
      const id = this.idOf(input)
      const known = this.earlier.get(id)
      if (known !== undefined) {
        this.tell(index, known)
        this.jobs.finish(1)
        continue
      }
      const job = this.outstanding.add(id, input, index)
      if (job === null) continue
      const size = JSON.stringify(input).length
      if (batch.length > 0 && bytes + size > BATCH_BYTES) {
        this.publish(batch)
        ;[batch, bytes] = [[], 0]
      }
      batch.push(job)
      bytes += size
    }
    if (batch.length > 0) this.publish(batch)
    this.pump()
  }

  private publish(jobs: readonly OutstandingJob[]): void {
    const { batch, tries } = this.outstanding.publish(uniqueName(), jobs)
    const message = {
      study: this.study.id,
      batch,
      tries,
      ms: batchMs(this.parallel),
      jobs: jobs.map(({ id, input }) => ({ id, input })),
    }
    const attempt = async () => {
      while (!this.settled && !this.stop.aborted)
        try {
          const sequence = await this.queue.publishBatch(message)
          this.fullSince = null
          if (this.outstanding.has(batch)) this.sequences.set(batch, sequence)
          // Somebody may be without work.
          if (!this.hinted || this.outstanding.published <= this.parallel) this.hint()
          return
        } catch (error) {
          await this.waitForRoom(error)
          await sleep(RETRY_MS)
        }
    }
    attempt().catch((error) => this.reject(error))
  }

  /** A full store may have room again; other errors are of a connection that is lost. */
  private async waitForRoom(error: unknown): Promise<void> {
    if (!isStoreFull(error)) return
    const now = Date.now()
    if (this.fullSince === null) {
      this.fullSince = now
      this.listener.event?.({ what: 'waiting', reason: 'the store of the server is full' })
    } else if (now - this.fullSince > FULL_MS)
      throw new ExecutionFailure(...(refusedBy(error, this.study.server) as UsageError).parts)
    // The reports that were read are only needed by a caller that comes back.
    await this.queue.removeReports(this.study.id, this.last + 1).catch(() => {})
  }

  /** Tells workers that there are jobs; they also look by themselves from time to time. */
  private hint(): void {
    // Workers would look for a study that has ended.
    if (this.settled || this.stop.aborted) return
    this.hinted = true
    const { id, version, caller } = this.study
    const notice = encode({ study: id, version, caller, ended: false })
    this.queue.connection.publish(`${SUBJECT.callers}.${id}`, notice)
  }

  private async tick(): Promise<void> {
    if (this.settled || this.queue.connection.isClosed()) return
    this.workers.expire()
    this.tellWaiting()
    this.hint()
    this.pump()
    this.tellProgress()
    if (this.workers.all.some(({ full }) => full))
      await this.waitForRoom(new Error(FULL)).catch((error) => this.reject(error))
    this.quietTicks++
    // Reports that were counted may have been removed by their age.
    if (this.quietTicks > 5) this.stored = Math.min(this.stored, 0)
    if (this.quietTicks % QUIET_TICKS === 0 || Date.now() - this.restoredAt > RESTORE_MS)
      await this.restore()
    if (this.quietTicks > 1) await this.reconcile().catch(() => {})
  }

  /**
   * Makes again what the server has forgotten: consumers that were without a connection for long,
   * descriptions by their age, or everything. What fails now is tried again later.
   */
  private async restore(): Promise<void> {
    const { reader } = this
    if (this.restoring || reader === null) return
    this.restoring = true
    try {
      await this.study.restore()
      this.restoredAt = Date.now()
      if (await reader.exists()) return
      void reader.close().catch(() => {})
      // All that are stored are read again: each result counts once.
      await this.openReports()
    } catch {
    } finally {
      this.restoring = false
    }
  }

  /**
   * Looks for batches that neither wait nor are with a worker, although no report came: the server
   * gave them up while nobody listened, or it lost them.
   */
  private async reconcile(): Promise<void> {
    if (this.outstanding.published === 0) return
    const counts = await this.queue.counts(this.study.id)
    if (counts === null) return this.queue.openJobs(this.study.id)
    if (counts.waiting + counts.delivered > 0) return
    if (this.quietTicks < 3) return
    for (const [batch, sequence] of [...this.sequences])
      if (!(await this.giveUp(batch, sequence))) {
        this.sequences.delete(batch)
        this.outstanding.repeat(batch)
      }
    this.pump()
  }

  private async givenUp(sequence: number): Promise<void> {
    for (const [batch, published] of this.sequences)
      if (published === sequence) await this.giveUp(batch, sequence).catch(() => {})
  }

  /** Whether the batch was still in the stream. */
  private async giveUp(batch: string, sequence: number): Promise<boolean> {
    if (!(await this.queue.removeBatch(sequence))) return false
    if (this.sequences.delete(batch)) this.conclude(this.outstanding.giveUp(batch))
    return true
  }

  /** Says once that nobody takes the jobs, and again when the reason is another. */
  private tellWaiting(): void {
    const reason = this.study.lacking(this.workers.all)
    if (reason !== null && reason !== this.waiting)
      this.listener.event?.({ what: 'waiting', reason })
    this.waiting = reason
  }

  private get hasRoom(): boolean {
    const { published, size } = this.outstanding
    return published < windowOf(this.parallel) && size < MOST_OUTSTANDING
  }

  /** How many jobs are executed at a time. */
  private get parallel(): number {
    return this.study.usable(this.workers.all).reduce((sum, { parallel }) => sum + parallel, 0)
  }

  private get restJobs(): number | null {
    return Number.isFinite(this.jobs.left) ? this.jobs.left - this.outstanding.size : null
  }
}
