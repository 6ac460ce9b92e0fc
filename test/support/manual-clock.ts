import type { Clock } from '../../src/cluster/clock.ts'

interface Timer {
  readonly due: number
  readonly run: () => void
}

/** A clock that stands still until a test moves it on. */
export class ManualClock implements Clock {
  private time = 0
  private suspended = 0
  private readonly timers = new Set<Timer>()

  constructor(readonly resolution = 0) {}

  now(): number {
    return this.time
  }

  elapsed(): number {
    const exact = this.time + this.suspended
    return this.resolution === 0 ? exact : Math.floor(exact / this.resolution) * this.resolution
  }

  setTimeout(run: () => void, milliseconds: number): Timer {
    const timer = { due: this.time + milliseconds, run }
    this.timers.add(timer)
    return timer
  }

  clearTimeout(timer: unknown): void {
    this.timers.delete(timer as Timer)
  }

  /** Lets time pass; timers fire when they are due. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds
    for (;;) {
      const [next] = [...this.timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
      if (next === undefined) break
      this.timers.delete(next)
      this.time = Math.max(this.time, next.due)
      next.run()
    }
    this.time = end
  }

  /** Time passes, and the process has not looked yet: it was stopped, or its event loop blocked. */
  block(milliseconds: number): void {
    this.time += milliseconds
  }

  /** The machine is suspended: only the clock that counts such time goes on. */
  suspend(milliseconds: number): void {
    this.suspended += milliseconds
  }
}
