import type { Algorithm } from '../../core/language/algorithm.ts'
import type { Link } from '../../core/language/net.ts'
import type { Random } from '../../core/runtime/random.ts'
import type { Outcome, State } from '../../core/runtime/state.ts'
import type { AggregateSource } from '../aggregate-input.ts'
import type { Clock } from '../clock.ts'

/** Where a node keeps its stable fields. */
export interface StableStorage {
  /**
   * Replaces the stored fields; they are durable when it returns, or when its promise resolves.
   * Calls may overlap. A node whose commit fails neither sends nor leads any more.
   */
  commit(fields: Uint8Array): void | Promise<void>
}

/** What a driver needs to execute an algorithm at one node. */
export interface NodeOptions {
  readonly algorithm: Algorithm
  readonly position: number
  /** The number of nodes. */
  readonly n: number
  readonly id: number
  /** The numbers of its links, which may change: see `addLink` and `removeLink`. */
  readonly links: readonly Link[]
  /** It gossips over the first so many of them, which it chose; over all by default. */
  readonly outLinks?: number
  readonly params?: Readonly<Record<string, number | string>>
  /** The ids of the neighbours, by link; for algorithms that know them and without a priority. */
  readonly peers?: ReadonlyMap<Link, number>
  /** The weights of the links; for algorithms that know them. */
  readonly weights?: ReadonlyMap<Link, number>
  /** The positions of the neighbours, by link; they decide which member holds the 1 of a count. */
  readonly neighbours?: ReadonlyMap<Link, number>
  /**
   * The member with the largest priority wins, a whole number; ids break ties. It is read at the
   * start of an election. Without it, ids decide.
   */
  readonly priority?: () => number
  /** Its input to an aggregation, which may change; without it, `params` hold a constant one. */
  readonly aggregateSource?: AggregateSource
  /** The clocks and timers; those of this machine by default. */
  readonly clock?: Clock
  /** The source of random choices; by default they cannot be predicted. */
  readonly random?: Random
  /** The unit of the algorithm's timers in milliseconds; 1000 by default. */
  readonly unit?: number
  /**
   * Moves a timer, given by its name, to another delay in milliseconds, so that what several nodes
   * of a process do leaves together. Leadership must not be bound to a timer that is moved.
   */
  readonly align?: (timer: string, milliseconds: number) => number
  /** Bits charged for an id; 53 by default. */
  readonly uidBits?: number
  /** A text that differs for every start of this node; a random one by default. */
  readonly incarnation?: string
  /**
   * Whether the nodes behind these links, and this one if `own`, are a majority of the voters. By
   * default all n nodes vote.
   */
  readonly majority?: (links: Iterable<Link>, own: boolean) => boolean
  /** Keeps the stable fields; without it they are lost with the process. */
  readonly storage?: StableStorage
  /** The stable fields as they were committed last; null where nothing is stored. */
  readonly stored?: Uint8Array | null
  /** The last state before a restart in the same process: its stable fields are kept. */
  readonly previousState?: State
  /**
   * Whether it was started before and recovers, perhaps without its memory. By default it does
   * where something is stored.
   */
  readonly recovers?: boolean
  readonly log?: (line: string) => void
}

/** What a driver calls. */
export interface NodeHooks {
  /** Sends a message of the algorithm; what it rests on is committed. */
  send(link: Link, bytes: Uint8Array): void
  /** Whether the failure detector, if there is one, trusts the neighbour. */
  up(link: Link): boolean
  /** The outcome changed: `outcome` has the new one. */
  outcomeChanged?(): void
  /** A commit failed: this node neither sends nor leads any more. */
  failed?(error: unknown): void
  /**
   * Runs a step that the driver begins by itself: a timer fires, a commit or a leadership ends. It
   * may throw what a handler throws. By default the step is just run.
   */
  run?(step: () => void): void
  /** The key of this node changed: the neighbours must know before they get other messages. */
  announceKey?(): void
}

/** The outcome of a node, as far as it is committed and has not run out. */
export interface NodeOutcome extends Outcome {
  /** The term in which it leads; null where it does not, or there are no terms. */
  readonly term: number | null
}
