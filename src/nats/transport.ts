import type { NamedMember, StreamTransport } from '../cluster/transports/stream-transport.ts'
import { quoted } from '../core/text-format.ts'
import { UsageError } from '../core/usage-error.ts'
import { type NatsOptions, parseNatsAddresses } from './options.ts'

/** Which cluster meets on a server of NATS, what its members share, and how to connect. */
export interface NatsTransportOptions extends Omit<NatsOptions, 'servers'> {
  /** The name of the cluster: members of other clusters on the same server do not see them. */
  readonly cluster?: string
  /** A secret of at least 16 characters that all members share: it proves who sends. */
  readonly secret?: string
  /** Permits members without a secret: whoever may use the subjects can pretend to be one. */
  readonly insecure?: boolean
}

/** The shortest secret, in characters. */
const SHORTEST_SECRET = 16
/** The smallest limit on messages with which members can talk. */
const LEAST_PAYLOAD = 1024
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Lets members meet on a server of NATS, where they cannot reach each other directly. Nothing is
 * connected before a member joins.
 *
 * `const transport = nats('nats://10.0.0.1:4222', { cluster: 'billing', secret })`
 */
export function nats(servers: string, options: NatsTransportOptions = {}): StreamTransport {
  const { cluster, secret, insecure = false, ...connection } = options
  const { shown: through } = parseNatsAddresses(servers, 'NATS')
  return {
    through,
    cluster,
    secret,
    insecure,
    async open(member) {
      const named = checkedMember({
        member: member.member,
        cluster: cluster ?? member.cluster,
        secret: secret ?? member.secret,
        insecure: insecure || member.insecure,
      })
      const [{ natsBus }, { NatsEndpoint }] = await Promise.all([
        import('./streams/message-bus.ts'),
        import('./streams/nats-endpoint.ts'),
      ])
      const bus = await natsBus({ name: named.member, ...connection, servers })
      if (bus.maxPayload < LEAST_PAYLOAD) {
        await bus.close()
        throw new UsageError(
          through,
          `the server takes messages of ${bus.maxPayload} bytes at most.`,
          `Set its max_payload to ${LEAST_PAYLOAD} or more.`,
        )
      }
      const accepts = member.accepts ?? true
      const endpoint = new NatsEndpoint(bus, { ...named, accepts })
      // Who dials before the server knows of the subscription is told that nobody is there.
      await bus.flush()
      return endpoint
    },
  }
}

function checkedMember({ member, cluster, secret, insecure }: NamedMember) {
  if (cluster === undefined || !NAME.test(cluster))
    throw new UsageError(
      'cluster',
      cluster === undefined ? 'the name of the cluster is missing.' : `${quoted(cluster)} is none.`,
      'Use 1 to 64 letters, digits, hyphens, underscores and dots, the same for all members.',
    )
  if (secret === undefined && insecure !== true)
    throw new UsageError(
      'secret',
      'over NATS, whoever may use the subjects could take part without one.',
      'Give all members the same secret, or permit insecure members.',
    )
  if (secret !== undefined && secret.length < SHORTEST_SECRET)
    throw new UsageError(
      'secret',
      `fewer than ${SHORTEST_SECRET} characters can be guessed.`,
      'Draw a random one, for example with openssl rand -base64 32.',
    )
  return { member, cluster, secret }
}
