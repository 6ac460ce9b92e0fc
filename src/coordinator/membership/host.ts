import type { Configuration, MemberKind } from './configuration.ts'

/** A member as people give it. */
export interface GivenMember {
  /** `host:port`, or the name of an SRV record (`_conclave._tcp...`); looked up at each dial. */
  readonly address: string
  readonly kind: MemberKind
}

/** A change of the members. It is either finished as a whole or, before it began, refused. */
export interface MembershipChange {
  readonly add?: Readonly<Record<string, string | GivenMember>>
  readonly remove?: readonly string[]
}

/**
 * What a member is to its cluster.
 * - `bootstrapping`: waits until all voters of the first start have answered, and one lease longer
 * - `recovering`: has lost its memory; learns from the others after the longest lease
 * - `confirming`: has a memory, and asks the others whether they remember more of it
 * - `outside`: is in no configuration that it knows; waits to be added
 * - `voting`: has a configuration with this member in it, and everything that a voter must know
 * - `removed`: was a member; votes and leads no more
 * - `refused`: cannot start like this: the reason says why
 */
export type Standing =
  | 'bootstrapping'
  | 'recovering'
  | 'confirming'
  | 'outside'
  | 'voting'
  | 'removed'
  | 'refused'

/** What a membership needs from the coordinator that it belongs to. */
export interface MembershipHost {
  /** Sends a frame of the membership; the coordinator adds the first byte. May be lost. */
  send(member: string, bytes: Uint8Array): void
  /** Whom to be connected to: names and where to dial them. */
  dial(peers: ReadonlyMap<string, string>): void
  /** The highest term granted, for every role with a record here, also without a driver. */
  terms(): ReadonlyMap<string, number>
  /** The term in which this member holds the role `members` at this very instant; null if not. */
  heldTerm(): number | null
  /** Who holds the role `members`, as far as this member knows. */
  holder(): string | null
  /**
   * The configuration in force has changed; it is on disk. Roles get their floors from it
   * (request FLOOR), and links to those who left it are gone.
   */
  configured(configuration: Configuration): void
  /** What this member is has changed. The reason is one line for the log. */
  standing(standing: Standing, why: string): void
  /** Storage has failed: this member neither votes nor leads any more. */
  failed(why: string): void
}

/** How a member is started. */
export interface MembershipOptions {
  readonly me: string
  /** The members that it was given. Where there is a configuration, only their addresses count. */
  readonly members: ReadonlyMap<string, GivenMember>
  /** Addresses are the names of members. */
  readonly byName?: boolean
  /** May found a cluster, together with all others that it was given, if none remembers one. */
  readonly bootstrap: boolean
  /** The lease in milliseconds: unanswered requests are repeated every quarter of it. */
  readonly lease: number
  /** The longest lease that this member promises, in milliseconds. */
  readonly limit: number
  /** The bound on the ratio of clock rates, such as 0.05. */
  readonly drift: number
  /** Added to every wait, in milliseconds. */
  readonly margin: number
}
