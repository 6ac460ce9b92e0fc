/** What a member knows, as `conclave status --json` prints it. Times are in milliseconds. */
export interface CoordinatorStatus {
  /** The name of the cluster. */
  readonly name: string
  /** The member that says this. */
  readonly me: string
  /** Why it neither votes nor leads; empty while all is well. */
  readonly problems: readonly string[]
  readonly configuration: ConfigurationStatus
  readonly members: readonly MemberStatus[]
  /** The leader and term of the only role; null without one, or with several roles. */
  readonly leader: string | null
  readonly term: number | null
  readonly roles: Readonly<Record<string, RoleStatus>>
  /** How late timers of this process fired recently. */
  readonly latenessMs: number
}

/** Who votes. */
export interface ConfigurationStatus {
  readonly term: number
  readonly number: number
  readonly voters: readonly string[]
  /** The voters of the new set while a change is under way. */
  readonly next: readonly string[] | null
  readonly witnesses: readonly string[]
}

/** A member, as the member that is asked sees it. */
export interface MemberStatus {
  /** Its name. */
  readonly id: string
  readonly address: string | null
  /** Heard within the last lease; true for the member itself. */
  readonly reachable: boolean
  /** Whether it can grant now: it has its memory, and a storage that can be written. */
  readonly votes: boolean
  /** Of the role that it leads, or of the only role; else null. */
  readonly term: number | null
  /** Whether it leads a role, as far as the member that is asked knows. */
  readonly leads: boolean
  /** What is left of its lease, as far as is known. */
  readonly leaseMs: number | null
  readonly roundTripMs: number | null
  readonly silentMs: number | null
  readonly incarnation: string | null
  /** The number of its process on its machine; null where it is not known. */
  readonly pid: number | null
}

/** A role, as the member that is asked sees it. */
export interface RoleStatus {
  readonly leader: string | null
  /** The number of the leader's process; null where it is not known. */
  readonly pid: number | null
  readonly term: number
  /** What is left of the lease. The holder knows it; a voter knows what it promised, a bit more. */
  readonly leaseMs: number | null
  /** Whether the member that is asked leads at this moment. */
  readonly leads: boolean
  /** Whether it would accept leading. */
  readonly stands: boolean
}
