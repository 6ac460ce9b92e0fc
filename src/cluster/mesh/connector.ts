import type { TimerHandle } from '../clock.ts'
import { type Address, addressText } from '../transports/address.ts'
import type { MeshEnvironment } from './environment.ts'
import type { Disagreement } from './handshake.ts'
import type { Negotiation } from './negotiation.ts'
import type { RefusalReason } from './peer.ts'
import { isLoopback } from './remote.ts'
import type { Stream } from './stream.ts'

/** An error of a network that says why nobody could be dialled. */
export class DialError extends Error {
  constructor(
    message: string,
    readonly reason: RefusalReason = 'unreachable',
  ) {
    super(message)
  }
}

export interface PeerConnectorOptions {
  readonly member: string
  readonly environment: MeshEnvironment
  /** In milliseconds. */
  readonly lease: number
  /** Whether addresses beyond loopback may be dialled. */
  readonly anywhere: boolean
  /** Whether the other side dials first, so that the two rarely dial at the same time. */
  readonly patient: boolean
  /** Begins the handshake. It ends with `retry`, or with a connection. */
  negotiate(stream: Stream): Negotiation
  /** An attempt failed before the handshake; another one follows. */
  failed(why: Disagreement, address: string): void
}

/** Dials one member, and tries again with growing pauses, as long as it is not connected. */
export class PeerConnector {
  /** The handshake under way. */
  negotiation: Negotiation | null = null
  private pause: number
  private timer: TimerHandle | null = null
  private attempt: AbortController | null = null
  private attempts = 0
  private connectedAt: number | null = null

  constructor(
    private address: string,
    private readonly options: PeerConnectorOptions,
  ) {
    this.pause = this.shortest
    this.schedule(options.patient ? options.lease / 8 : 0)
  }

  /** Where the member is now; names are looked up at each attempt anyway. */
  moveTo(address: string): void {
    if (address === this.address) return
    this.address = address
    this.pause = this.shortest
  }

  /** There is a connection, dialled from here or from there. */
  connected(): void {
    this.stop()
    this.connectedAt = this.options.environment.clock.now()
  }

  /** The connection is gone. One that lasted is dialled again at once. */
  lost(): void {
    const { environment, lease, patient } = this.options
    const lasted = environment.clock.now() - (this.connectedAt ?? 0)
    if (lasted > lease) this.pause = this.shortest
    this.connectedAt = null
    this.schedule(patient ? Math.max(this.pause, lease / 8) : this.pause)
  }

  /** The attempt has failed; if the other side is there and differs, it will not change soon. */
  retry(refused = false): void {
    this.stop()
    if (refused) this.pause = this.options.lease / 4
    const [chance] = this.options.environment.randomBytes(1)
    this.schedule(this.pause * (0.75 + chance / 1024))
    this.pause = Math.min(2 * this.pause, this.options.lease / 4)
  }

  /** Ends an attempt under way, without another one. */
  stop(): void {
    if (this.timer !== null) this.options.environment.clock.clearTimeout(this.timer)
    this.timer = null
    this.attempt?.abort()
    this.attempt = null
    const { negotiation } = this
    this.negotiation = null
    negotiation?.refuse({ reason: 'crossing', detail: 'the attempt is given up' })
  }

  private get shortest(): number {
    return Math.max(5, this.options.lease / 64)
  }

  private schedule(pause: number): void {
    const { clock } = this.options.environment
    if (this.timer !== null) clock.clearTimeout(this.timer)
    this.timer = clock.setTimeout(() => void this.dial(), pause)
  }

  private async dial(): Promise<void> {
    const { environment, lease } = this.options
    const within = Math.min(Math.max(lease / 2, 250), 2500)
    const attempt = new AbortController()
    this.attempt = attempt
    const { address } = this
    const fail = (why: Disagreement) => {
      if (attempt.signal.aborted) return
      this.options.failed(why, address)
      this.retry()
    }
    this.timer = environment.clock.setTimeout(
      () => fail({ reason: 'unreachable', detail: `no answer within ${Math.round(within)} ms` }),
      within,
    )
    try {
      const target = await this.target(address)
      if (attempt.signal.aborted) return
      const stream = await environment.network.dial(target, within, attempt.signal)
      if (attempt.signal.aborted) {
        stream.destroy()
        return
      }
      environment.clock.clearTimeout(this.timer!)
      this.timer = null
      this.attempt = null
      this.negotiation = this.options.negotiate(stream)
      this.negotiation.start()
    } catch (error) {
      const reason = error instanceof DialError ? error.reason : 'unreachable'
      fail({ reason, detail: error instanceof Error ? error.message : String(error) })
    }
  }

  /** One of the addresses behind the name, another one at each attempt. */
  private async target(address: string): Promise<Address> {
    const { environment, member, anywhere } = this.options
    const found = await environment.network.resolve(address)
    const usable = anywhere ? found : found.filter((one) => isLoopback(addressText(one)))
    if (found.length === 0) throw new DialError(`no address was found for ${address}`)
    if (usable.length === 0) {
      throw new DialError(
        `${addressText(found[0])} is beyond loopback, and there is neither TLS nor a secret`,
        'unprotected',
      )
    }
    // A headless service names its pods: one named like the member is the member.
    const named = usable.filter(({ host }) => host.split('.')[0] === member)
    const targets = named.length > 0 ? named : usable
    return targets[this.attempts++ % targets.length]
  }
}
