import type { Clock, TimerHandle } from '../clock.ts'

/** Lines in any second: those at once, those with counts, and the one about the others. */
const NEW_LINES = 6
const COUNTED_LINES = 9
const ALL_LINES = 10
const SECOND = 1000
/** How long equal lines are counted before their number is told, in milliseconds. */
const PERIOD = 5000
/** Different lines that are counted at the same time; others are only counted together. */
const KINDS = 64

/**
 * A log that strangers cannot fill: at most ten lines in any second. Lines with the same key are
 * written once and then counted.
 */
export class LimitedLog {
  private readonly repeated = new Map<string, { line: string; count: number }>()
  private leftOut = 0
  /** When the last lines were written, oldest first. */
  private readonly written: number[] = []
  private timer: TimerHandle | null = null

  constructor(
    private readonly clock: Clock,
    private readonly log: (line: string) => void,
  ) {}

  write(line: string, key: string = line): void {
    const known = this.repeated.get(key)
    if (known !== undefined) {
      known.line = line
      known.count++
      return
    }
    if (this.repeated.size < KINDS) this.repeated.set(key, { line, count: 0 })
    if (!this.put(line, NEW_LINES)) this.leftOut++
    this.timer ??= this.clock.setTimeout(() => this.summarise(), PERIOD)
  }

  /** Tells at last what was counted. */
  close(): void {
    if (this.timer !== null) this.clock.clearTimeout(this.timer)
    this.timer = null
    this.summariseRepeated()
    for (const { count } of this.repeated.values()) this.leftOut += count
    this.repeated.clear()
    this.summariseOthers()
  }

  private put(line: string, limit: number): boolean {
    const now = this.clock.now()
    while (this.written.length > 0 && this.written[0] <= now - SECOND) this.written.shift()
    if (this.written.length >= limit) return false
    this.written.push(now)
    this.log(line)
    return true
  }

  private summarise(): void {
    this.timer = null
    this.summariseRepeated()
    this.summariseOthers()
    if (this.repeated.size > 0 || this.leftOut > 0) {
      this.timer = this.clock.setTimeout(() => this.summarise(), PERIOD)
    }
  }

  private summariseRepeated(): void {
    for (const [key, entry] of this.repeated) {
      const { line, count } = entry
      const times = count === 1 ? 'once more' : `${count} more times`
      if (count === 0) this.repeated.delete(key)
      else if (this.put(`${line} (${times})`, COUNTED_LINES)) entry.count = 0
    }
  }

  private summariseOthers(): void {
    const others = `${this.leftOut} other lines were left out`
    if (this.leftOut > 0 && this.put(others, ALL_LINES)) this.leftOut = 0
  }
}
