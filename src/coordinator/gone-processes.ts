import type { Clock } from '../cluster/clock.ts'
import type { PeerInfo } from '../cluster/mesh/peer.ts'
import type { ProcessTable } from '../cluster/mesh/process-identity.ts'

/** Pauses between looks at a process whose connection has closed, in milliseconds. */
const FIRST_PAUSE = 1
const LONGEST_PAUSE = 20

/**
 * Finds out which processes are gone for certain, so that a promise to them binds nobody. A process
 * of this machine is looked for when its connection has closed, until it is gone: a kernel closes
 * the connections of a process before it has ended, so the first look may come too early. Of other
 * machines the end of a connection is believed, if both sides agreed to keep them open.
 */
export class GoneProcesses {
  private closed = false
  /** When a connection to each member closed last. */
  private readonly closings = new Map<string, number>()

  constructor(
    private readonly clock: Clock,
    private readonly processes: ProcessTable | undefined,
    private readonly fast: boolean | 'connection',
    /** After this time a promise to the process has ended anyway. */
    private readonly limit: number,
    private readonly gone: (peer: PeerInfo) => void,
  ) {}

  /** The connection to a member has closed; `ended`: that process or its system ended it. */
  lost(peer: PeerInfo, ended: boolean): void {
    if (this.fast === 'connection' && this.isOnlyConnection(peer) && ended && peer.keepsOpen)
      this.gone(peer)
    else if (this.fast !== false && this.processes !== undefined && peer.process !== null)
      this.look(peer, this.processes, FIRST_PAUSE, this.clock.now() + this.limit)
  }

  close(): void {
    this.closed = true
  }

  /**
   * Whether every promise to the member that runs now was asked for over the connection that has
   * closed. The other side may have given up this one for an earlier one, and may live.
   */
  private isOnlyConnection({ name }: PeerInfo): boolean {
    const now = this.clock.now()
    const before = this.closings.get(name) ?? Number.NEGATIVE_INFINITY
    for (const [other, at] of this.closings) if (now - at >= this.limit) this.closings.delete(other)
    this.closings.set(name, now)
    return now - before >= this.limit
  }

  private look(peer: PeerInfo, processes: ProcessTable, pause: number, until: number): void {
    if (this.closed) return
    if (processes.gone(peer.process!)) {
      this.gone(peer)
      return
    }
    if (this.clock.now() + pause > until) return
    const next = Math.min(2 * pause, LONGEST_PAUSE)
    this.clock.setTimeout(() => this.look(peer, processes, next, until), pause)
  }
}
