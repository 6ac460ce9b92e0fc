import type { Jobs } from './executor.ts'

/** A job with its number, from 0, in the order in which jobs are taken. */
export interface NumberedJob<Input> {
  readonly index: number
  readonly input: Input
}

/**
 * Hands out the jobs of a study as they are asked for, and takes back those that were not executed.
 * Jobs that have to be waited for are handed out one by one.
 */
export class JobQueue<Input> {
  private readonly next: () => IteratorResult<Input> | Promise<IteratorResult<Input>>
  private readonly ready: NumberedJob<Input>[] = []
  private readonly length: number | undefined
  private waiting: (() => void)[] = []
  private taken = 0
  private outstanding = 0
  /** Whether the iterable is at its end, and whether its next job is awaited. */
  private exhausted = false
  private pulling = false
  private failure: { readonly error: unknown } | null = null

  constructor(
    jobs: Jobs<Input>,
    private readonly signal: AbortSignal,
  ) {
    const iterator =
      Symbol.asyncIterator in jobs ? jobs[Symbol.asyncIterator]() : jobs[Symbol.iterator]()
    this.next = () => iterator.next()
    this.length = jobs.length
    signal.addEventListener('abort', () => {
      this.wake()
      // Not awaited: an iterable that waits for something would delay the end.
      Promise.resolve(iterator.return?.()).catch(() => {})
    })
  }

  /** The number of jobs that have not ended; infinite if nobody knows. */
  get left(): number {
    const unseen = this.exhausted ? 0 : (this.length ?? Number.POSITIVE_INFINITY) - this.taken
    return unseen + this.ready.length + this.outstanding
  }

  /** At most this many jobs; none when all have ended or the study is aborted. */
  async take(most: number): Promise<readonly NumberedJob<Input>[]> {
    for (;;) {
      if (this.signal.aborted) return []
      if (this.failure !== null) throw this.failure.error
      while (this.ready.length < most && !this.exhausted && !this.pulling) this.pull()
      const batch = this.ready.splice(0, most)
      this.outstanding += batch.length
      if (batch.length > 0) return batch
      // Others may give back jobs until theirs have ended.
      if (this.exhausted && this.outstanding === 0) return []
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
  }

  /** So many taken jobs have ended, apart from those that must be executed again. */
  finish(count: number, again: readonly NumberedJob<Input>[] = []): void {
    this.outstanding -= count
    this.ready.unshift(...again)
    this.wake()
  }

  private pull(): void {
    const result = this.next()
    if (!(result instanceof Promise)) {
      this.add(result)
      return
    }
    this.pulling = true
    result
      .then(
        (next) => this.add(next),
        (error: unknown) => {
          this.failure = { error }
        },
      )
      .finally(() => {
        this.pulling = false
        this.wake()
      })
  }

  private add(next: IteratorResult<Input>): void {
    if (next.done) this.exhausted = true
    else this.ready.push({ index: this.taken++, input: next.value })
  }

  private wake(): void {
    const { waiting } = this
    this.waiting = []
    for (const resolve of waiting) resolve()
  }
}
