import type { Link } from '../core/language/net.ts'

/** How closely members watch each other, in milliseconds; the same for all of one election. */
export interface HeartbeatOptions {
  /** How often a member lets its neighbours know that it is there. */
  readonly heartbeat: number
  /** How long a neighbour may be silent before it is taken for dead. */
  readonly timeout: number
}

/** Whoever wants to know, and lends the detector its voice. */
export interface DetectorListener {
  beat(link: Link): void
  down(link: Link, why: string): void
  up(link: Link): void
  /** This process itself was stopped, for so long that the others have taken it for dead. */
  overslept(): void
}

/**
 * Says which neighbours are dead: those whose connection closed, and those that were silent for too
 * long. It may be late, and it may be wrong: who was only slow is up again as soon as it is heard.
 */
export class HeartbeatDetector {
  /** When each neighbour was last heard; empty until the watch begins. */
  private readonly heard = new Map<Link, number>()
  private readonly missing = new Set<Link>()
  private timer: NodeJS.Timeout | undefined
  private looked = 0

  constructor(
    private readonly links: readonly Link[],
    private readonly watch: HeartbeatOptions,
    private readonly watcher: DetectorListener,
  ) {}

  up(link: Link): boolean {
    return !this.missing.has(link)
  }

  /** From now on the neighbours hear that this member is there. */
  start(): void {
    this.timer = setInterval(() => this.look(), this.watch.heartbeat)
  }

  /** From now on they are expected to be heard, too. A beat goes before all that is sent then. */
  expect(): void {
    this.looked = performance.now()
    for (const link of this.links) {
      this.heard.set(link, this.looked)
      this.watcher.beat(link)
    }
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Something came over the link. */
  hear(link: Link): void {
    this.mindTheGap()
    if (this.heard.has(link)) this.heard.set(link, performance.now())
    if (this.missing.delete(link)) this.watcher.up(link)
  }

  /** The link is broken. */
  lose(link: Link, why: string): void {
    if (this.missing.has(link)) return
    this.missing.add(link)
    this.watcher.down(link, why)
  }

  private look(): void {
    this.mindTheGap()
    this.looked = performance.now()
    for (const link of this.links) this.watcher.beat(link)
    const { timeout } = this.watch
    for (const [link, at] of this.heard) {
      if (this.looked - at > timeout) this.lose(link, `silent for ${timeout} ms`)
    }
  }

  /**
   * Who has not looked for longer than the timeout was stopped in the meantime. The silence was
   * its own: the neighbours are not to blame, and get their time anew.
   */
  private mindTheGap(): void {
    if (this.heard.size === 0 || performance.now() - this.looked <= this.watch.timeout) return
    this.expect()
    this.watcher.overslept()
  }
}
