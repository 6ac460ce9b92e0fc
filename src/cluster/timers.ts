/** The longest that a timer of Node can wait; it would ring at once if told to wait longer. */
const LONGEST = 2 ** 31 - 1

/** The alarm clocks of one member, by number, in real milliseconds. */
export class MemberTimers {
  private readonly timers = new Map<number, NodeJS.Timeout>()

  constructor(private readonly ring: (alarm: number) => void) {}

  get pending(): boolean {
    return this.timers.size > 0
  }

  set(alarm: number, milliseconds: number): void {
    this.clear(alarm)
    const nap = Math.min(milliseconds, LONGEST)
    const timer = setTimeout(() => {
      if (milliseconds > nap) return this.set(alarm, milliseconds - nap)
      this.timers.delete(alarm)
      this.ring(alarm)
    }, nap)
    this.timers.set(alarm, timer)
  }

  clear(alarm: number): void {
    clearTimeout(this.timers.get(alarm))
    this.timers.delete(alarm)
  }

  clearAll(): void {
    for (const alarm of [...this.timers.keys()]) this.clear(alarm)
  }
}
