import { UsageError } from '../../core/usage-error.ts'
import { type Address, addressText } from '../transports/address.ts'
import type { FrameLimits } from './frame-stream.ts'
import { type Disagreement, isPeerName, shown } from './handshake.ts'
import type { ConfigurationVersion, LinkRefusal, PeerKind } from './peer.ts'
import { isLoopback } from './remote.ts'

const SHORTEST_SECRET = 16

export interface MeshOptions {
  readonly cluster: string
  readonly member: string
  readonly incarnation: string
  readonly kind: PeerKind
  /** Where to listen; null does not listen (observers). Port 0 is any free port. */
  readonly listen: Address | null
  /** Where others reach this member, if that differs from the address to listen on. */
  readonly advertised?: string
  /** The present configuration of this member; asked at each handshake. */
  version(): ConfigurationVersion
  /** Members of the configuration; their connections have precedence over those of others. */
  knows(member: string): boolean
  /** The lease in milliseconds: pauses between dials and time limits are fractions of it. */
  readonly lease: number
  /** The longest lease that this member promises, in milliseconds. */
  readonly limit: number
  readonly drift: number
  /**
   * Others on this machine may free their promises when this process is gone; true by default.
   * Not where its work may outlive it: then only its number is told. `connection`: others on other
   * machines may do so when a connection has ended, so this process keeps connections open.
   */
  readonly fast?: boolean | 'connection'
  readonly security: MeshSecurity
  /** What these members do together, where a cluster name alone does not say it. */
  readonly purpose?: MeshPurpose
  /** Why a member must not connect at present; null where it may. All may by default. */
  excludes?(member: string): Disagreement | null
  readonly limits?: Partial<FrameLimits>
  /** One line at a time, at most ten a second. */
  log(line: string): void
  /**
   * What the log says of a member that was dialled and is not connected; null: nothing. By default
   * its name, its address and the reason.
   */
  missing?(refusal: LinkRefusal, at: string): string | null
}

/** What the members of a mesh do together. */
export interface MeshPurpose {
  /** All that both sides must have alike. */
  readonly text: string
  /** Why one side cannot work with the other, in words for `here`; null where it can. */
  disagreement(there: string, here: string): string | null
}

/** How members make sure who they are. */
export interface MeshSecurity {
  /** The network of the environment speaks TLS: the certificate must name the member. */
  readonly tls: boolean
  /** The network of the environment proves a shared secret, and encrypts by it. */
  readonly secret?: string | Uint8Array
  /** Neither is needed beyond loopback. */
  readonly insecure?: boolean
}

/** Throws a UsageError where a secret could be guessed. */
export function refuseShortSecret(secret: MeshSecurity['secret']): void {
  if (secret === undefined || secret.length >= SHORTEST_SECRET) return
  throw new UsageError(
    'secret',
    `it has ${secret.length} bytes, and at least ${SHORTEST_SECRET} are needed.`,
    'Draw a random one, for example with openssl rand -base64 32.',
  )
}

/** Throws a UsageError where the options would be unsafe. */
export function refuseMeshOptions({ cluster, member, listen, security }: MeshOptions): void {
  if (!isPeerName(member) || !isPeerName(cluster)) {
    throw new UsageError(
      isPeerName(member) ? 'cluster' : 'me',
      `${shown(isPeerName(member) ? cluster : member)} is not a name.`,
      'Use 1 to 64 letters, digits, hyphens, underscores and dots.',
    )
  }
  const { tls, secret, insecure } = security
  refuseShortSecret(secret)
  if (listen === null || tls || secret !== undefined || insecure) return
  if (isLoopback(addressText(listen))) return
  throw new UsageError(
    `Cannot listen on ${addressText(listen)}`,
    'without TLS or a shared secret, anybody who reaches this address can become a member.',
    'Use certificates or a secret, listen on 127.0.0.1, or allow insecure connections.',
  )
}
