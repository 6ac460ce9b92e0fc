import { UsageError } from '../usage-error.ts'
import { set } from './collections.ts'
import { term } from './counter.ts'
import { type Body, type Message, message } from './message.ts'
import type { Link } from './net.ts'
import { link } from './value-types.ts'

/**
 * A universal clause: it holds for all choices of so many nodes and of messages in flight of these
 * types. Its predicate sees no more than the chosen ones: their fields, how their ids compare, and
 * how they lie on the ring. Proofs for every n rest on that.
 */
export interface Clause {
  readonly messages: readonly Message[]
  readonly nodes: number
  /** Called with the views of the messages, those of the nodes, and `Relations`. */
  readonly holds: (...tuple: never[]) => boolean
}

/** A clause about one step of one node: its state before and after. */
export interface StepClause {
  readonly step: (before: never, after: never) => boolean
}

/** A set of links on a complete network, where links name nodes. */
export interface LinkSetView<My = unknown> {
  has(node: NodeView<My>): boolean
  /** Whether `net.majority` holds for the set and the node itself. */
  readonly majority: boolean
}

/** A node as clauses see it. */
export type NodeView<My> = {
  readonly [K in keyof My]: My[K] extends ReadonlySet<Link> ? LinkSetView<My> : My[K]
}

/**
 * A node has led in a term, with the votes of a majority. No handler gets it: for clauses, what has
 * happened is like a message to that node which stays in flight for ever.
 */
export const LED = message({ term, votes: set(link) })

/** A message in flight as clauses see it. */
export type MessageView<M extends Message, My> = {
  readonly [K in keyof Body<M>]: Body<M>[K] extends ReadonlySet<Link> ? LinkSetView<My> : Body<M>[K]
} & {
  readonly to: NodeView<My>
  /** The link of the receiver over which it arrives; only on rings. */
  readonly from: Link
  /** Only on complete networks. */
  readonly sender: NodeView<My>
}

/** How nodes and messages lie to each other. */
export interface Relations<My> {
  /** Whether b is strictly inside the way from a to c, going left; from a to a is all round. */
  inside(a: NodeView<My>, b: NodeView<My>, c: NodeView<My>): boolean
  /** Whether two messages travel on the same channel, the first ahead of the second. */
  ahead(first: MessageView<Message, My>, second: MessageView<Message, My>): boolean
}

type Repeat<K, T> = K extends 1 ? [T] : K extends 2 ? [T, T] : K extends 3 ? [T, T, T] : []

type Views<Ms extends readonly Message[], My> = {
  [I in keyof Ms]: MessageView<Ms[I], My>
}

/** A predicate over messages of the types Ms and K nodes. */
type Predicate<Ms extends readonly Message[], K, My> = (
  ...tuple: [...Views<Ms, My>, ...Repeat<K, NodeView<My>>, Relations<My>]
) => boolean

/** What the clauses of an invariant are made with. */
export interface Clauses<My> {
  /** For all choices of k nodes, equal ones included. */
  nodes<K extends 1 | 2 | 3>(k: K, holds: Predicate<[], K, My>): Clause
  /** For each message of a type, or each two messages, and k nodes. */
  each<const Ms extends readonly Message[]>(
    ...messages: Ms
  ): { and<K extends 0 | 1 | 2 | 3>(k: K, holds: Predicate<Ms, K, My>): Clause }
}

/** An invariant: clauses by name, which hold in all states of all runs on all networks. */
export type Invariant = Readonly<Record<string, Clause>>

const clauses: Clauses<unknown> = {
  nodes: (nodes, holds) => ({ messages: [], nodes, holds: holds as never }),
  each: (...messages) => ({
    and: (nodes, holds) => ({ messages, nodes, holds: holds as never }),
  }),
}

/** The invariant that the definition of this name states, if it does. */
export function invariantOf(
  name: string,
  stated: ((clauses: Clauses<never>) => Invariant) | undefined,
): () => Invariant {
  return () => {
    const invariant: unknown = stated?.(clauses as Clauses<never>) ?? {}
    if (typeof invariant !== 'object' || invariant === null)
      throw new UsageError(name, 'invariant gives no clauses.', FORM)
    for (const [clause, made] of Object.entries(invariant))
      if (!isClause(made))
        throw new UsageError(`${name}: invariant "${clause}"`, 'this is no clause.', FORM)
    return invariant as Invariant
  }
}

const FORM =
  "Write ({ nodes, each }) => ({ 'a name': nodes(2, (a, b) => ...) }), or each(M).and(1, ...)."

function isClause(made: unknown): made is Clause {
  const { messages, nodes, holds } = (made ?? {}) as Partial<Clause>
  return (
    Array.isArray(messages) &&
    messages.every((message) => typeof message?.serial === 'number') &&
    Number.isInteger(nodes) &&
    typeof holds === 'function'
  )
}
