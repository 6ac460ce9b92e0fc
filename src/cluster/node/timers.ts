import { type Clock, systemClock, type TimerHandle } from '../clock.ts'

/** When a timer is due. */
export interface TimerSetting {
  /** By the clock `now`. */
  readonly due: number
  /** How far `elapsed` was ahead of `now` when it was set; more after a suspension. */
  readonly ahead: number
}

/** The longest delay of a JavaScript timer; a longer one would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1

/** The timers of one node, by number, in milliseconds. None fires before it is due. */
export class MemberTimers {
  private readonly settings = new Map<number, TimerSetting>()
  /** The timers that have changed since `save`, with their settings then. */
  private readonly before = new Map<number, TimerSetting | undefined>()
  private readonly handles = new Map<number, TimerHandle>()

  constructor(
    private readonly fire: (timer: number) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  get pending(): boolean {
    return this.settings.size > 0
  }

  /** The present setting of a timer; undefined where it is not set. */
  setting(timer: number): TimerSetting | undefined {
    return this.settings.get(timer)
  }

  /** Sets a timer that counts from the moment `start`. */
  set(timer: number, milliseconds: number, start = this.clock.now()): void {
    const { clock } = this
    this.remember(timer)
    this.settings.set(timer, {
      due: start + milliseconds,
      ahead: clock.elapsed() - clock.now(),
    })
    this.arm(timer)
  }

  /** Fires a timer now if it is due within this time. */
  fireSoon(timer: number, milliseconds: number): void {
    const setting = this.settings.get(timer)
    if (setting === undefined || setting.due > this.clock.now() + milliseconds) return
    this.clear(timer)
    this.fire(timer)
  }

  clear(timer: number): void {
    this.remember(timer)
    this.settings.delete(timer)
    this.disarm(timer)
  }

  clearAll(): void {
    for (const timer of [...this.settings.keys()]) this.clear(timer)
  }

  /** `restore` undoes everything from here on. */
  save(): void {
    this.before.clear()
  }

  /** Undoes everything since `save`. */
  restore(): void {
    for (const [timer, setting] of [...this.before]) {
      if (setting === undefined) this.clear(timer)
      else {
        this.settings.set(timer, setting)
        this.arm(timer)
      }
    }
    this.before.clear()
  }

  private remember(timer: number): void {
    if (!this.before.has(timer)) this.before.set(timer, this.settings.get(timer))
  }

  private arm(timer: number): void {
    this.disarm(timer)
    const { clock } = this
    const delay = this.settings.get(timer)!.due - clock.now()
    const handle = clock.setTimeout(
      () => this.reached(timer),
      Math.min(Math.max(delay, 0), LONGEST_DELAY),
    )
    this.handles.set(timer, handle)
  }

  private disarm(timer: number): void {
    const handle = this.handles.get(timer)
    if (handle !== undefined) this.clock.clearTimeout(handle)
    this.handles.delete(timer)
  }

  /** Timeouts of the runtime may come a little early. */
  private reached(timer: number): void {
    if (this.clock.now() < this.settings.get(timer)!.due) this.arm(timer)
    else {
      this.clear(timer)
      this.fire(timer)
    }
  }
}
