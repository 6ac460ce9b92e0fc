import type { Clock, TimerHandle } from '../../cluster/clock.ts'
import type { LeaderTerm } from '../node.ts'

/** The lease on which a term rests. */
export interface TermLease {
  /** Whether this process leads in this term at this instant. */
  holds(token: number): boolean
  remaining(token: number): number
}

/** A term of this process, and the work that is done in it. */
export class RunningTerm implements LeaderTerm {
  private readonly controller = new AbortController()
  private workers = 0
  private waiting: (() => void)[] = []
  private watching: (() => void)[] = []
  private isOver = false
  private watch: { readonly clock: Clock; readonly timer: TimerHandle } | null = null
  /** Why the work was told to end; null while it may go on. */
  ending: string | null = null
  /** Resolves to whether the lease was given back, after the work was told to end. */
  ended: Promise<boolean> = Promise.resolve(false)
  /** The work has not ended in time: the lease is not renewed any more, and not given back. */
  abandoned = false

  constructor(
    readonly role: string,
    readonly token: number,
    /** When this process was elected. */
    readonly since: number,
    private readonly lease: TermLease,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** The lease has ended, or was released: for good. */
  get over(): boolean {
    return this.isOver
  }

  get valid(): boolean {
    return !this.isOver && this.lease.holds(this.token)
  }

  get remaining(): number {
    return this.isOver ? 0 : this.lease.remaining(this.token)
  }

  /** Tells the work to end. Returns whether it had not been told before. */
  abort(why: string): boolean {
    if (this.ending !== null) return false
    this.ending = why
    if (this.watch !== null) this.watch.clock.clearTimeout(this.watch.timer)
    this.controller.abort(new DOMException(`role ${this.role}: ${why}`, 'AbortError'))
    return true
  }

  /** The lease has ended: the term never becomes valid again. */
  conclude(why: string): void {
    this.isOver = true
    this.abort(why)
    const { watching } = this
    this.watching = []
    for (const run of watching) run()
  }

  whenOver(run: () => void): void {
    if (this.isOver) run()
    else this.watching.push(run)
  }

  /**
   * Tells the work to end, and calls `release` once it has. If it has not ended by the limit, the
   * lease is left to run out. Resolves to what `release` returned; false where it was not called.
   */
  end(why: string, limit: number, clock: Clock, release: () => boolean): Promise<boolean> {
    if (!this.abort(why)) return this.ended
    this.ended = new Promise((resolve) => {
      const decide = (releases: boolean) => {
        if (timer === null) return
        clock.clearTimeout(timer)
        timer = null
        this.abandoned = !releases
        resolve(releases && release())
      }
      let timer: TimerHandle | null = clock.setTimeout(() => decide(false), limit)
      this.whenIdle(() => decide(true))
      this.whenOver(() => decide(false))
    })
    return this.ended
  }

  /** Calls back if the lease is not renewed early enough before its end. */
  watchLease(clock: Clock, notice: number, tooLate: () => void): void {
    this.lookAtLease = () => {
      if (this.ending !== null) return
      if (this.watch !== null) this.watch.clock.clearTimeout(this.watch.timer)
      const left = this.remaining - notice
      if (left <= 0) tooLate()
      else this.watch = { clock, timer: clock.setTimeout(this.lookAtLease, Math.max(1, left)) }
    }
    this.lookAtLease()
  }

  /** The lease may have been renewed, and need not be looked at so soon. */
  lookAtLease = (): void => {}

  get working(): boolean {
    return this.workers > 0
  }

  beginWork(): void {
    this.workers++
  }

  endWork(): void {
    this.workers--
    if (this.workers > 0) return
    const { waiting } = this
    this.waiting = []
    for (const resolve of waiting) resolve()
  }

  /** Calls back when no work is done any more: at once if none is. */
  whenIdle(run: () => void): void {
    if (this.working) this.waiting.push(run)
    else run()
  }
}

/** The same promise, which the signal ends: it then rejects with the reason of the signal. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The terms of a role at this process, one after the other. */
export interface TermSource {
  /** The present term; null while this process does not lead. */
  readonly current: RunningTerm | null
  readonly closed: boolean
  /** Calls back after every change of the above; returns what stops that. */
  watch(run: () => void): () => void
  /** A loop begins, or has ended. */
  loops(more: 1 | -1): Promise<void>
  end(term: RunningTerm, why: string): void
}

/** A turn for each term, until the signal is aborted or the source is closed. */
export async function* termLoop(
  source: TermSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunningTerm, void, undefined> {
  if (signal?.aborted) return
  await source.loops(1)
  const abort = () => {
    if (source.current !== null) source.end(source.current, 'the signal of its loop was aborted')
  }
  signal?.addEventListener('abort', abort)
  try {
    let last: RunningTerm | null = null
    for (;;) {
      const term = await nextTerm(source, last, signal)
      if (term === null) return
      last = term
      term.beginWork()
      try {
        yield term
      } finally {
        term.endWork()
      }
      // Nobody does the work any more: another process should.
      source.end(term, 'its work has ended')
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    await source.loops(-1)
  }
}

/** The term after `last`, as soon as there is one; null where there will be none. */
function nextTerm(
  source: TermSource,
  last: RunningTerm | null,
  signal: AbortSignal | undefined,
): Promise<RunningTerm | null> {
  return new Promise((resolve) => {
    const look = () => {
      const { current: term, closed } = source
      const over = closed || signal?.aborted === true
      const found = term !== null && term !== last && term.ending === null && term.valid
      if (!over && !found) return
      stop()
      signal?.removeEventListener('abort', look)
      resolve(over ? null : term)
    }
    const stop = source.watch(look)
    signal?.addEventListener('abort', look)
    look()
  })
}
