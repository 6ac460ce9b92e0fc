import type { Link } from '../../core/language/net.ts'
import type { Vocabulary } from '../vocabulary.ts'
import type { SetChange, SetContents } from './link-sets.ts'
import type { Codes } from './record-reader.ts'

/** What makes a node take a step. */
export type StepEvent =
  | { readonly event: 'wake' }
  | { readonly event: 'receive'; readonly kind: number }
  | { readonly event: 'timeout'; readonly timer: number }
  | { readonly event: 'recover' }

/** Over which link a message is sent: on a complete network to the sender, or to all others. */
export const REPLY = -1
export const ALL = -2
/** What has happened is kept like a message to the node itself. */
export const SELF = -3

export interface Sent {
  readonly link: Link
  readonly kind: number
  /** The codes of all its fields, where it arrives. */
  readonly fields: readonly number[]
  /** The votes of a majority, where a node has led. */
  readonly votes: SetContents | null
}

/**
 * One way through a handler: what it reads of its node and of the message, and what it does then.
 * It is the same on every network, whatever else there is.
 */
export interface LocalStep {
  readonly event: StepEvent
  readonly node: Codes
  readonly message: Codes
  /** The id of the sender, where the handler reads it. */
  readonly senderId: number | null
  /** Whether the sender is in a set of links, by the place of the set. */
  readonly senderIn: Codes
  readonly writes: Codes
  readonly sets: readonly SetChange[]
  readonly sends: readonly Sent[]
  /** The message is not taken from its link: it is deferred. */
  readonly defers: boolean
  /** What goes wrong: a value that its type does not have, or an error of the handler. */
  readonly violation: string | null
}

/** The name of a handler, for errors. */
export function eventName({ algorithm }: Vocabulary, event: StepEvent): string {
  if (event.event === 'receive') return algorithm.kinds[event.kind].word
  if (event.event === 'timeout') return `timeout ${algorithm.timers[event.timer].word}`
  return event.event === 'wake' ? 'start' : 'recover'
}
