import type { Link } from '../core/language/net.ts'
import { type Clock, systemClock, type TimerHandle } from './clock.ts'

/** How members detect crashes, in milliseconds; the same for all members of an election. */
export interface HeartbeatOptions {
  /**
   * The interval of the heartbeats that a member sends to its neighbours. One with many neighbours
   * sends them less often, but at least three within the timeout.
   */
  readonly heartbeat: number
  /** A neighbour that was silent for longer is suspected to have crashed. */
  readonly timeout: number
}

/** Sends the heartbeats and is notified of suspicions. */
export interface DetectorListener {
  sendHeartbeat(link: Link): void
  down(link: Link, why: string): void
  up(link: Link): void
  /** The neighbour is silent: its connection is of no use, and must be made anew. */
  drop(link: Link, why: string): void
  /** This process itself was suspended for longer than the timeout: the others suspect it. */
  wasSuspended(): void
}

/** Milliseconds of the interval for each neighbour: all-to-all heartbeats grow with n squared. */
const PER_LINK = 4

/** How fast a lateness is forgotten, by heartbeats. */
const FORGET = 0.9

/** By how many latenesses a timeout is longer, and the longest one in timeouts. */
const LATENESSES = 2
const TIMEOUT_FACTOR_MAX = 5

/**
 * A heartbeat failure detector. It suspects neighbours whose connection closed and neighbours that
 * were silent for longer than the timeout. It may be late, and it may be wrong: a suspected
 * neighbour is trusted again as soon as a frame of it arrives.
 *
 * On a loaded machine processes get their turn late. A member measures by how much its own
 * heartbeats are late, tells its neighbours, and sends fewer. Each gives the other as much more
 * time as both are late (after Lifeguard, Dadgar et al. 2018).
 */
export class HeartbeatDetector {
  /** When the last frame of each neighbour arrived; empty until heartbeats are expected. */
  private readonly lastReceived = new Map<Link, number>()
  private readonly suspected = new Set<Link>()
  /** By how much each neighbour is late, as it says. */
  private readonly peerLateness = new Map<Link, number>()
  private readonly interval: number
  private timer: TimerHandle | null = null
  private lastTick = 0
  private due = 0
  private late = 0
  private stopped = false

  constructor(
    private readonly links: readonly Link[],
    private readonly options: HeartbeatOptions,
    private readonly listener: DetectorListener,
    private readonly clock: Clock = systemClock,
    /** Runs after frames that have arrived already were received. */
    private readonly afterInput = (run: () => void) => {
      setImmediate(() => setImmediate(run))
    },
  ) {
    const { heartbeat, timeout } = options
    this.interval = Math.max(heartbeat, Math.min(PER_LINK * links.length, timeout / 3))
  }

  up(link: Link): boolean {
    return !this.suspected.has(link)
  }

  /** By how much the heartbeats of this member are late at present, in milliseconds. */
  get lateness(): number {
    return Math.round(this.late)
  }

  /** Sends heartbeats from now on. */
  startHeartbeats(): void {
    this.schedule(this.clock.now())
  }

  /** Expects heartbeats from now on. One is sent first, ahead of all later frames. */
  expectHeartbeats(): void {
    this.lastTick = this.clock.now()
    for (const link of this.links) {
      this.lastReceived.set(link, this.lastTick)
      this.listener.sendHeartbeat(link)
    }
  }

  stop(): void {
    this.stopped = true
    if (this.timer !== null) this.clock.clearTimeout(this.timer)
  }

  /** The link is connected, the first time or again: the neighbour hears from this one first. */
  connected(link: Link): void {
    if (this.lastReceived.has(link)) this.lastReceived.set(link, this.clock.now())
    this.listener.sendHeartbeat(link)
  }

  /** A frame arrived over the link; a heartbeat says by how much its sender is late. */
  received(link: Link, lateness?: number): void {
    this.detectSuspension()
    if (lateness !== undefined) this.peerLateness.set(link, lateness)
    if (this.lastReceived.has(link)) this.lastReceived.set(link, this.clock.now())
    if (this.suspected.delete(link)) this.listener.up(link)
  }

  /** The connection closed. */
  linkBroke(link: Link, why: string): void {
    if (this.suspected.has(link)) return
    this.suspected.add(link)
    this.listener.down(link, why)
  }

  private tick(): void {
    if (this.detectSuspension()) return
    const now = this.clock.now()
    this.late = Math.max(now - this.due, FORGET * this.late)
    this.lastTick = now
    this.schedule(now)
    for (const link of this.links) this.listener.sendHeartbeat(link)
    if (this.silentLinks().length > 0) this.afterInput(() => this.suspectSilent())
  }

  private schedule(now: number): void {
    if (this.timer !== null) this.clock.clearTimeout(this.timer)
    this.due = now + this.interval + Math.min(this.late, this.options.timeout / 2)
    this.timer = this.clock.setTimeout(() => this.tick(), this.due - now)
  }

  private silentLinks(): Link[] {
    const now = this.clock.now()
    const late = (link: Link) => this.late + (this.peerLateness.get(link) ?? 0)
    return [...this.lastReceived]
      .filter(([link, at]) => now - at > this.timeout(late(link)))
      .map(([link]) => link)
  }

  private suspectSilent(): void {
    if (this.stopped) return
    for (const link of this.silentLinks()) {
      const silence = Math.floor(this.clock.now() - this.lastReceived.get(link)!)
      const why = `silent for ${silence} ms`
      this.linkBroke(link, why)
      // A connection that is made anew gets as much time.
      this.lastReceived.set(link, this.clock.now())
      this.listener.drop(link, why)
    }
  }

  private timeout(late: number): number {
    const { timeout } = this.options
    return timeout + Math.min(LATENESSES * late, (TIMEOUT_FACTOR_MAX - 1) * timeout)
  }

  /**
   * If the last tick is longer ago than the timeout, this process was suspended. The neighbours
   * were not silent: their timeouts start again.
   */
  private detectSuspension(): boolean {
    const gap = this.clock.now() - this.lastTick
    if (this.lastReceived.size === 0 || gap <= this.timeout(this.late)) return false
    this.expectHeartbeats()
    this.schedule(this.lastTick)
    this.listener.wasSuspended()
    return true
  }
}
