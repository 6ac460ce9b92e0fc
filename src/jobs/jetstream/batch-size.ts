/** About a second: batches cost little, and a dead worker loses little. */
const BATCH_MS = 1000
/** With very many workers batches take longer: more than 200 a second would keep a caller busy. */
const MS_PER_WORKER = 5
/** The most jobs without a result: they are in the caller's memory. */
export const MOST_OUTSTANDING = 200_000
const MOST_JOBS = 2000
/** Old measurements count less: jobs of a sweep take longer and longer. */
const MEMORY = 0.8
/** The first measurements are of cold code, so that sizes grow step by step. */
const GROWTH = 4

/** The time that a batch should take, if workers execute so many jobs at a time. */
export function batchMs(parallel: number): number {
  return Math.max(BATCH_MS, MS_PER_WORKER * parallel)
}

/** Chooses how many jobs a batch has, from the times that workers report. */
export class BatchSize {
  private jobs = 0
  private ms = 0
  private largest = 1

  /** A worker needed this time for so many jobs. */
  measured(jobs: number, ms: number): void {
    if (jobs === 0) return
    this.jobs = this.jobs * MEMORY + jobs
    this.ms = this.ms * MEMORY + ms
    this.largest = Math.min(MOST_JOBS, Math.max(this.largest, jobs * GROWTH))
  }

  /** The jobs of the next batch, if `rest` are left for so many at a time (if that is known). */
  next(rest: number | null, parallel: number): number {
    if (this.jobs === 0) return 1
    const each = Math.max(this.ms / this.jobs, BATCH_MS / MOST_JOBS)
    const most = Math.min(this.largest, Math.floor(MOST_OUTSTANDING / windowOf(parallel)))
    const size = Math.min(most, Math.floor(batchMs(parallel) / each))
    // At the end all workers get a part.
    const share = rest === null ? size : Math.ceil(rest / Math.max(1, 2 * parallel))
    return Math.max(1, Math.min(size, share))
  }
}

/** Batches for each job that workers execute at a time, so that none of them waits. */
const AHEAD = 2
const WINDOW = { least: 4, most: 20_000 }

/** How many batches may be without a report, if workers execute so many jobs at a time. */
export function windowOf(parallel: number): number {
  return Math.min(WINDOW.most, Math.max(WINDOW.least, AHEAD * parallel + 2))
}
