import type { Stream, StreamListener } from '../../../src/cluster/mesh/stream.ts'
import type { VirtualProcess } from './machine.ts'
import type { VirtualNetwork } from './network.ts'
import { happens } from './world.ts'

/** What the system keeps without telling the process. */
const KERNEL_BUFFER = 1 << 16
/** A packet that gets no answer is sent again after this time, then after twice that. */
const FIRST_RETRY = 200
const LAST_RETRY = 3000

type Segment = Uint8Array | 'end' | 'reset' | 'spoilt'

const CLOSINGS = {
  end: 'the other side ended it',
  reset: 'connection reset',
  spoilt: 'its bytes were changed on the way',
} as const

/** One end of a connection between two processes. */
export class VirtualStream implements Stream {
  other!: VirtualStream
  readonly certifiedNames = null
  /** Members that share a secret speak TLS: the others notice bytes that were changed. */
  readonly sharesSecret = true
  private listener: StreamListener | null = null
  /** What was written here and has not arrived there. */
  private readonly outgoing: { readonly segment: Segment; readonly at: number }[] = []
  private lastArrival = 0
  private unsent = 0
  private pumping = false
  private retry = FIRST_RETRY
  /** What arrived here and was not read. */
  private readonly incoming: Segment[] = []
  private paused = false
  private ended = false
  private done = false

  constructor(
    private readonly network: VirtualNetwork,
    readonly process: VirtualProcess,
    readonly remote: string,
  ) {}

  get buffered(): number {
    return Math.max(0, this.unsent - KERNEL_BUFFER)
  }

  listen(listener: StreamListener): void {
    this.listener = listener
    this.read()
  }

  write(bytes: Uint8Array): void {
    if (this.done || this.ended || !this.process.calls()) return
    this.network.world.trace(`${this.process.machine.name} -> ${this.remote}`, bytes)
    this.unsent += bytes.length
    this.network.countWrite()
    this.send(bytes.slice())
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
    if (this.incoming.length > 0) this.process.post(0, () => this.read())
  }

  end(): void {
    if (this.done || this.ended || !this.process.calls()) return
    this.ended = true
    this.send('end')
  }

  destroy(): void {
    if (this.done) return
    this.done = true
    this.listener = null
    if (this.process.calls()) this.systemCloses()
    this.network.forget(this)
  }

  /** The process has closed its end, or is gone: its system ends or resets the connection. */
  systemCloses(): void {
    const { random, options } = this.network
    if (!options.ends || happens(random, 0.2)) this.reset()
    else if (!this.ended) {
      // What waits in the process is lost; its system delivers the rest.
      if (happens(random, 0.5)) this.outgoing.length = 0
      this.send('end')
    }
  }

  /** The system ends the connection. */
  reset(): void {
    this.outgoing.length = 0
    this.unsent = 0
    this.send('reset')
  }

  private send(segment: Segment): void {
    const { network, process, other } = this
    const delay = network.delay(process.machine, other.process.machine)
    this.lastArrival = Math.max(this.lastArrival, network.world.time + delay)
    this.outgoing.push({ segment, at: this.lastArrival })
    if (this.pumping) return
    this.pumping = true
    this.schedule(this.lastArrival)
  }

  private schedule(at: number): void {
    this.network.world.schedule(at, () => this.pump())
  }

  /** The next segments arrive at the other end, or are tried again later. */
  private pump(): void {
    const { network, process, other } = this
    const [here, there] = [process.machine, other.process.machine]
    if (this.outgoing.length === 0 || !here.powered) {
      this.pumping = false
      return
    }
    if (!network.passes(here, there) || !there.powered) {
      this.schedule(network.world.time + this.retry)
      this.retry = Math.min(2 * this.retry, LAST_RETRY)
      return
    }
    this.retry = FIRST_RETRY
    if (!network.isOpen(other)) {
      // Nobody knows this connection there.
      this.outgoing.length = 0
      this.pumping = false
      if (network.isOpen(this))
        this.process.post(network.delay(there, here), () => this.arrive('reset'))
      return
    }
    this.deliver(this.outgoing.shift()!.segment)
    if (this.outgoing.length > 0) this.schedule(this.outgoing[0].at)
    else this.pumping = false
  }

  private deliver(segment: Segment): void {
    const { other } = this
    if (typeof segment === 'string') {
      other.process.post(0, () => other.arrive(segment))
      return
    }
    this.unsent -= segment.length
    for (const part of this.parts(segment)) other.process.post(0, () => other.arrive(part))
  }

  /** Bytes may arrive in pieces; some networks change them, which ends the connection. */
  private parts(bytes: Uint8Array): Segment[] {
    const { random, options, rough } = this.network
    if (rough && options.corruption > 0 && happens(random, options.corruption)) {
      this.network.world.trace('spoilt')
      return ['spoilt']
    }
    if (bytes.length < 2 || !happens(random, 0.1)) return [bytes]
    const cut = 1 + random.below(bytes.length - 1)
    return [bytes.slice(0, cut), bytes.slice(cut)]
  }

  private arrive(segment: Segment): void {
    if (this.done) return
    this.incoming.push(segment)
    this.read()
  }

  private read(): void {
    while (this.listener !== null && !this.paused && !this.done && this.incoming.length > 0) {
      const segment = this.incoming.shift()!
      if (typeof segment !== 'string') {
        this.listener.data(segment)
        continue
      }
      const { listener } = this
      this.done = true
      if (segment === 'spoilt') this.reset()
      this.network.forget(this)
      listener.closed(CLOSINGS[segment], segment === 'end')
    }
  }
}
