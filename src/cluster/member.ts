import { EventEmitter } from 'node:events'
import { Complaint } from '../core/complaint.ts'
import { type Link, left } from '../core/net.ts'
import type { Outcome, State } from '../core/state.ts'
import { demandFitness, type MemberOptions } from './membership.ts'
import { QuietDetector, type Token } from './quiet.ts'
import { type Counts, Station } from './station.ts'
import type { Receiver } from './transport.ts'
import { type Frame, Wire } from './wire.ts'

/** How a member came to its end: the whole election was quiet, or it was closed before. */
export type Ending = 'quiet' | 'closed'

/** One node of an election between processes: an algorithm at work over a transport. */
export class Member extends EventEmitter<{ outcome: [Outcome] }> {
  /**
   * Resolves when this member is done and everything released; rejects as soon as it is clear that
   * the election cannot be finished.
   */
  readonly ended: Promise<Ending>
  private readonly station: Station
  private readonly wire: Wire
  private readonly detector: QuietDetector
  private readonly log: (line: string) => void
  private settle!: { resolve(ending: Ending): void; reject(error: unknown): void }
  /** What came in before all links stood; null since then. */
  private early: { link: Link; frame: Frame }[] | null = []
  private stirred = false
  /** How often the news that all is quiet has come by. */
  private laps = 0
  private over = false
  private closing: Promise<void> | null = null

  constructor(private readonly options: MemberOptions) {
    super()
    demandFitness(options)
    const { algorithm, position, stay = false, log = () => {} } = options
    this.log = log
    this.wire = new Wire(algorithm)
    this.detector = new QuietDetector(position === 0 && !stay)
    this.station = new Station(options, {
      send: (link, kind, body) => {
        this.detector.messageSent()
        this.send(link, { type: 'message', kind, body })
      },
      alarm: (alarm) => this.act(() => this.station.sound(alarm)),
    })
    this.ended = new Promise((resolve, reject) => {
      this.settle = { resolve, reject }
    })
    // Whoever only waits for `open` is told there; a rejection that nobody awaits ends processes.
    this.ended.catch(() => {})
  }

  get state(): State {
    return this.station.my
  }

  get outcome(): Outcome {
    const { status, leader, stopped } = this.state
    return { status, leader, stopped }
  }

  get counts(): Counts {
    return this.station.counts
  }

  /** Waits for the neighbours, then takes part. */
  async open(): Promise<void> {
    const { algorithm, n, position, starts = true, transport } = this.options
    const receiver: Receiver = {
      received: (link, bytes) => this.take(link, this.wire.read(bytes)),
      down: (link, why) => this.down(link, why),
    }
    try {
      await transport.open({ schema: algorithm.schema, n, position }, receiver)
    } catch (error) {
      await this.fail(error)
      throw error
    }
    const early = this.early ?? []
    this.early = null
    if (starts) {
      this.act(() => {
        this.station.start()
        this.stir()
      })
    }
    for (const { link, frame } of early) this.take(link, frame)
  }

  /** Leaves, whatever the state of the election. */
  close(): Promise<void> {
    return this.leave('closed')
  }

  private take(link: Link, frame: Frame): void {
    if (this.closing !== null) return
    if (this.early !== null) {
      this.early.push({ link, frame })
      return
    }
    this.act(() => {
      if (frame.type === 'message') {
        this.detector.messageReceived()
        this.station.accept(link, frame.kind, frame.body)
        this.stir()
      } else if (frame.type === 'token') {
        if (!this.detector.hold(frame.token)) this.log(`link ${link}: a token too many; ignored`)
      } else if (frame.type === 'stir') {
        this.stir()
      } else {
        this.lap()
      }
    })
  }

  /** Does one step, tells the news and, if this member is passive then, sees to the token. */
  private act(step: () => void): void {
    if (this.closing !== null) return
    try {
      step()
      if (this.station.news) {
        this.station.news = false
        this.emit('outcome', this.outcome)
      }
    } catch (error) {
      void this.fail(error)
      return
    }
    if (this.station.waiting) return
    const found = this.detector.advance()
    if (found === 'quiet') this.proclaim()
    else this.pass(found)
  }

  /** Something has happened here. Position 0 must hear of it once, to look for the end. */
  private stir(): void {
    if (this.stirred) return
    this.stirred = true
    if (this.options.position === 0) this.pass(this.detector.begin())
    else this.sendOnward({ type: 'stir' })
  }

  private proclaim(): void {
    this.over = true
    this.sendOnward({ type: 'end' })
  }

  /**
   * The news of the end goes round twice. After the first lap all know that a link that breaks now
   * is no fault; only on the second do members leave.
   */
  private lap(): void {
    const first = this.options.position === 0
    if (first && !this.over) return
    this.laps++
    this.over = true
    if (!first || this.laps === 1) this.sendOnward({ type: 'end' })
    if (this.laps === 2 && !this.options.stay) void this.leave('quiet')
  }

  private pass(token: Token | null): void {
    if (token !== null) this.sendOnward({ type: 'token', token })
  }

  private sendOnward(frame: Frame): void {
    this.send(this.options.onward ?? left, frame)
  }

  private send(link: Link, frame: Frame): void {
    this.options.transport.send(link, this.wire.write(frame))
  }

  private down(link: Link, why: string): void {
    if (this.over || this.closing !== null) return
    if (this.early !== null) {
      this.early = this.early.filter((item) => item.link !== link)
      return
    }
    this.log(`link ${link} is down: ${why}`)
    if (!this.options.stay) void this.fail(this.broken(link, why))
  }

  private broken(link: Link, why: string): Complaint {
    return new Complaint(
      `position ${this.options.position}`,
      'every link until the election has ended',
      `link ${link} is down: ${why}`,
      'Start all members anew.',
    )
  }

  /** The cause is told before the links break, so that it is told before its consequences. */
  private fail(error: unknown): Promise<void> {
    if (this.closing === null) this.settle.reject(error)
    return this.leave('closed')
  }

  private leave(ending: Ending): Promise<void> {
    this.closing ??= this.release(ending)
    return this.closing
  }

  private async release(ending: Ending): Promise<void> {
    this.station.silence()
    await this.options.transport.close()
    this.settle.resolve(ending)
  }
}
