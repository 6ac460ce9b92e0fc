import { uptime } from 'node:os'

/** A timer that was set, for `clearTimeout`. */
export type TimerHandle = unknown

/** The clocks and timers of a member, in milliseconds. A simulation provides virtual ones. */
export interface Clock {
  /** A clock that never jumps; it may stand still while the machine is suspended. */
  now(): number
  /** A clock that also counts the time while the machine is suspended; its steps may be coarse. */
  elapsed(): number
  /** The largest step of `elapsed` in milliseconds; 10 where it is left out. */
  readonly resolution?: number | undefined
  setTimeout(run: () => void, milliseconds: number): TimerHandle
  clearTimeout(handle: TimerHandle): void
}

/**
 * Milliseconds after which the clock that counts suspended time is read again. It is short, since a
 * machine without a battery behind its wall clock notices a suspension only then.
 */
const FRESH = 20
/** By so much two readings of the wall clock may differ for other reasons than a suspension. */
const JITTER = 2

/**
 * A clock that counts suspended time: the monotonic clock, plus how far the time since the boot is
 * ahead of it. Reading that one takes three system calls, so it is not read at every look, but
 * whenever the wall clock has moved against the monotonic one, as it does by every suspension.
 */
function sinceBoot(): () => number {
  let ahead = 0
  let wallAhead = Number.NaN
  let read = 0
  return () => {
    const now = performance.now()
    const moved = Math.abs(Date.now() - now - wallAhead)
    if (!(moved <= JITTER && now - read < FRESH)) {
      ahead = uptime() * 1000 - now
      wallAhead = Date.now() - now
      read = now
    }
    return now + ahead
  }
}

/** The clocks of this machine. Only Linux has one that counts suspended time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  elapsed: process.platform === 'linux' ? sinceBoot() : () => Date.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
}
