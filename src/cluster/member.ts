import type { Aggregation } from '../algorithms/aggregation.ts'
import { type Link, left } from '../core/language/net.ts'
import { MalformedBytes, RefusedValue } from '../core/runtime/bytes.ts'
import type { Outcome, State } from '../core/runtime/state.ts'
import { type AggregateOptions, Aggregates } from './aggregates.ts'
import { announcesKeys, idBehind } from './dynamic-keys.ts'
import { Emitter } from './emitter.ts'
import { type DetectorListener, HeartbeatDetector } from './failure-detector.ts'
import type { LiveAggregate } from './live-aggregate.ts'
import {
  brokenLink,
  type MemberOptions,
  refusesMessages,
  validateMember,
} from './member-options.ts'
import type { MessageCounts } from './node/message-counter.ts'
import { NodeDriver } from './node/node-driver.ts'
import { schemaOf } from './shared-settings.ts'
import { TerminationDetector, type TerminationToken } from './termination-detection.ts'
import type { FrameReceiver } from './transports/transport.ts'
import { Wire, type WireFrame } from './wire.ts'

/** How a member ended: its election terminated, or it was closed before. */
export type MemberEnd = 'quiet' | 'closed'

/** The outcome as a member sees it. */
export interface MemberOutcome extends Outcome {
  /** The term in which this member leads; only for leaders that are elected term by term. */
  readonly term?: number
}

/** A running node of a cluster: an algorithm over a transport. */
export class Member extends Emitter<{
  outcome: [MemberOutcome]
  /** A listener threw this. */
  error: [unknown]
}> {
  /**
   * Resolves when this member has ended and all resources are released; rejects as soon as the
   * election cannot terminate.
   */
  readonly ended: Promise<MemberEnd>
  private readonly driver: NodeDriver
  private readonly wire: Wire
  private readonly termination: TerminationDetector
  /** Only where members may crash; then termination is not detected. */
  private readonly detector: HeartbeatDetector | null
  private readonly aggregates: Aggregates
  private readonly log: (line: string) => void
  private settle!: { resolve(ending: MemberEnd): void; reject(error: unknown): void }
  private readonly announcesKeys: boolean
  /** Whether all links are connected. */
  private connected = false
  /** Frames received before it took part; null afterwards. */
  private buffered: { link: Link; frame: WireFrame }[] | null = []
  private active = false
  /** How often the end has been announced. */
  private laps = 0
  private over = false
  private closing: Promise<void> | null = null
  /** It was closed, or failed, before its election had ended. */
  private left = false

  constructor(private readonly options: MemberOptions) {
    super()
    validateMember(options)
    const {
      algorithm,
      position,
      stay = false,
      log = () => {},
      transport,
      failureDetector,
    } = options
    this.log = log
    this.announcesKeys = announcesKeys(options)
    this.wire = new Wire(algorithm, this.announcesKeys)
    this.termination = new TerminationDetector(position === 0 && !stay)
    this.detector =
      failureDetector === undefined
        ? null
        : new HeartbeatDetector(transport.links, failureDetector, this.detectorListener())
    this.driver = new NodeDriver(
      { ...options, links: transport.links },
      {
        send: (link, bytes) => {
          this.termination.messageSent()
          transport.send(link, bytes)
        },
        up: (link) => this.detector?.up(link) ?? true,
        outcomeChanged: () => this.emit('outcome', this.outcome),
        failed: (error) => void this.fail(error),
        run: (step) => this.act(step),
        announceKey: () => this.announceKey(),
      },
    )
    this.aggregates = new Aggregates(options, {
      send: (link, tag, bytes) => this.send(link, { type: 'aggregate', tag, bytes }),
      up: (link) => this.driver.up(link),
    })
    this.ended = new Promise((resolve, reject) => {
      this.settle = { resolve, reject }
    })
    // The caller of `open` gets the same error; an unhandled rejection would end the process.
    this.ended.catch(() => {})
  }

  get state(): State {
    return this.driver.my
  }

  get outcome(): MemberOutcome {
    const { status, leader, stopped, term } = this.driver.outcome
    if (this.left && status === 'leader') return { status: 'unknown', leader: null, stopped }
    return {
      status,
      leader: leader === null ? null : idBehind(leader, this.options),
      stopped,
      ...(term !== null && { term }),
    }
  }

  /** The id of the leader as this member knows it; null while it knows of none. */
  get leader(): number | null {
    return this.outcome.leader
  }

  /** Whether this member is the leader, as far as it knows. */
  get isLeader(): boolean {
    return this.outcome.status === 'leader'
  }

  /** Whether it leads at this moment: a leadership bound to a lease is compared with the clocks. */
  leads(): boolean {
    return !this.left && this.driver.leads()
  }

  get counts(): MessageCounts {
    return this.driver.counts
  }

  /** The outcome now and after every change, until the member ends. */
  async *[Symbol.asyncIterator](): AsyncGenerator<MemberOutcome, void, undefined> {
    const changes = [this.outcome]
    let over = false
    let notify = () => {}
    const listener = (outcome: MemberOutcome) => {
      changes.push(outcome)
      notify()
    }
    const end = () => {
      over = true
      notify()
    }
    this.on('outcome', listener)
    this.ended.then(end, end)
    try {
      for (;;) {
        for (let next = changes.shift(); next !== undefined; next = changes.shift()) yield next
        if (over) break
        await new Promise<void>((resolve) => {
          notify = resolve
        })
      }
      await this.ended
    } finally {
      this.off('outcome', listener)
    }
  }

  /** Connects to the neighbours, then takes part. */
  async open(): Promise<void> {
    const { n, position, starts = true, transport } = this.options
    const receiver: FrameReceiver = {
      received: (link, bytes) => {
        const frame = this.read(link, bytes)
        if (frame === null) return
        // A neighbour that recovered may have another key, which must be known first.
        if (frame.type === 'heartbeat') this.handle(link, frame)
        const late = frame.type === 'heartbeat' ? frame.lateness : undefined
        if (this.closing === null) this.detector?.received(link, late)
        if (frame.type !== 'heartbeat') this.handle(link, frame)
      },
      down: (link, why) => this.down(link, why),
      connected: (link) => this.detector?.connected(link),
      failed: (error) => void this.fail(error),
    }
    try {
      if (this.announcesKeys) this.driver.updateKey()
      const opening = transport.open({ schema: schemaOf(this.options), n, position }, receiver)
      this.detector?.startHeartbeats()
      await opening
      this.connected = true
      if (this.detector !== null) this.detector.expectHeartbeats()
      else this.announceKey()
      if (this.announcesKeys) await Promise.race([this.driver.peersKnown(), this.ended])
    } catch (error) {
      await this.fail(error)
      throw error
    }
    const early = this.buffered ?? []
    this.buffered = null
    if (starts) this.start()
    this.aggregates.open()
    for (const { link, frame } of early) this.handle(link, frame)
  }

  /** Starts an election, the first or another one; only when it is open. */
  start(): void {
    this.act(() => {
      this.driver.start()
      this.reportActivity()
    })
  }

  /**
   * Computes an aggregate of the values of all members by gossip, until the member is closed:
   * `average`, `max`, `count` and others by name, or one of your own. Elections are not affected.
   */
  aggregate(what: string | Aggregation, options: AggregateOptions): LiveAggregate {
    return this.aggregates.add(what, options)
  }

  /** Leaves, in any state of the election. */
  close(): Promise<void> {
    return this.leave('closed')
  }

  private handle(link: Link, frame: WireFrame): void {
    if (this.closing !== null) return
    if (frame.type === 'heartbeat' && frame.key === null) return
    if (frame.type === 'aggregate') {
      this.act(() => this.aggregates.receive(link, frame.tag, frame.bytes), link)
      return
    }
    const firstKey = frame.type === 'heartbeat' && this.driver.isPeerUnknown(link)
    if (this.buffered !== null && !firstKey) {
      this.buffered.push({ link, frame })
      return
    }
    this.act(() => {
      if (frame.type === 'heartbeat') this.driver.learnKey(link, frame.key!)
      else if (frame.type === 'message') {
        this.termination.messageReceived()
        this.driver.accept(link, frame.kind, frame.body)
        this.reportActivity()
      } else if (this.detector !== null) {
        this.log(`link ${link}: unexpected frame of termination detection ignored`)
      } else if (frame.type === 'token') {
        if (!this.termination.receiveToken(frame.token))
          this.log(`link ${link}: unexpected token ignored`)
      } else if (frame.type === 'activity') {
        this.reportActivity()
      } else {
        this.receiveEnd()
      }
    }, link)
  }

  /** Reads a frame; null where it is refused, but a link that cannot be mended must stay. */
  private read(link: Link, bytes: Uint8Array): WireFrame | null {
    try {
      const frame = this.wire.read(bytes)
      // Over a link that is none of the network only the end of the election is detected.
      const ofNetwork = ['message', 'heartbeat', 'aggregate'].includes(frame.type)
      if (!ofNetwork || this.options.transport.links.includes(link)) return frame
      throw new MalformedBytes(`a ${frame.type} over link ${link}, which is none of the network`)
    } catch (error) {
      if (!(error instanceof RefusedValue) || this.detector !== null) throw error
      this.refuse(link, error)
      return null
    }
  }

  /** Handles one event, by a frame from a neighbour if `from` is given; passes the token on. */
  private act(step: () => void, from?: Link): void {
    if (this.closing !== null) return
    try {
      step()
    } catch (error) {
      if (from !== undefined && refusesMessages(this.options)) this.refuse(from, error)
      else void this.fail(error)
      return
    }
    if (this.driver.mayAct || this.detector !== null) return
    const token = this.termination.passOn()
    if (token === 'quiet') this.announceEnd()
    else this.passToken(token)
  }

  /** A stranger may have sent it: the event is undone, and a link that can be mended dropped. */
  private refuse(link: Link, error: unknown): void {
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n')
    this.log(`link ${link}: a message is refused: ${why}`)
    if (this.detector !== null) this.options.transport.drop(link, `a message is refused: ${why}`)
  }

  /** This member is active. Position 0 must know once, to start termination detection. */
  private reportActivity(): void {
    if (this.active || this.detector !== null) return
    this.active = true
    if (this.options.position === 0) this.passToken(this.termination.start())
    else this.sendOnward({ type: 'activity' })
  }

  private announceEnd(): void {
    this.over = true
    this.sendOnward({ type: 'end' })
  }

  /**
   * The end is announced in two laps. After the first one all members know that links may close;
   * they leave in the second one.
   */
  private receiveEnd(): void {
    const first = this.options.position === 0
    if (first && !this.over) return
    this.laps++
    this.over = true
    if (!first || this.laps === 1) this.sendOnward({ type: 'end' })
    if (this.laps === 2 && !this.options.stay) void this.leave('quiet')
  }

  private passToken(token: TerminationToken | null): void {
    if (token !== null) this.sendOnward({ type: 'token', token })
  }

  private sendOnward(frame: WireFrame): void {
    const { onward = left } = this.options
    if (onward === null) queueMicrotask(() => this.handle(left, frame))
    else this.send(onward, frame)
  }

  private send(link: Link, frame: WireFrame): void {
    this.options.transport.send(link, this.wire.write(frame))
  }

  private down(link: Link, why: string): void {
    if (this.over || this.closing !== null) return
    if (this.buffered !== null) this.buffered = this.buffered.filter((item) => item.link !== link)
    if (this.detector !== null) this.detector.linkBroke(link, why)
    else if (this.connected) {
      this.log(`link ${link} is down: ${why}`)
      if (!this.options.stay) void this.fail(brokenLink(this.options, link, why))
    }
  }

  private detectorListener(): DetectorListener {
    return {
      sendHeartbeat: (link) => this.sendHeartbeat(link),
      down: (link, why) => {
        this.log(`link ${link} is down: ${why}`)
        this.act(() => this.driver.notify('down', link))
      },
      up: (link) => {
        this.log(`link ${link} is up`)
        // A neighbour that was down may have missed a change of the key.
        this.sendHeartbeat(link)
        this.act(() => this.driver.notify('up', link))
      },
      drop: (link, why) => this.options.transport.drop(link, why),
      wasSuspended: () => {
        this.log('this process was suspended, and recovers')
        this.act(() => this.driver.recoverFromSuspension())
      },
    }
  }

  private sendHeartbeat(link: Link): void {
    const key = this.announcesKeys ? this.state.id! : null
    this.send(link, { type: 'heartbeat', lateness: this.detector?.lateness ?? 0, key })
  }

  /** Sends the key to the neighbours, where they have to know it. */
  private announceKey(): void {
    if (!this.announcesKeys || !this.connected) return
    for (const link of this.options.transport.links) this.sendHeartbeat(link)
  }

  /** Rejects before the links break, so that the cause is reported before its consequences. */
  private fail(error: unknown): Promise<void> {
    if (this.closing === null) this.settle.reject(error)
    return this.leave('closed')
  }

  private leave(ending: MemberEnd): Promise<void> {
    if (this.closing !== null) return this.closing
    const led = this.outcome.status === 'leader'
    this.left = ending === 'closed'
    this.closing = this.release(ending)
    // Who leaves before the end leads no more.
    if (led && this.left) this.emit('outcome', this.outcome)
    return this.closing
  }

  private async release(ending: MemberEnd): Promise<void> {
    this.driver.close()
    this.aggregates.close()
    this.detector?.stop()
    await this.options.transport.close()
    this.settle.resolve(ending)
  }
}
