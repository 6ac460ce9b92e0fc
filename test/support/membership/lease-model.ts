import type { ConfigurationVersion } from '../../../src/cluster/mesh/peer.ts'
import type { Membership } from '../../../src/coordinator/membership/membership.ts'

/** A message between voters and candidates, as simple as it can be. */
export type LeaseFrame = { readonly role: string; readonly version: ConfigurationVersion } & (
  | { readonly type: 'request'; readonly term: number; readonly by: string; readonly round: number }
  | { readonly type: 'grant'; readonly term: number; readonly by: string; readonly round: number }
  | { readonly type: 'refusal'; readonly highest: number }
)

/** What a voter keeps on disk. */
export interface LeaseRecord {
  readonly term: number
  readonly by: string
}

export interface LeaseWorld {
  readonly now: () => number
  readonly lease: number
  readonly drift: number
  readonly margin: number
  /** Promises lapse at once and holders believe in their leases for ever. */
  readonly brokenClocks: boolean
  /** The holder of a promise: the name and the number of starts of the process. */
  readonly process: string
  send(to: string, frame: LeaseFrame): void
  /** Resolves when the record is durable. */
  write(role: string, record: LeaseRecord): Promise<void>
  /** A lease is valid from now until this time of the own clock. */
  leads(role: string, term: number, until: number): void
}

/**
 * A lease by majorities, written for the tests of the membership alone: it shares no code with the
 * definition that the coordinator runs, and relies on the membership for who votes.
 */
export class LeaseModel {
  /** Highest terms granted, also those that are being written. */
  readonly records: Map<string, LeaseRecord>
  private readonly promises = new Map<string, { readonly by: string; readonly until: number }>()
  private readonly terms = new Map<string, number>()
  private readonly highest = new Map<string, number>()
  private readonly over = new Map<string, number>()
  private readonly until = new Map<string, number>()
  private readonly rounds = new Map<
    number,
    { readonly role: string; readonly term: number; readonly at: number; readonly by: Set<string> }
  >()
  private round = 0

  constructor(
    private readonly membership: () => Membership,
    private readonly world: LeaseWorld,
    stored: ReadonlyMap<string, LeaseRecord>,
  ) {
    this.records = new Map(stored)
    const until = world.now() + world.lease
    for (const [role, { by }] of stored) this.promises.set(role, { by, until })
  }

  /** The term of a role that is held at this very instant. */
  held(role: string): number | null {
    const until = this.until.get(role)
    const valid = until !== undefined && (this.world.now() < until || this.world.brokenClocks)
    return valid && this.membership().mayLead() ? this.terms.get(role)! : null
  }

  /** Renews a held role, or stands for it with a new term. */
  stand(role: string): void {
    const membership = this.membership()
    if (!membership.mayLead()) return
    const held = this.held(role)
    if (held === null && this.until.delete(role)) this.over.set(role, this.terms.get(role)!)
    const known = Math.max(
      this.records.get(role)?.term ?? 0,
      this.highest.get(role) ?? 0,
      this.terms.get(role) ?? 0,
      membership.floor(role),
    )
    const term = held ?? known + 1
    this.terms.set(role, term)
    const round = ++this.round
    this.rounds.set(round, { role, term, at: this.world.now(), by: new Set() })
    const { configuration, version } = membership
    const names = [...(configuration!.old ?? []), ...configuration!.members].map(({ name }) => name)
    for (const to of new Set(names))
      this.world.send(to, { type: 'request', role, version, term, by: this.world.process, round })
  }

  received(from: string, frame: LeaseFrame): void {
    const membership = this.membership()
    if (!membership.admits(from, frame.version)) return
    if (frame.type === 'request') void this.requested(from, frame)
    else if (frame.type === 'refusal')
      this.highest.set(frame.role, Math.max(frame.highest, this.highest.get(frame.role) ?? 0))
    else this.granted(from, frame.round, frame.by)
  }

  private async requested(
    from: string,
    { role, term, by, round }: LeaseFrame & { type: 'request' },
  ): Promise<void> {
    const membership = this.membership()
    if (!membership.mayGrant()) return
    const { now, lease, brokenClocks } = this.world
    const record = this.records.get(role)
    const promise = this.promises.get(role)
    const highest = Math.max(record?.term ?? 0, membership.floor(role))
    const bound = promise !== undefined && now() < promise.until && promise.by !== by
    const running = bound && !brokenClocks
    const renewal = record?.term === term && record.by === by && term >= highest
    if (!renewal && (running || term <= highest)) {
      this.world.send(from, { type: 'refusal', role, version: membership.version, highest })
      return
    }
    this.promises.set(role, { by, until: now() + lease })
    if (!renewal) {
      this.records.set(role, { term, by })
      await this.world.write(role, { term, by })
    }
    this.world.send(from, { type: 'grant', role, version: membership.version, term, by, round })
  }

  private granted(from: string, number: number, by: string): void {
    const round = this.rounds.get(number)
    const { drift, lease, margin } = this.world
    if (round === undefined || by !== this.world.process) return
    const { role, term, at } = round
    if (this.terms.get(role) !== term || term <= (this.over.get(role) ?? 0)) return
    const before = this.until.get(role)
    if (before !== undefined && before <= this.world.now()) return
    round.by.add(from)
    const until = at + lease / (1 + drift) - margin
    if (!this.membership().majority(round.by) || until <= this.world.now()) return
    if (!this.membership().mayLead() || until <= (before ?? 0)) return
    this.until.set(role, until)
    this.world.leads(role, term, until)
  }
}
