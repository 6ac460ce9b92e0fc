import { X509Certificate } from 'node:crypto'
import { type MetricFamily, Metrics } from './operations/metrics.ts'
import type { RunningNode } from './running-node.ts'

/** What a node counts, and what is read from it when somebody asks. */
export class NodeMetrics {
  private readonly metrics = new Metrics()
  /** Counts terms of this process, by role. */
  readonly elected = this.metrics.counter('elected', 'Terms in which this process led.')
  /** Counts ends of terms, by role. */
  readonly deposed = this.metrics.counter('deposed', 'Terms of this process that have ended.')
  readonly released = this.metrics.counter('released', 'Leases that this process gave back.')
  readonly outlived = this.metrics.counter(
    'work_outlived_term',
    'Terms whose work had not ended when they were over.',
  )
  readonly refused = this.metrics.counter('refused_connections', 'Refused connections.')
  readonly written = this.metrics.counter('storage_writes', 'Grants written to the storage.')
  readonly stored = this.metrics.histogram(
    'storage_write_seconds',
    'How long writes to the storage took until they were durable.',
  )
  readonly dropped = this.metrics.counter('dropped_connections', 'Connections that were silent.')

  constructor(node: RunningNode) {
    const { metrics } = this
    const roles = () => [...node.roles.all()]
    metrics.gauge('leads', 'Whether this process leads the role now.', () =>
      roles().map((role) => [{ role: role.name }, role.leads() ? 1 : 0] as const),
    )
    metrics.gauge('term', 'The highest term that this voter has granted.', () =>
      roles().map((role) => [{ role: role.name }, role.facts.granted] as const),
    )
    metrics.gauge('lease_remaining_seconds', 'What is left of the own lease.', () =>
      roles().map((role) => [{ role: role.name }, role.facts.remaining / 1000] as const),
    )
    metrics.gauge('has_leader', 'Whether this node knows a leader.', () =>
      roles().map((role) => [{ role: role.name }, role.leader === null ? 0 : 1] as const),
    )
    metrics.gauge('messages', 'Messages of the election sent so far.', () =>
      roles().map((role) => [{ role: role.name }, role.facts.counts?.total ?? 0] as const),
    )
    metrics.gauge('peer_up', 'Whether the member is connected.', () =>
      [...node.links.keys()].map((member) => [{ member }, node.isUp(member) ? 1 : 0] as const),
    )
    metrics.gauge('round_trip_seconds', 'Smoothed round-trip time.', () =>
      [...node.links.keys()].flatMap((member) => {
        const time = node.beats.roundTrip(member)
        return time === null ? [] : [[{ member }, time / 1000] as const]
      }),
    )
    metrics.gauge(
      'lateness_seconds',
      'How late timers of this process fired within the last lease.',
      () => node.beats.lateness / 1000,
    )
    const { tls } = node.options
    if (tls !== undefined)
      metrics.gauge(
        'certificate_expiry_timestamp_seconds',
        'When the certificate of this member expires, in seconds since 1970.',
        () => expiryOf((typeof tls === 'function' ? tls() : tls).cert),
      )
    metrics.gauge('healthy', 'Whether this node votes and could lead.', () =>
      node.mayGrant() && node.problem() === null ? 1 : 0,
    )
  }

  snapshot(): readonly MetricFamily[] {
    return this.metrics.snapshot()
  }
}

function expiryOf(certificate: string | Uint8Array): number {
  return Date.parse(new X509Certificate(certificate).validTo) / 1000
}
