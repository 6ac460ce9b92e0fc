import type { ProcessIdentity } from './process-identity.ts'
import type { TlsProblem } from './stream.ts'

/** A configuration of the members: later terms are newer, within a term larger numbers are. */
export interface ConfigurationVersion {
  readonly term: number
  readonly number: number
}

/** Members vote and may lead; observers only watch. */
export type PeerKind = 'member' | 'observer'

/** What the handshake says about the process at the other end of a connection. */
export interface PeerInfo {
  readonly name: string
  readonly incarnation: string
  readonly kind: PeerKind
  /** Its configuration at the handshake; the side with the older one has to learn the newer. */
  readonly version: ConfigurationVersion
  /** The longest lease that it promises, in milliseconds. */
  readonly limit: number
  /** Its bound on the ratio of clock rates. It equals that of this member. */
  readonly drift: number
  /** Its process if that runs on this machine and was seen in /proc; null otherwise. */
  readonly process: ProcessIdentity | null
  /** The number of its process on its machine, for people; null where it does not tell. */
  readonly pid: number | null
  /**
   * Whether it keeps a connection open until no lease of it rests on requests that it sent over it.
   * If one ends earlier, its process is gone.
   */
  readonly keepsOpen: boolean
  /** The version of the protocol that both sides speak. */
  readonly protocol: number
  /** Where other members can reach it: the address that it advertises; null for observers. */
  readonly advertised: string | null
  /** Where the connection comes from or goes to, for logs. */
  readonly remote: string
}

/** Why a connection was refused; each is counted. */
export type RefusalReason =
  | TlsProblem['reason']
  | 'slots' // too many connections at once
  | 'rate' // too many connections from one address in a short time
  | 'timeout' // no handshake in time
  | 'closed' // the other side left during the handshake
  | 'garbage' // not the protocol of members
  | 'cluster' // a member of another cluster
  | 'purpose' // a member that does something else
  | 'protocol' // no common version of the protocol
  | 'drift' // another bound on clock rates
  | 'name' // another member than the one that was dialled, or than the certificate names
  | 'excluded' // a member that has left what this one takes part in
  | 'duplicate' // another process under this name is alive
  | 'crossing' // both sides dialled: the other connection is used
  | 'unprotected' // neither TLS nor a secret, and not on loopback
  | 'unreachable' // nobody answers at the address

export interface LinkRefusal {
  readonly reason: RefusalReason
  /** One line for people. Text of strangers in it is escaped and cut. */
  readonly detail: string
  /** The member, where it is known: it was dialled, or it said so. */
  readonly member: string | null
  /** Whether this side dialled. */
  readonly dialled: boolean
}

/** Gets what happens on the connections of a mesh. */
export interface MeshListener {
  up(member: string, peer: PeerInfo): void
  /**
   * Called once after each `up`; before the connection is closed, if this side closes it. `ended`:
   * the other side ended it in order, without a word.
   */
  down(member: string, why: string, ended: boolean): void
  /** The first byte is not 0. What it throws drops the connection, and does no other harm. */
  received(member: string, bytes: Uint8Array): void
  /** Called for each refusal; refusals may be many, so count them and do not log each. */
  refused(refusal: LinkRefusal): void
}
