import { type Link, left } from '../core/language/net.ts'
import type { Outcome, State } from '../core/runtime/state.ts'
import { type AggregateOptions, Aggregates } from './aggregates.ts'
import { idBehind, tellsKeys } from './dynamic-keys.ts'
import { Emitter } from './emitter.ts'
import { type DetectorListener, HeartbeatDetector } from './failure-detector.ts'
import type { LiveAggregate } from './live-aggregate.ts'
import { brokenLink, type MemberOptions, validateMember } from './member-options.ts'
import { type MessageCounts, NodeDriver } from './node-driver.ts'
import { TerminationDetector, type TerminationToken } from './termination-detection.ts'
import type { FrameReceiver } from './transports/transport.ts'
import { Wire, type WireFrame } from './wire.ts'

/** How a member came to its end: the whole election was quiet, or it was closed before. */
export type MemberEnd = 'quiet' | 'closed'

/** One node of an election between processes: an algorithm at work over a transport. */
export class Member extends Emitter<{ outcome: [Outcome] }> {
  /**
   * Resolves when this member is done and everything released; rejects as soon as it is clear that
   * the election cannot be finished.
   */
  readonly ended: Promise<MemberEnd>
  private readonly station: NodeDriver
  private readonly wire: Wire
  private readonly quiet: TerminationDetector
  /** Only where members may die; then nobody looks for the end. */
  private readonly failures: HeartbeatDetector | null
  private readonly aggregates: Aggregates
  private readonly log: (line: string) => void
  private settle!: { resolve(ending: MemberEnd): void; reject(error: unknown): void }
  private readonly tellsKeys: boolean
  /** Whether the transport is open. */
  private standing = false
  /** What came in before it took part; null since then. */
  private early: { link: Link; frame: WireFrame }[] | null = []
  private stirred = false
  /** How often the news that all is quiet has come by. */
  private laps = 0
  private over = false
  private closing: Promise<void> | null = null

  constructor(private readonly options: MemberOptions) {
    super()
    validateMember(options)
    const { algorithm, position, stay = false, log = () => {}, transport, watch } = options
    this.log = log
    this.tellsKeys = tellsKeys(options)
    this.wire = new Wire(algorithm, this.tellsKeys)
    this.quiet = new TerminationDetector(position === 0 && !stay)
    this.failures =
      watch === undefined ? null : new HeartbeatDetector(transport.links, watch, this.watcher())
    this.station = new NodeDriver(options, {
      send: (link, kind, body) => {
        this.quiet.messageSent()
        this.send(link, { type: 'message', kind, body })
      },
      alarm: (alarm) => this.act(() => this.station.sound(alarm)),
      up: (link) => this.failures?.up(link) ?? true,
      announce: () => this.announce(),
    })
    this.aggregates = new Aggregates(options, {
      send: (link, tag, bytes) => this.send(link, { type: 'aside', tag, bytes }),
      up: (link) => this.station.up(link),
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
    return { status, leader: leader === null ? null : idBehind(leader, this.options), stopped }
  }

  get counts(): MessageCounts {
    return this.station.counts
  }

  /** Waits for the neighbours, then takes part. */
  async open(): Promise<void> {
    const { n, position, starts = true, transport } = this.options
    const receiver: FrameReceiver = {
      received: (link, bytes) => {
        const frame = this.wire.read(bytes)
        // One that is back may be another, which is to be known before all else.
        if (frame.type === 'beat') this.take(link, frame)
        if (this.closing === null) this.failures?.hear(link)
        if (frame.type !== 'beat') this.take(link, frame)
      },
      down: (link, why) => this.down(link, why),
    }
    try {
      if (this.tellsKeys) this.station.appraise()
      const opening = transport.open({ schema: this.schema(), n, position }, receiver)
      this.failures?.start()
      await opening
      this.standing = true
      if (this.failures !== null) this.failures.expect()
      else this.announce()
      if (this.tellsKeys) await Promise.race([this.station.acquaintance(), this.ended])
    } catch (error) {
      await this.fail(error)
      throw error
    }
    const early = this.early ?? []
    this.early = null
    if (starts) this.start()
    this.aggregates.open()
    for (const { link, frame } of early) this.take(link, frame)
  }

  /** Starts by itself, or holds another election; only once it is open. */
  start(): void {
    this.act(() => {
      this.station.start()
      this.stir()
    })
  }

  /**
   * Computes a function of what all members bring, by gossip, for as long as this one stays:
   * `average`, `max`, `count` and so on. Elections do not notice.
   */
  aggregate(name: string, options: AggregateOptions): LiveAggregate {
    return this.aggregates.add(name, options)
  }

  /** Leaves, whatever the state of the election. */
  close(): Promise<void> {
    return this.leave('closed')
  }

  private take(link: Link, frame: WireFrame): void {
    if (this.closing !== null) return
    if (frame.type === 'beat' && frame.key === null) return
    if (frame.type === 'aside') {
      this.aggregates.hear(link, frame.tag, frame.bytes)
      return
    }
    const greeting = frame.type === 'beat' && this.station.isStranger(link)
    if (this.early !== null && !greeting) {
      this.early.push({ link, frame })
      return
    }
    this.act(() => {
      if (frame.type === 'beat') this.station.meet(link, frame.key!)
      else if (frame.type === 'message') {
        this.quiet.messageReceived()
        this.station.accept(link, frame.kind, frame.body)
        this.stir()
      } else if (this.failures !== null) {
        this.log(`link ${link}: somebody looks for an end; ignored`)
      } else if (frame.type === 'token') {
        if (!this.quiet.hold(frame.token)) this.log(`link ${link}: a token too many; ignored`)
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
    if (this.station.waiting || this.failures !== null) return
    const found = this.quiet.advance()
    if (found === 'quiet') this.proclaim()
    else this.pass(found)
  }

  /** Something has happened here. Position 0 must hear of it once, to look for the end. */
  private stir(): void {
    if (this.stirred || this.failures !== null) return
    this.stirred = true
    if (this.options.position === 0) this.pass(this.quiet.begin())
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

  private pass(token: TerminationToken | null): void {
    if (token !== null) this.sendOnward({ type: 'token', token })
  }

  private sendOnward(frame: WireFrame): void {
    const { onward = left } = this.options
    if (onward === null) queueMicrotask(() => this.take(left, frame))
    else this.send(onward, frame)
  }

  private send(link: Link, frame: WireFrame): void {
    this.options.transport.send(link, this.wire.write(frame))
  }

  private down(link: Link, why: string): void {
    if (this.over || this.closing !== null) return
    if (this.early !== null) this.early = this.early.filter((item) => item.link !== link)
    if (this.failures !== null) this.failures.lose(link, why)
    else if (this.standing) {
      this.log(`link ${link} is down: ${why}`)
      if (!this.options.stay) void this.fail(brokenLink(this.options, link, why))
    }
  }

  private watcher(): DetectorListener {
    return {
      beat: (link) => this.beat(link),
      down: (link, why) => {
        this.log(`link ${link} is down: ${why}`)
        this.act(() => this.station.notify('down', link))
      },
      up: (link) => {
        this.log(`link ${link} is up again`)
        // Who is there again may have missed by what key this member goes.
        this.beat(link)
        this.act(() => this.station.notify('up', link))
      },
      overslept: () => {
        this.log('this process was stopped, and begins anew')
        this.act(() => this.station.recover())
      },
    }
  }

  private beat(link: Link): void {
    this.send(link, { type: 'beat', key: this.tellsKeys ? this.state.id! : null })
  }

  /** Tells the neighbours by what key this member goes, where they have to know. */
  private announce(): void {
    if (!this.tellsKeys || !this.standing) return
    for (const link of this.options.transport.links) this.beat(link)
  }

  /**
   * Members whose hearts beat at different rates would take each other for dead, and keys cannot be
   * compared with ids.
   */
  private schema(): string {
    const { algorithm, watch, worth } = this.options
    const means = worth === undefined ? '' : ' by worth'
    const pace = watch === undefined ? '' : ` with a heartbeat every ${watch.heartbeat} ms`
    return `${algorithm.schema}${means}${pace}`
  }

  /** The cause is told before the links break, so that it is told before its consequences. */
  private fail(error: unknown): Promise<void> {
    if (this.closing === null) this.settle.reject(error)
    return this.leave('closed')
  }

  private leave(ending: MemberEnd): Promise<void> {
    this.closing ??= this.release(ending)
    return this.closing
  }

  private async release(ending: MemberEnd): Promise<void> {
    this.station.silence()
    this.aggregates.close()
    this.failures?.stop()
    await this.options.transport.close()
    this.settle.resolve(ending)
  }
}
