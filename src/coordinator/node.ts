import type { Aggregation } from '../algorithms/aggregation.ts'
import type { AggregateOptions } from '../cluster/aggregates.ts'
import type { Emitter } from '../cluster/emitter.ts'
import type { LiveAggregate } from '../cluster/live-aggregate.ts'
import type { AbortSignal, AsyncDisposing } from '../core/platform-types.ts'
import type { Duration } from './duration.ts'
import type { MembershipChange } from './membership/host.ts'
import type { MetricFamily } from './operations/metrics.ts'
import type { CoordinatorStatus } from './operations/status.ts'
import type { MemberAddress, RoleOptions } from './options.ts'

/** Who leads a role: the name of the member, and the term, which is the fencing token. */
export interface Leader {
  readonly id: string
  readonly term: number
}

/** One time that this process leads a role. It never becomes valid again once it has ended. */
export interface LeaderTerm {
  readonly role: string
  /** The fencing token: larger than that of every earlier term of the role, on any member. */
  readonly token: number
  /** Aborted before the lease ends, and when this process resigns: the work must end. */
  readonly signal: AbortSignal
  /** Whether the lease holds at this instant, by both clocks. */
  readonly valid: boolean
  /** Milliseconds until the lease ends unless it is renewed; 0 if it has ended. */
  readonly remaining: number
}

/** The options of calls that wait. */
export interface WaitOptions {
  /** Gives up; the promise rejects with its reason. */
  readonly signal?: AbortSignal
}

/** How to resign. */
export interface ResignOptions extends WaitOptions {
  /**
   * How long the work may take to end after its signal was aborted. If it has not ended by then,
   * nothing is released and the lease runs out. By default the option `drain` of the node.
   */
  readonly drain?: Duration
}

/** The events of a role at this node, with the arguments of their listeners. */
export type RoleEvents = {
  /** This process leads from now on. */
  elected: [term: LeaderTerm]
  /** This process does not lead any more. */
  deposed: [term: LeaderTerm, why: string]
  /** The leader as this node knows it has changed; null: it knows of none. */
  leader: [leader: Leader | null]
  /** A listener threw this; without a listener of `error` it is an uncaught exception. */
  error: [error: unknown]
}

/** One thing that at most one member does at a time. */
export interface Role extends Emitter<RoleEvents> {
  readonly name: string
  /** Whether this process leads at this very instant: within a valid lease, by both clocks. */
  leads(): boolean
  /** The leader as this member knows it; null while it knows of none. */
  readonly leader: Leader | null
  /** The term in which this process leads now; null if it does not lead. */
  readonly term: LeaderTerm | null
  /**
   * A turn for each time this process leads, until the signal is aborted or the node is closed.
   * Leaving the loop resigns, and this process stands no more until `terms` is called again.
   */
  terms(options?: WaitOptions): AsyncGenerator<LeaderTerm, void, undefined>
  /**
   * Ends the term: aborts the work, and releases the lease once the work has ended. Resolves to
   * whether it was released; false where this process did not lead, or the work did not end.
   */
  resign(options?: ResignOptions): Promise<boolean>
  /** Resigns and names the member that should stand next. */
  transfer(to: string, options?: ResignOptions): Promise<boolean>
  /** Whether this process stands for election; it votes in any case. */
  stand(willing: boolean): void
}

/** The events of a node, with the arguments of their listeners. */
export type NodeEvents = {
  /** The configuration has changed: the members by name. */
  members: [members: Readonly<Record<string, MemberAddress>>]
  /** This node is a member no more: it votes and leads only if it is added again. */
  removed: []
  /** A member is connected, or is not any more. */
  peer: [name: string, up: boolean]
  /** This node votes and leads no more, since it cannot keep its promises; it must be restarted. */
  failed: [error: Error]
  closed: []
  /** A listener threw this; without a listener of `error` it is an uncaught exception. */
  error: [error: unknown]
}

/** How to close a node. */
export interface CloseOptions extends WaitOptions {
  /** How long the work of all roles may take to end; by default the option `drain`. */
  readonly drain?: Duration
}

/** A running coordinator: a member that votes, or an observer that watches. */
export interface CoordinatorNode extends Emitter<NodeEvents>, AsyncDisposing {
  readonly cluster: string
  readonly me: string
  readonly members: Readonly<Record<string, MemberAddress>>
  /** Why this node votes and leads no more; null while it can. */
  readonly failure: string | null
  /** The role of this name, which is made at the first call; options only at the first. */
  role(name: string, options?: RoleOptions): Role
  /** Changes who votes; only where this process leads the role `members`, else it is asked. */
  change(change: MembershipChange, options?: WaitOptions): Promise<void>
  /** An aggregate of the values of all members, by gossip over the same connections. */
  aggregate(what: string | Aggregation, options: AggregateOptions): LiveAggregate
  status(): CoordinatorStatus
  metrics(): readonly MetricFamily[]
  /** Resigns all roles, waits for their work, and leaves. */
  close(options?: CloseOptions): Promise<void>
}
