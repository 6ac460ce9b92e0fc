import type { ConfigurationVersion } from '../../cluster/mesh/peer.ts'
import { compareVersions, entryOf, versionText } from './configuration.ts'
import type { Membership } from './membership.ts'

/** More frames of one member do not wait for a configuration. */
const MOST_WAITING = 64

/** A frame that waits for a configuration. */
interface WaitingFrame {
  readonly version: ConfigurationVersion
  readonly at: number
  readonly handle: () => void
}

/** Sees to it that the side with the older configuration gets the newer one. */
export class VersionExchange {
  /** What was said to whom, and when, so that not each frame is answered. */
  private readonly told = new Map<string, { readonly what: string; readonly at: number }>()

  private readonly waiting = new Map<string, WaitingFrame[]>()

  constructor(private readonly membership: Membership) {}

  /** Whether a frame of this version may be handled; if it is newer, it is handled later. */
  admits(from: string, version: ConfigurationVersion, keep?: () => () => void): boolean {
    const { configuration } = this.membership
    if (this.compare(from, version))
      return configuration !== null && entryOf(configuration, from) !== undefined
    if (keep !== undefined && compareVersions(version, this.membership.version) > 0)
      this.hold(from, { version, at: this.membership.environment.clock.now(), handle: keep() })
    return false
  }

  /** There is a newer configuration: what waited for it, and not for long, is handled. */
  taken(): void {
    const { environment, interval, version } = this.membership
    const recent = environment.clock.now() - interval
    for (const [from, frames] of this.waiting) {
      const isReady = (frame: WaitingFrame) => compareVersions(frame.version, version) <= 0
      this.waiting.set(
        from,
        frames.filter((frame) => !isReady(frame) && frame.at >= recent),
      )
      for (const frame of frames) if (isReady(frame) && frame.at >= recent) frame.handle()
    }
  }

  lost(member: string): void {
    this.waiting.delete(member)
  }

  private hold(from: string, frame: WaitingFrame): void {
    const frames = this.waiting.get(from) ?? []
    this.waiting.set(from, [...frames.slice(1 - MOST_WAITING), frame])
  }

  /** A connection is new: nothing that was said before counts. */
  connected(member: string, version: ConfigurationVersion): void {
    this.told.delete(member)
    this.compare(member, version)
  }

  private compare(member: string, version: ConfigurationVersion): boolean {
    const order = compareVersions(version, this.membership.version)
    if (order !== 0) this.tell(member, order)
    return order === 0
  }

  /** The other side has an older configuration (order below 0), or a newer one. */
  private tell(member: string, order: number): void {
    const { configuration, environment, interval, version } = this.membership
    const now = environment.clock.now()
    const what = `${versionText(version)} ${order < 0}`
    const told = this.told.get(member)
    if (told?.what === what && now < told.at + interval / 2) return
    this.told.set(member, { what, at: now })
    if (order > 0) this.membership.send(member, { type: 'ask' })
    else if (configuration !== null) this.membership.send(member, { type: 'news', configuration })
  }
}
