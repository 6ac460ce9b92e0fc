import { channel } from 'node:diagnostics_channel'
import type { Clock } from '../../cluster/clock.ts'

/** How much an entry matters, from the least on. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
/** One of `LOG_LEVELS`. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What an entry is about. Any other fields say more, and do not make entries differ. */
export interface LogFields {
  readonly role?: string
  readonly term?: number
  readonly member?: string
  readonly [name: string]: string | number | boolean | null | undefined
}

/** One entry of a log. */
export interface LogEntry extends LogFields {
  readonly level: LogLevel
  /** What happened, for programs: `elected`, `link-down`. */
  readonly event: string
  /** The same for people, in one line. */
  readonly message: string
  /** How many equal entries were left out since the last one. */
  readonly repeated?: number
}

/** Gets the entries of a log; it must not throw. */
export type LogHook = (entry: LogEntry) => void

/** The same entries as hooks get, of all members of this process. */
const entries = channel('conclave:coordinator')

/** Equal entries within this time are counted, in milliseconds. */
const WINDOW = 1000
/** In that time at most so many entries are logged, whatever strangers do. */
const ENTRIES_MAX = 10

interface Counted {
  readonly entry: LogEntry
  repeated: number
}

/** Passes entries on to a hook; equal ones are counted instead of repeated. */
export class Log {
  private readonly seen = new Map<string, Counted>()
  private logged = 0
  private leftOut = 0
  private timer: unknown = null

  constructor(
    private readonly clock: Clock,
    private readonly hook: LogHook = () => {},
  ) {}

  debug(event: string, message: string, fields?: LogFields): void {
    this.write('debug', event, message, fields)
  }

  info(event: string, message: string, fields?: LogFields): void {
    this.write('info', event, message, fields)
  }

  warn(event: string, message: string, fields?: LogFields): void {
    this.write('warn', event, message, fields)
  }

  error(event: string, message: string, fields?: LogFields): void {
    this.write('error', event, message, fields)
  }

  /** Logs what was only counted so far. */
  close(): void {
    if (this.timer === null) return
    this.clock.clearTimeout(this.timer)
    this.endWindow()
  }

  private write(level: LogLevel, event: string, message: string, fields: LogFields = {}): void {
    const entry: LogEntry = { level, event, message, ...fields }
    const { role, term, member } = fields
    const key = JSON.stringify([level, event, message, role, term, member])
    this.timer ??= this.clock.setTimeout(() => this.endWindow(), WINDOW)
    const counted = this.seen.get(key)
    if (counted !== undefined) {
      counted.repeated++
      return
    }
    if (this.logged >= ENTRIES_MAX) {
      this.leftOut++
      return
    }
    this.logged++
    this.seen.set(key, { entry, repeated: 0 })
    this.emit(entry)
  }

  private endWindow(): void {
    this.timer = null
    const { leftOut } = this
    const repeated = [...this.seen.values()].filter((one) => one.repeated > 0)
    this.seen.clear()
    this.logged = 0
    this.leftOut = 0
    for (const { entry, repeated: times } of repeated) this.emit({ ...entry, repeated: times })
    if (leftOut > 0) {
      const message = `${leftOut} further entries within a second were left out`
      this.emit({ level: 'warn', event: 'left-out', message, count: leftOut })
    }
  }

  private emit(entry: LogEntry): void {
    this.hook(entry)
    if (entries.hasSubscribers) entries.publish(entry)
  }
}
