import type { Io } from '../io.ts'

/** Work that ends sooner shows no progress. */
const QUIET_MS = 1000
const REFRESH_MS = 200
/** A smaller share of the work says too little about the rest. */
const SHARE_TOLD = 0.02
const CLEAR = '\r\x1b[K'

/**
 * The one line on standard error that says how far a command is. It is rewritten in place, and
 * nothing is written where standard error is no terminal.
 */
export class ProgressLine {
  private readonly begun = Date.now()
  private shownAt = 0

  constructor(
    private readonly io: Pick<Io, 'err' | 'progress'>,
    private readonly quietMs = QUIET_MS,
  ) {}

  get elapsedMs(): number {
    return Date.now() - this.begun
  }

  /** The text is only made where it is shown. */
  show(text: () => string): void {
    const now = Date.now()
    const early = now - this.begun < this.quietMs || now - this.shownAt < REFRESH_MS
    if (!this.io.progress || early) return
    this.shownAt = now
    this.io.err(`${CLEAR}${text()}`)
  }

  /** How long the rest takes if it goes on as fast, in words; nothing before that can be told. */
  timeLeft(share: number): string {
    if (!(share > SHARE_TOLD && share < 1)) return ''
    const seconds = Math.ceil((this.elapsedMs * (1 - share)) / share / 1000)
    const text = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
    return `, about ${text} left`
  }

  /** Takes the line back, so that other text can be printed. */
  clear(): void {
    if (this.shownAt > 0) this.io.err(CLEAR)
    this.shownAt = 0
  }
}

/** The CPU time of this process so far, of all its threads. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function explorationSpeed(states: number, cpuMs: number) {
  return { cpuMs, statesPerSecond: Math.round((states / cpuMs) * 1000) }
}
