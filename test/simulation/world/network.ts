import type { Network, Stream } from '../../../src/cluster/mesh/stream.ts'
import type { Random } from '../../../src/core/runtime/random.ts'
import type { Machine, VirtualProcess } from './machine.ts'
import { VirtualStream } from './stream.ts'
import { between, happens, type World } from './world.ts'

export interface NetworkOptions {
  /** The usual delay of a packet in milliseconds, and how much it varies. */
  readonly delay: number
  readonly jitter: number
  /** The probability that a packet is lost once, and comes later. */
  readonly loss: number
  /** The probability that bytes arrive changed, twice or not at all. */
  readonly corruption: number
  /** Whether a system ends the connections of a process that is gone; otherwise it resets them. */
  readonly ends: boolean
}

interface Server {
  readonly process: VirtualProcess
  readonly accepted: (stream: Stream) => void
}

/** The network between all machines. Links may be cut in one or both directions. */
export class VirtualNetwork {
  readonly random: Random
  private readonly machines = new Map<string, Machine>()
  private readonly servers = new Map<string, Server>()
  private readonly blocked = new Map<string, number>()
  /** The most that was written by all machines within a tenth of a second. */
  busiest = 0
  private writes = 0
  private window = 0
  private readonly slowed = new Map<string, number>()
  private readonly streams = new Set<VirtualStream>()
  private ports = 40_000
  /** Whether delays vary, and packets are lost or changed. */
  rough = false

  constructor(
    readonly world: World,
    readonly options: NetworkOptions,
  ) {
    this.random = world.random.split('network')
  }

  add(machine: Machine): void {
    this.machines.set(machine.host, machine)
  }

  /** Nothing goes from one machine to another until it is healed; cuts may overlap. */
  cut(from: Machine, to: Machine): void {
    const link = `${from.name} ${to.name}`
    this.blocked.set(link, (this.blocked.get(link) ?? 0) + 1)
  }

  heal(from: Machine, to: Machine): void {
    const link = `${from.name} ${to.name}`
    this.blocked.set(link, Math.max(0, (this.blocked.get(link) ?? 0) - 1))
  }

  healAll(): void {
    this.blocked.clear()
    this.slowed.clear()
  }

  passes(from: Machine, to: Machine): boolean {
    return (this.blocked.get(`${from.name} ${to.name}`) ?? 0) === 0
  }

  /** Packets from one machine to another take so much longer. */
  slow(from: Machine, to: Machine, delay: number): void {
    this.slowed.set(`${from.name} ${to.name}`, delay)
  }

  delay(from: Machine, to: Machine): number {
    const { random, options } = this
    const { jitter, loss } = options
    const usual = this.usualDelay() + (this.slowed.get(`${from.name} ${to.name}`) ?? 0)
    if (!this.rough) return usual
    const more = happens(random, loss) ? between(random, 20, 300) : between(random, 0, jitter)
    return usual + more
  }

  /** Counts what is written within a tenth of a second. */
  countWrite(): void {
    const window = Math.floor(this.world.time / 100)
    this.writes = window === this.window ? this.writes + 1 : 1
    this.window = window
    this.busiest = Math.max(this.busiest, this.writes)
  }

  usualDelay(): number {
    return this.options.delay * between(this.random, 0.5, 1)
  }

  /** The process is gone: its system closes the connections, or they stay half open. */
  lost(process: VirtualProcess, how: 'kill' | 'power'): void {
    for (const [address, server] of this.servers)
      if (server.process === process) this.servers.delete(address)
    for (const stream of [...this.streams])
      if (stream.process === process) {
        if (how === 'kill') stream.systemCloses()
        this.streams.delete(stream)
      }
  }

  /** All processes so far; each gets its number. */
  readonly processes: VirtualProcess[] = []

  countProcess(process: VirtualProcess): number {
    return this.processes.push(process)
  }

  forget(stream: VirtualStream): void {
    this.streams.delete(stream)
  }

  isOpen(stream: VirtualStream): boolean {
    return this.streams.has(stream)
  }

  /** The network as a process has it. */
  seenBy(process: VirtualProcess): Network {
    const { machine } = process
    return {
      listen: async (address, accepted) => {
        const key = `${machine.host}:${address.port}`
        if (process.calls()) this.servers.set(key, { process, accepted })
        return {
          address,
          close: async () => {
            if (this.servers.get(key)?.process === process) this.servers.delete(key)
          },
        }
      },
      dial: ({ host, port }, timeout, signal) =>
        new Promise((resolve, reject) => {
          if (process.calls()) this.dial(process, host, port, timeout, resolve, reject, signal)
        }),
      resolve: async (name) => {
        const at = name.lastIndexOf(':')
        return [{ host: name.slice(0, at), port: Number(name.slice(at + 1)) }]
      },
    }
  }

  private dial(
    process: VirtualProcess,
    host: string,
    port: number,
    timeout: number,
    resolve: (stream: Stream) => void,
    reject: (error: Error) => void,
    signal?: AbortSignal,
  ): void {
    const { machine } = process
    const target = this.machines.get(host)
    const wait = process.post(timeout / machine.rate, () => reject(new Error('no answer')))
    signal?.addEventListener('abort', () => {
      wait.cancelled = true
      reject(new Error('aborted'))
    })
    if (target === undefined) return
    this.world.schedule(this.world.time + this.delay(machine, target), () => {
      if (!this.passes(machine, target) || !target.powered || !process.alive) return
      const server = this.servers.get(`${host}:${port}`)
      const answer = (act: () => void) =>
        process.post(this.delay(target, machine), () => {
          if (wait.cancelled || !this.passes(target, machine)) return
          wait.cancelled = true
          act()
        })
      if (server === undefined) {
        answer(() => reject(new Error('connection refused')))
        return
      }
      const [near, far] = this.pair(process, server.process, `${host}:${port}`)
      answer(() => resolve(near))
      server.process.post(0, () => server.accepted(far))
    })
  }

  private pair(
    one: VirtualProcess,
    other: VirtualProcess,
    address: string,
  ): [VirtualStream, VirtualStream] {
    const near = new VirtualStream(this, one, address)
    const far = new VirtualStream(this, other, `${one.machine.host}:${this.ports++}`)
    near.other = far
    far.other = near
    this.streams.add(near)
    this.streams.add(far)
    return [near, far]
  }
}
