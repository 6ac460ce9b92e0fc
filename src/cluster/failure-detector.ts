import type { Link } from '../core/language/net.ts'

/** How members detect crashes, in milliseconds; the same for all members of an election. */
export interface HeartbeatOptions {
  /** The interval of the heartbeats that a member sends to its neighbours. */
  readonly heartbeat: number
  /** A neighbour that was silent for longer is suspected to have crashed. */
  readonly timeout: number
}

/** Sends the heartbeats and is notified of suspicions. */
export interface DetectorListener {
  sendHeartbeat(link: Link): void
  down(link: Link, why: string): void
  up(link: Link): void
  /** This process itself was suspended for longer than the timeout: the others suspect it. */
  wasSuspended(): void
}

/**
 * A heartbeat failure detector. It suspects neighbours whose connection closed and neighbours that
 * were silent for longer than the timeout. It may be late, and it may be wrong: a suspected
 * neighbour is trusted again as soon as a frame of it arrives.
 */
export class HeartbeatDetector {
  /** When the last frame of each neighbour arrived; empty until heartbeats are expected. */
  private readonly lastReceived = new Map<Link, number>()
  private readonly suspected = new Set<Link>()
  private interval: NodeJS.Timeout | undefined
  private lastTick = 0

  constructor(
    private readonly links: readonly Link[],
    private readonly options: HeartbeatOptions,
    private readonly listener: DetectorListener,
  ) {}

  up(link: Link): boolean {
    return !this.suspected.has(link)
  }

  /** Sends heartbeats from now on. */
  startHeartbeats(): void {
    this.interval = setInterval(() => this.tick(), this.options.heartbeat)
  }

  /** Expects heartbeats from now on. One is sent first, ahead of all later frames. */
  expectHeartbeats(): void {
    this.lastTick = performance.now()
    for (const link of this.links) {
      this.lastReceived.set(link, this.lastTick)
      this.listener.sendHeartbeat(link)
    }
  }

  stop(): void {
    clearInterval(this.interval)
  }

  /** A frame arrived over the link. */
  received(link: Link): void {
    this.detectSuspension()
    if (this.lastReceived.has(link)) this.lastReceived.set(link, performance.now())
    if (this.suspected.delete(link)) this.listener.up(link)
  }

  /** The connection closed. */
  linkBroke(link: Link, why: string): void {
    if (this.suspected.has(link)) return
    this.suspected.add(link)
    this.listener.down(link, why)
  }

  private tick(): void {
    this.detectSuspension()
    this.lastTick = performance.now()
    for (const link of this.links) this.listener.sendHeartbeat(link)
    const { timeout } = this.options
    for (const [link, at] of this.lastReceived) {
      if (this.lastTick - at > timeout) this.linkBroke(link, `silent for ${timeout} ms`)
    }
  }

  /**
   * If the last tick is longer ago than the timeout, this process was suspended. The neighbours
   * were not silent: their timeouts start again.
   */
  private detectSuspension(): void {
    if (this.lastReceived.size === 0 || performance.now() - this.lastTick <= this.options.timeout)
      return
    this.expectHeartbeats()
    this.listener.wasSuspended()
  }
}
