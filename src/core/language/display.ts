import type { State } from '../runtime/state.ts'
import type { Body, Message } from './message.ts'
import type { Link } from './net.ts'
import type { Uid } from './value-types.ts'

/** The roles of a link in the picture of a run; `out` is a link directed away from the node. */
export type EdgeRole = 'tree' | 'core' | 'out' | 'rejected'

/** From the weakest to the strongest: where the ends of a link differ, the strongest is drawn. */
export const EDGE_ROLES: readonly EdgeRole[] = ['rejected', 'out', 'tree', 'core']

/** An id as people see it: where an attribute decides, handlers compare keys in place of ids. */
export interface ShownId {
  (id: Uid | number): string
  /** How two ids compare: `6 < 7`; by an attribute, `6 ranks below 7`. */
  order(a: Uid | number, b: Uid | number): string
}

/** Where the event of a reason comes from, and the nodes around the one that handles it. */
export interface EventContext {
  readonly n: number
  /** The link over which the message came; -1 for a timer. */
  readonly from: Link
  /** The node behind a link, as it is named in pictures: by its id, else by its position. */
  node(link: Link): string
  /** Its id, to be compared. */
  peer(link: Link): Uid
  /** Whether the failure detector takes the node behind a link for alive. */
  up(link: Link): boolean
}

/** What a display has noted of a node that its state does not hold. */
export type Seen = Readonly<Record<string, number | string | boolean | undefined>>

/** A name and the value of a node under that name: "phase" and 3. */
export interface DisplayedValue<My, Value> {
  /** What the value is, in the words of the literature, for legends. */
  readonly name: string
  of(my: My, name: ShownId, seen: Seen): Value | null
}

/**
 * What pictures show of a node, besides its id, status and messages. No engine uses it: a run with
 * a display is the same, event for event, as without. Functions read the state and change nothing.
 */
export interface Display<
  My,
  M extends Readonly<Record<string, Message>> = Readonly<Record<string, Message>>,
  T extends string = string,
> {
  /** Whether the node still competes. Nodes that do not are drawn muted. */
  readonly active?: (my: My, seen: Seen) => boolean
  /** Nodes with equal values belong together, such as the fragments of a spanning tree. */
  readonly group?: DisplayedValue<My, number | string>
  /** A short text at the node, such as its phase, its level or the number that it has drawn. */
  readonly badge?: DisplayedValue<My, number | string>
  /** The links of the node that have a role; `links` are all that it has. */
  readonly edges?: (my: My, links: readonly Link[]) => Iterable<readonly [Link, EdgeRole]>
  /** A link that is drawn as an arrow: to the parent, to the node that captured this one. */
  readonly pointer?: DisplayedValue<My, Link>
  /** The timer whose remaining time is drawn as a ring around the node: its lease, its slice. */
  readonly countdown?: DisplayedValue<My, T>
  /** For each message type the field that decides what its receiver does. */
  readonly decides?: { readonly [K in keyof M]?: keyof M[K]['fields'] & string }
  /**
   * What is noted when a message is handled or a timer fires, for what no state holds: "it has met
   * a larger id". `my` is the state before; what is returned is added to what was seen. A crash
   * forgets it.
   */
  readonly seen?: {
    readonly [K in keyof M | T]?: K extends keyof M
      ? (my: My, body: Body<M[K]>, seen: Seen, around: EventContext) => Seen | null
      : (my: My, seen: Seen, around: EventContext) => Seen | null
  }
}

/**
 * Why nodes do what they do, by message type or timer: a predicate without its subject, "swallows
 * 6, since 6 < 7". `my` is the state before the handler runs. Null: nothing is to be said.
 */
export type Reasons<
  My,
  M extends Readonly<Record<string, Message>>,
  T extends Readonly<Record<string, unknown>>,
> = {
  readonly [K in keyof M | keyof T]?: K extends keyof M
    ? (my: My, body: Body<M[K]>, name: ShownId, around: EventContext) => string | null
    : (my: My, name: ShownId, around: EventContext) => string | null
}

/** The display of one node at one moment, as data: links are positions, ids are shown ids. */
export interface NodeDisplay {
  readonly passive?: true
  readonly group?: string
  readonly badge?: string
  readonly edges?: readonly (readonly [node: number, role: EdgeRole])[]
  readonly pointer?: number
  /** The time at which the countdown began and the time at which it ends. */
  readonly countdown?: readonly [from: number, until: number]
}

/** What a definition displays, without what belongs to single message types. */
export function displayIn({
  display,
}: {
  readonly display?: object
}): Omit<Display<State>, 'decides' | 'seen'> | null {
  if (display === undefined) return null
  const { decides: _, seen: __, ...rest } = display as Display<State>
  return rest
}
