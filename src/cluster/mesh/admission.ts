import type { Clock } from '../clock.ts'
import { hostOf, isLoopback } from './remote.ts'

/** Connections whose handshake is not done: the oldest of the busiest address makes room. */
const SLOTS = 128
/** Connections a second from one address, and how many at once, beyond loopback. */
const RATE = 20
const BURST = 60
/** Addresses whose rate is remembered. */
const ADDRESSES_MAX = 1024

/** A connection whose handshake is not done. */
export interface PendingConnection {
  readonly remote: string
  /** Others need the slot. */
  evict(): void
}

/** Limits what strangers can use up before they have said who they are. */
export class Admission {
  private readonly pending = new Set<PendingConnection>()
  private readonly tokens = new Map<string, { left: number; at: number }>()

  constructor(private readonly clock: Clock) {}

  get count(): number {
    return this.pending.size
  }

  /** Whether an address may connect now; loopback always may, as members may share it. */
  mayConnect(remote: string): boolean {
    if (isLoopback(remote)) return true
    const host = hostOf(remote)
    const now = this.clock.now()
    const { left, at } = this.tokens.get(host) ?? { left: BURST, at: now }
    const refilled = Math.min(BURST, left + ((now - at) * RATE) / 1000)
    this.tokens.delete(host)
    this.tokens.set(host, { left: Math.max(0, refilled - 1), at: now })
    if (this.tokens.size > ADDRESSES_MAX) this.tokens.delete(this.tokens.keys().next().value!)
    return refilled >= 1
  }

  enter(connection: PendingConnection): void {
    this.pending.add(connection)
    if (this.pending.size > SLOTS) this.evictOne()
  }

  leave(connection: PendingConnection): void {
    this.pending.delete(connection)
  }

  private evictOne(): void {
    const byHost = new Map<string, PendingConnection[]>()
    for (const connection of this.pending) {
      const host = hostOf(connection.remote)
      const others = byHost.get(host)
      if (others === undefined) byHost.set(host, [connection])
      else others.push(connection)
    }
    let busiest: PendingConnection[] = []
    for (const all of byHost.values()) if (all.length > busiest.length) busiest = all
    const [oldest] = busiest
    this.pending.delete(oldest)
    oldest.evict()
  }
}
