import { counted, grouped } from '../../core/text-format.ts'
import type { ExecutorEvent } from '../../jobs/executor.ts'
import type { Io } from '../io.ts'
import { ProgressLine } from '../terminal/progress.ts'

/** What happened while the jobs of a command were executed by workers: the file execution.json. */
export interface ExecutionSummary {
  /** The server, without credentials. */
  readonly server: string
  /** All that took part at some time. */
  readonly workers: readonly string[]
  /** Those that left or were silent for too long. */
  readonly left: readonly string[]
  /** Jobs that were delivered once more. */
  readonly redelivered: number
  /** Messages that were refused. */
  readonly refused: number
  readonly reconnections: number
  readonly givenUp: readonly { readonly job: string; readonly reason: string }[]
  /** In the order in which they happened, in seconds since the beginning. */
  readonly events: readonly (ExecutorEvent & { readonly seconds: number })[]
}

/** More events are counted, but not kept. */
const MOST_EVENTS = 1000
const JSON_PROGRESS_MS = 1000

/**
 * Listens to an executor on other machines. Events are lines on standard error, JSON lines where
 * the command prints JSON; the line of progress says how many workers there are.
 */
export class ExecutionReport {
  private readonly begun = Date.now()
  private readonly line: ProgressLine
  private readonly workers = new Set<string>()
  private readonly left: string[] = []
  private readonly events: (ExecutorEvent & { seconds: number })[] = []
  private readonly givenUp: { job: string; reason: string }[] = []
  private present = { workers: 0, machines: 0 }
  private redelivered = 0
  private refused = 0
  private reconnections = 0
  private jsonAt = 0

  constructor(
    private readonly io: Pick<Io, 'err' | 'progress'>,
    /** Null for executors on this machine, which have nothing to report. */
    private readonly server: string | null,
    private readonly json: boolean,
  ) {
    this.line = new ProgressLine(io)
  }

  /** For a listener of a study. */
  readonly event = (event: ExecutorEvent): void => {
    if (event.what === 'progress') {
      this.present = event.progress
      return
    }
    if (event.what === 'worker-joined') this.workers.add(event.worker)
    if (event.what === 'worker-left') this.left.push(event.worker)
    if (event.what === 'redelivered') this.redelivered += event.jobs
    if (event.what === 'refused') this.refused++
    if (event.what === 'reconnected') this.reconnections++
    if (this.events.length < MOST_EVENTS) this.events.push({ ...event, seconds: this.seconds })
    if (this.server === null) return
    if (this.json) this.say(JSON.stringify({ ...event, seconds: this.seconds }))
    else this.tell(`${eventText(event)}${remedy(event, this.server)}`)
  }

  /** A job that was given up; `job` is its name for the user. */
  failed(job: string, reason: string): void {
    this.givenUp.push({ job, reason })
    if (this.json) this.say(JSON.stringify({ what: 'given-up', job, reason }))
    else this.tell(`${job} was given up: ${reason}`)
  }

  get hasGivenUp(): boolean {
    return this.givenUp.length > 0
  }

  /** Shows how far the command is. */
  show(text: () => string, done: number, of: number): void {
    this.line.show(() => `${text()}${this.presence()}`)
    const now = Date.now()
    if (!this.json || this.server === null || now - this.jsonAt < JSON_PROGRESS_MS) return
    this.jsonAt = now
    const { workers, machines } = this.present
    const progress = { done, of, workers, machines, redelivered: this.redelivered }
    this.say(JSON.stringify({ what: 'progress', ...progress, seconds: this.seconds }))
  }

  get elapsedMs(): number {
    return this.line.elapsedMs
  }

  clear(): void {
    this.line.clear()
  }

  /** The last line, on standard error: who did it, and what went wrong meanwhile. */
  end(): void {
    this.line.clear()
    if (this.server === null || this.json) return
    const { workers, left, redelivered, refused, reconnections } = this
    const parts = [
      `executed by ${counted(workers.size, 'worker')} of ${this.server}`,
      ...(left.length > 0 ? [`${counted(left.length, 'worker')} left (${left.join(', ')})`] : []),
      ...(redelivered > 0 ? [`${counted(redelivered, 'job')} delivered again`] : []),
      ...(reconnections > 0 ? [`${counted(reconnections, 'reconnection')}`] : []),
      ...(refused > 0 ? [`${counted(refused, 'message')} refused`] : []),
    ]
    this.io.err(`${parts.join('; ')}\n`)
  }

  summary(): ExecutionSummary | null {
    const { server, left, redelivered, refused, reconnections, givenUp, events } = this
    if (server === null) return null
    const workers = [...this.workers].sort()
    return { server, workers, left, redelivered, refused, reconnections, givenUp, events }
  }

  private get seconds(): number {
    return Math.round((Date.now() - this.begun) / 100) / 10
  }

  private presence(): string {
    if (this.server === null) return ''
    const { workers, machines } = this.present
    const again = this.redelivered > 0 ? `, ${grouped(this.redelivered)} delivered again` : ''
    const gone = this.left.length > 0 ? `, ${counted(this.left.length, 'worker')} left` : ''
    return `; ${counted(workers, 'worker')} on ${counted(machines, 'machine')}${again}${gone}`
  }

  /** The same line is not written twice in a row. */
  private lastText = ''

  private tell(text: string): void {
    if (text === '' || text === this.lastText) return
    this.lastText = text
    this.say(text)
  }

  private say(text: string): void {
    this.line.clear()
    this.io.err(`${text}\n`)
  }
}

/** How to get a worker, where there is none that would do the work. */
function remedy(event: ExecutorEvent, server: string): string {
  if (event.what !== 'waiting' || !event.reason.startsWith('there is no worker')) return ''
  const code = event.reason.includes('code') ? ' --allow-code' : ''
  return `; start one: conclave worker ${server}${code}`
}

/** Empty for what happens all the time. */
function eventText(event: ExecutorEvent): string {
  switch (event.what) {
    case 'worker-left':
      return `worker ${event.worker} left`
    case 'redelivered':
      return `${counted(event.jobs, 'job')} delivered again, to ${event.worker}`
    case 'refused':
      return `refused: ${event.reason}`
    case 'disconnected':
      return `the connection to ${event.reason} is lost; connecting again`
    case 'reconnected':
      return `connected to ${event.reason} again`
    case 'waiting':
      return `waiting: ${event.reason}`
    default:
      return ''
  }
}
