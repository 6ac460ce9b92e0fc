import type { Clock } from '../../cluster/clock.ts'
import type { Link } from '../../core/language/net.ts'
import type { Random } from '../../core/runtime/random.ts'
import type { Beats } from '../beats/beats.ts'
import type { Log } from '../operations/log.ts'
import type { Timing } from '../options.ts'

/** What the roles of a node need from it. */
export interface RoleHost {
  readonly clock: Clock
  readonly beats: Pick<Beats, 'aligned' | 'timers'>
  readonly timing: Timing
  readonly log: Log
  readonly me: string
  readonly incarnation: string
  /** The numbers of the other members of the configuration, by name. */
  readonly links: ReadonlyMap<string, Link>
  /** The number of this member; null where it is none. */
  readonly ownNumber: number | null
  /** Whether this node may vote now, and whether it may also stand for a role. */
  mayGrant(): boolean
  mayLead(role: string): boolean
  /** Whether a member is connected and trusted. */
  isUp(member: string): boolean
  majority(members: Iterable<string>): boolean
  /** The term above which grants of this role must be. */
  floor(role: string): number
  stored(role: string): Uint8Array | undefined
  store(role: string, record: Uint8Array): Promise<void>
  random(): Random
  send(member: string, role: string, definition: string, bytes: Uint8Array): void
  /** Why this process should not lead anything at this instant; null if it may. */
  problem(): string | null
  /** Counts something that happened to a role, for the metrics. */
  count(what: 'elected' | 'deposed' | 'released' | 'outlived', role: string): void
  /** What others should know about a role has changed. */
  report(role: string): void
  /** This node cannot keep its promises any more. */
  failed(error: unknown): void
}
