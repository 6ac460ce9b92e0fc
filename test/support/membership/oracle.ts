import {
  type Configuration,
  isMajority,
  versionText,
} from '../../../src/coordinator/membership/configuration.ts'

/** A time in real milliseconds during which a member may act as the holder of a role. */
export interface LeaseInterval {
  readonly role: string
  readonly holder: string
  readonly term: number
  readonly from: number
  readonly until: number
}

/** Watches a world, and knows all that must never happen. */
export class Oracle {
  readonly violations: string[] = []
  readonly intervals: LeaseInterval[] = []
  private readonly lastOf = new Map<string, LeaseInterval>()
  private readonly inForce = new Map<string, Configuration>()
  private readonly stable = new Map<number, string>()

  /** Without clocks that keep their rates, leases are not looked at. */
  constructor(private readonly clocks: boolean) {}

  /** How many stable configurations there were. */
  get changes(): number {
    return this.stable.size
  }

  /** No two leases of a role overlap, and a later one has a larger term. */
  leads(interval: LeaseInterval): void {
    const last = this.lastOf.get(interval.role)
    this.intervals.push(interval)
    if (last !== undefined && (last.holder !== interval.holder || last.term !== interval.term)) {
      const pair = `${text(last)}, then ${text(interval)}`
      if (this.clocks && interval.from < last.until) this.violations.push(`two leases: ${pair}`)
      if (this.clocks && interval.term <= last.term)
        this.violations.push(`terms do not grow: ${pair}`)
    }
    if (last === undefined || interval.until > last.until) this.lastOf.set(interval.role, interval)
  }

  lastHolder(role: string): string | null {
    return this.lastOf.get(role)?.holder ?? null
  }

  /** A member has a configuration on disk, and may grant leases under it. */
  configured(name: string, configuration: Configuration, grants: boolean): void {
    if (grants) this.inForce.set(name, configuration)
    else this.inForce.delete(name)
    this.checkChain(configuration)
    this.checkQuorums()
  }

  forgot(name: string): void {
    this.inForce.delete(name)
  }

  /** Stable configurations of one number are one; a joint one begins with the one before. */
  private checkChain({ version, members, old }: Configuration): void {
    const number = old === null ? version.number : version.number - 1
    const set = (old ?? members).map(({ name, id }) => `${name}/${id}`).join(' ')
    const known = this.stable.get(number)
    if (known === undefined) this.stable.set(number, set)
    else if (known !== set)
      this.violations.push(`configuration ${number} is ${known} and also ${set}`)
  }

  /** At most one version has a majority of those that have it: the others can grant no lease. */
  private checkQuorums(): void {
    const holders = new Map<string, Set<string>>()
    for (const [name, { version }] of this.inForce) {
      const key = versionText(version)
      holders.set(key, (holders.get(key) ?? new Set()).add(name))
    }
    const able = [...holders].filter(([, names]) => {
      const [first] = names
      return isMajority(this.inForce.get(first)!, names)
    })
    if (able.length > 1)
      this.violations.push(`two configurations can grant: ${able.map(([v]) => v).join(', ')}`)
  }
}

function text({ role, holder, term, from, until }: LeaseInterval): string {
  return `${role} by ${holder} in term ${term} from ${from.toFixed(1)} to ${until.toFixed(1)}`
}
