import type { BatchedJob, BatchReport, JobOutcome } from './protocol.ts'

/** A job is given up after so many tries. */
export const TRIES = 3

/** A job that has no result yet. */
export interface OutstandingJob extends BatchedJob {
  /** Its places in the study: the same job may be asked for several times. */
  readonly indexes: number[]
  tries: number
}

export interface OutstandingBatch {
  readonly batch: string
  readonly jobs: readonly OutstandingJob[]
  readonly tries: number
}

/** What a report means for the study. */
export interface Settlement {
  readonly ended: readonly { readonly job: OutstandingJob; readonly outcome: JobOutcome }[]
  /** How many of its jobs were delivered once more. */
  readonly redelivered: number
}

/** The jobs that are with workers: which batch has them, and how often they were tried. */
export class OutstandingJobs {
  private readonly jobs = new Map<string, OutstandingJob>()
  private readonly batches = new Map<string, OutstandingBatch>()
  /** To be sent again: those that were handed back, and those that were tried without success. */
  private readonly again: OutstandingJob[] = []

  get size(): number {
    return this.jobs.size
  }

  get published(): number {
    return this.batches.size
  }

  /** Whether the job has to be sent; if not, the same one is under way. */
  add(id: string, input: unknown, index: number): OutstandingJob | null {
    const known = this.jobs.get(id)
    if (known !== undefined) {
      known.indexes.push(index)
      return null
    }
    const job = { id, input, indexes: [index], tries: 0 }
    this.jobs.set(id, job)
    return job
  }

  /** At most so many jobs that go out again. What was tried before goes alone. */
  repeated(most: number): OutstandingJob[] {
    const found: OutstandingJob[] = []
    for (let [job] = this.again; job !== undefined; [job] = this.again) {
      const alone = job.tries > 0
      if (found.length === most || (alone && found.length > 0)) return found
      this.again.shift()
      if (this.jobs.get(job.id) === job) found.push(job)
      if (alone && found.length > 0) return found
    }
    return found
  }

  publish(batch: string, jobs: readonly OutstandingJob[]): OutstandingBatch {
    const published = { batch, jobs, tries: Math.max(...jobs.map(({ tries }) => tries)) }
    this.batches.set(batch, published)
    return published
  }

  /** Whether a batch has no report yet. */
  has(batch: string): boolean {
    return this.batches.has(batch)
  }

  /** Each result counts once, whichever batch brought it. */
  settle({ batch, jobs, deliveries, returned }: BatchReport): Settlement {
    const ended: { job: OutstandingJob; outcome: JobOutcome }[] = []
    const sent = this.batches.get(batch)
    this.batches.delete(batch)
    const failed = new Map<string, string>()
    for (const { id, outcome } of jobs) {
      const job = this.jobs.get(id)
      if (job === undefined) continue
      if (!('failed' in outcome)) ended.push(this.end(job, outcome))
      // What an unknown batch says about failures was counted before.
      else if (sent !== undefined) failed.set(id, outcome.failed)
    }
    const rest = sent?.jobs.filter((job) => this.jobs.get(job.id) === job) ?? []
    for (const job of rest) {
      // Its worker did not answer; a batch that was handed back counts as before.
      const lost = returned === 'redelivered' ? deliveries - 1 : 0
      job.tries = Math.max(job.tries, sent!.tries + lost)
      const reason = failed.get(job.id)
      if (reason !== undefined) job.tries++
      if (job.tries < TRIES) this.again.push(job)
      else ended.push(this.end(job, { failed: reason ?? unanswered(job.tries) }))
    }
    const redelivered = sent !== undefined && deliveries > 1 ? sent.jobs.length : 0
    return { ended, redelivered }
  }

  /** The server gave a batch up: nobody who got it answered. */
  giveUp(batch: string): Settlement {
    const sent = this.batches.get(batch)
    if (sent === undefined) return { ended: [], redelivered: 0 }
    // One of several jobs is the reason: each has another try, alone.
    const deliveries = sent.jobs.length === 1 ? TRIES + 1 : TRIES
    const unknown = { study: '', worker: '', jobs: [] }
    return this.settle({ ...unknown, batch, deliveries, returned: 'redelivered' })
  }

  /** A batch that the server lost is sent once more. */
  repeat(batch: string): void {
    const sent = this.batches.get(batch)
    this.batches.delete(batch)
    for (const job of sent?.jobs ?? []) if (this.jobs.get(job.id) === job) this.again.push(job)
  }

  private end(job: OutstandingJob, outcome: JobOutcome) {
    this.jobs.delete(job.id)
    return { job, outcome }
  }
}

function unanswered(tries: number): string {
  return `none of ${tries} workers that got it answered`
}
