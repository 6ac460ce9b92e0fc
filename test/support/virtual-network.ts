import type {
  Network,
  Stream,
  StreamListener,
  StreamServer,
  TlsProblem,
} from '../../src/cluster/mesh/stream.ts'
import { type Address, addressText, parseAddress } from '../../src/cluster/transports/address.ts'
import { ManualClock } from './manual-clock.ts'

/** Lets pending promises go on; nothing here waits for the outside world. */
async function settled(): Promise<void> {
  for (let i = 0; i < 30; i++) await Promise.resolve()
}

/** One end of a virtual connection. */
class VirtualStream implements Stream {
  other!: VirtualStream
  private listener: StreamListener | null = null
  private readonly early: (() => void)[] = []
  private done = false

  constructor(
    private readonly net: VirtualNetwork,
    readonly host: string,
    readonly remote: string,
    readonly certifiedNames: readonly string[] | null,
    readonly tlsProblem: TlsProblem | null,
    readonly sharesSecret: boolean,
  ) {}

  /** What was written while nothing gets through. */
  buffered = 0

  listen(listener: StreamListener): void {
    this.listener = listener
    for (const event of this.early.splice(0)) event()
  }

  write(bytes: Uint8Array): void {
    const { other } = this
    if (this.done) return
    this.net.writes++
    if (!this.net.passes(this.host, other.host)) this.buffered += bytes.length
    else this.net.later(() => other.happen(() => other.listener!.data(bytes)))
  }

  pause(): void {}

  resume(): void {}

  end(): void {
    this.destroy()
  }

  destroy(): void {
    if (this.done) return
    this.done = true
    const { other } = this
    if (!this.net.passes(this.host, other.host)) return
    this.net.later(() => other.happen(() => other.close('closed by the other side', true)))
  }

  /** The machine of this end has lost its power: the other end hears nothing of it. */
  vanish(): void {
    this.done = true
  }

  close(why: string, ended: boolean): void {
    if (this.done) return
    this.done = true
    this.listener!.closed(why, ended)
  }

  happen(event: () => void): void {
    if (this.done) return
    if (this.listener === null) this.early.push(event)
    else event()
  }
}

/**
 * Hosts, connections with a delay of a millisecond, and cuts through which nothing gets: what is
 * written then is lost, and nobody hears of it.
 */
export class VirtualNetwork {
  readonly clock = new ManualClock()
  /** Addresses behind names other than `host:port`. */
  readonly names = new Map<string, Address[]>()
  /** The certificates of hosts: their names, or what is wrong with them. */
  readonly certificates = new Map<string, readonly string[] | TlsProblem>()
  /** Hosts that do not show that they know the secret. */
  readonly ignorant = new Set<string>()
  /** Looks at a name server so far, in order. */
  readonly lookups: string[] = []
  writes = 0
  dials = 0
  private readonly servers = new Map<string, (stream: Stream) => void>()
  private readonly cut = new Set<string>()
  private readonly machines = new Map<string, { on: boolean }>()
  private readonly streams = new Set<VirtualStream>()
  private ports = 40_000

  /** The network as a host sees it, until it loses its power. */
  at(host: string): Network {
    const machine = { on: true }
    this.machines.set(host, machine)
    return {
      listen: async (address, accepted) => this.listen(address, accepted),
      dial: (address, timeout) =>
        machine.on ? this.dial(host, address, timeout) : new Promise(() => {}),
      resolve: async (name) => {
        this.lookups.push(name)
        return this.names.get(name) ?? [parseAddress(name)]
      },
    }
  }

  /** A machine stops in the middle of everything. Another one may take its name. */
  powerOff(host: string): void {
    const machine = this.machines.get(host)
    if (machine !== undefined) machine.on = false
    for (const stream of this.streams) if (stream.host === host) stream.vanish()
    for (const address of this.servers.keys()) {
      if (parseAddress(address).host === host) this.servers.delete(address)
    }
  }

  /** All connections of a host are closed, and both sides hear of it. */
  disconnect(host: string): void {
    for (const stream of [...this.streams].filter((one) => one.host === host)) {
      const { other } = stream
      stream.close('closed', false)
      this.later(() => other.happen(() => other.close('closed by the other side', true)))
    }
  }

  /** Nothing gets from one host to another, or does again. */
  block(from: string, to: string, blocked = true): void {
    if (blocked) this.cut.add(`${from}>${to}`)
    else this.cut.delete(`${from}>${to}`)
  }

  passes(from: string, to: string): boolean {
    return !this.cut.has(`${from}>${to}`)
  }

  later(run: () => void): void {
    this.clock.setTimeout(run, 1)
  }

  /** Lets time pass, a millisecond at a time. */
  async pass(milliseconds: number): Promise<void> {
    for (let i = 0; i < milliseconds; i++) {
      await settled()
      this.clock.advance(1)
    }
    await settled()
  }

  private listen(address: Address, accepted: (stream: Stream) => void): StreamServer {
    const key = addressText(address)
    this.servers.set(key, accepted)
    return {
      address,
      close: async () => {
        if (this.servers.get(key) === accepted) this.servers.delete(key)
      },
    }
  }

  private dial(from: string, address: Address, timeout: number): Promise<Stream> {
    this.dials++
    return new Promise((resolve, reject) => {
      if (!this.passes(from, address.host) || !this.passes(address.host, from)) {
        this.clock.setTimeout(() => reject(new Error('no answer')), timeout)
        return
      }
      this.later(() => {
        const accepted = this.servers.get(addressText(address))
        if (accepted === undefined) {
          reject(new Error('connection refused'))
          return
        }
        const near = this.end(from, address.host, addressText(address))
        const far = this.end(address.host, from, addressText({ host: from, port: this.ports++ }))
        near.other = far
        far.other = near
        accepted(far)
        resolve(near)
      })
    })
  }

  private end(host: string, other: string, remote: string): VirtualStream {
    const certificate = this.certificates.get(other) ?? null
    const [names, problem] =
      certificate === null || 'length' in certificate ? [certificate, null] : [null, certificate]
    const knows = !this.ignorant.has(other)
    const stream = new VirtualStream(this, host, remote, names, problem, knows)
    this.streams.add(stream)
    return stream
  }
}
