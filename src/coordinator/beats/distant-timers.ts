import type { Clock, TimerHandle } from '../../cluster/clock.ts'

interface DistantTimer {
  readonly run: () => void
  readonly due: number
  /** That of the clock, which may have fired; null while the timer waits for a beat. */
  handle: TimerHandle | null
}

/**
 * A clock whose timers do not wake up the process in vain. Most timers of a role are set again at
 * every beat, and never fire; the runtime wakes up for them all the same. So a timer that is due
 * after the next beat waits for that beat, and is given to the clock only then.
 */
export class DistantTimers implements Clock {
  private readonly waiting = new Set<DistantTimer>()

  constructor(
    private readonly clock: Clock,
    /** The time up to which timers are given to the clock at once. */
    private readonly near: () => number,
  ) {}

  get resolution(): number | undefined {
    return this.clock.resolution
  }

  now(): number {
    return this.clock.now()
  }

  elapsed(): number {
    return this.clock.elapsed()
  }

  setTimeout(run: () => void, milliseconds: number): TimerHandle {
    const timer: DistantTimer = { run, due: this.clock.now() + milliseconds, handle: null }
    if (timer.due > this.near()) this.waiting.add(timer)
    else timer.handle = this.clock.setTimeout(run, milliseconds)
    return timer
  }

  clearTimeout(handle: TimerHandle): void {
    const timer = handle as DistantTimer
    this.waiting.delete(timer)
    if (timer.handle !== null) this.clock.clearTimeout(timer.handle)
  }

  /** A beat, or the end of them: timers that do not wait for the next one go to the clock. */
  beat(): void {
    const near = this.near()
    const now = this.clock.now()
    for (const timer of [...this.waiting]) {
      if (timer.due > near) continue
      this.waiting.delete(timer)
      timer.handle = this.clock.setTimeout(timer.run, Math.max(0, timer.due - now))
    }
  }
}
