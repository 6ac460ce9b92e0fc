/** Equal lines within this time are counted, in milliseconds. */
const WINDOW = 10_000

/** Different lines in a second; more are counted, too. */
const LINES = 8

/**
 * A log that strangers cannot flood. The first line of a kind is passed on, equal ones within ten
 * seconds are counted and reported together. Lines beyond eight in a second are counted as well.
 */
export class CountingLog {
  private readonly repeated = new Map<string, { line: string; times: number; since: number }>()
  private second = 0
  private lines = 0
  private omitted = 0
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly write: (line: string) => void) {}

  /** `kind`: lines of the same kind count as equal, although they name other ports. */
  log(line: string, kind = line): void {
    const now = performance.now()
    const known = this.repeated.get(kind)
    if (known !== undefined && now - known.since < WINDOW) {
      known.times++
      known.line = line
    } else if (this.isFull(now)) this.omitted++
    else {
      this.report(kind)
      this.repeated.set(kind, { line, times: 0, since: now })
      this.write(line)
    }
    this.timer ??= setTimeout(() => this.flush(), WINDOW).unref()
  }

  /** Reports what was counted. */
  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    for (const kind of [...this.repeated.keys()]) this.report(kind)
    if (this.omitted > 0) this.write(`${this.omitted} further lines were left out`)
    this.omitted = 0
  }

  private isFull(now: number): boolean {
    const second = Math.floor(now / 1000)
    if (second !== this.second) this.lines = 0
    this.second = second
    return ++this.lines > LINES
  }

  private report(kind: string): void {
    const known = this.repeated.get(kind)
    this.repeated.delete(kind)
    if (known === undefined || known.times === 0) return
    this.write(`${known.line} (and ${known.times} more like this)`)
  }
}
