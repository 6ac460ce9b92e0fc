import { addressText } from './address.ts'
import { Connection } from './connection.ts'
import type { PeerStream } from './stream-transport.ts'

/** Connections that may be without a handshake at the same time. */
const LIMIT = 64

export interface PendingListener {
  /** The first frame of a connection. Throws MalformedBytes to have it closed. */
  greeted(connection: Connection, bytes: Uint8Array): void
  /** A connection was closed before its handshake, or refused in it. */
  closed(line: string, why: string): void
}

/**
 * Accepted connections before their handshake. Strangers may open as many as they like: those of
 * the host that has most are closed first, the oldest before the others. So a member, which greets
 * at once, is not locked out by idle connections.
 */
export class PendingConnections {
  private readonly hosts = new Map<Connection, string>()
  private readonly perHost = new Map<string, number>()
  private checking = false

  constructor(
    private readonly within: number,
    private readonly listener: PendingListener,
  ) {}

  accept(stream: PeerStream): void {
    const { remoteAddress: host = 'unknown', remotePort: port } = stream
    const remote = port === undefined ? host : addressText({ host, port })
    const connection = new Connection(stream, this.within, {
      frame: (bytes) => this.listener.greeted(connection, bytes),
      closed: (why) => {
        this.remove(connection)
        this.listener.closed(`connection from ${remote} closed: ${why}`, why)
      },
    })
    this.hosts.set(connection, host)
    this.count(host, 1)
    if (this.hosts.size > LIMIT) this.checkSoon()
  }

  /** The handshake of a connection is done. */
  remove(connection: Connection): void {
    const host = this.hosts.get(connection)
    if (host === undefined) return
    this.hosts.delete(connection)
    this.count(host, -1)
  }

  async close(): Promise<void> {
    await Promise.all([...this.hosts.keys()].map((connection) => connection.destroy()))
  }

  /** Not at once: a greeting that has arrived already is read first, in the next turn. */
  private checkSoon(): void {
    if (this.checking) return
    this.checking = true
    setImmediate(() =>
      setImmediate(() => {
        this.checking = false
        while (this.hosts.size > LIMIT)
          this.oldestOfMost().fail('too many connections without a handshake')
      }),
    )
  }

  private oldestOfMost(): Connection {
    const most = Math.max(...this.perHost.values())
    const [connection] = [...this.hosts].find(([, host]) => this.perHost.get(host) === most)!
    return connection
  }

  private count(host: string, change: number): void {
    const count = (this.perHost.get(host) ?? 0) + change
    if (count > 0) this.perHost.set(host, count)
    else this.perHost.delete(host)
  }
}
