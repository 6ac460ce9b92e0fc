import type { Link } from '../../core/language/net.ts'
import type { State } from '../../core/runtime/state.ts'
import type { SplitNetwork } from './faults/partitions.ts'
import type { LinkView, LocalState } from './local-states.ts'

/** An event that a handler of one node reacts to. */
export type HandlerEvent =
  /** Spontaneously, or woken over a link by a message that is handled afterwards. */
  | { readonly event: 'wake'; readonly link?: Link }
  | {
      readonly event: 'receive'
      readonly link: Link
      readonly message: number
      readonly channel: number
    }
  | { readonly event: 'timeout'; readonly timer: number }
  /** The moment has come to which its leadership was bound. */
  | { readonly event: 'expire' }
  /** It meets the node at the other end of a channel, which is in this state. */
  | {
      readonly event: 'meet'
      readonly channel: number
      readonly initiator: boolean
      readonly other: Readonly<State>
    }
  | LinkNotice
  /** The node recovers under this id and learns the current view of its links. */
  | {
      readonly event: 'recover'
      readonly id: number
      readonly view: LinkView
      /** The number of crashes and recoveries so far, this one included. */
      readonly changes: number
      /** Set where its stable storage is lost. */
      readonly amnesia?: true
    }

/** A report of the failure detector about a link, with the id of the node at its other end. */
export interface LinkNotice {
  readonly event: 'down' | 'up'
  readonly link: Link
  readonly id: number
}

/** An externally visible action of a handler; they are kept in order. */
export type HandlerAction =
  | { readonly action: 'send'; readonly link: Link; readonly message: number }
  | { readonly action: 'lead'; readonly term?: number }
  | { readonly action: 'stop' | 'withdraw' }
  | { readonly action: 'follow'; readonly leader: number | null }

/**
 * What an event of a node has done in some of its outcomes, by numbers of kinds, timers and pieces
 * of code. Events that did the same share one.
 */
export interface HandlerEffects {
  /** Whether such an event can happen: handlers are also run to find out what they would do. */
  happened: boolean
  readonly event: HandlerEvent['event']
  readonly sent: readonly number[]
  /** Kinds of messages whose handler has run, and has not deferred the message. */
  readonly handled: readonly number[]
  /** The timer that fired; -1 for other events. */
  readonly timer: number
  readonly leads: boolean
  readonly follows: boolean
  /** A leader has bound its leadership to another setting of a timer. */
  readonly renews: boolean
  readonly pieces: readonly number[]
}

/** The result of running a handler with one outcome of its random choices. */
export interface HandlerResult {
  readonly local: LocalState
  readonly actions: readonly HandlerAction[]
  readonly draws: readonly number[]
  /** The timers that the handler armed or rearmed. */
  readonly armed: readonly number[]
  /** The kinds of messages that were handled, and not deferred. */
  readonly handled: readonly number[]
  /** Whether a leader has bound its leadership to another setting of a timer. */
  readonly renews: boolean
  /** The pieces of code that ran, where the code tells. */
  readonly pieces: readonly number[]
  /** The value outside its declared type, if any; then the other results do not count. */
  readonly typeViolation?: string
}

/** One atomic step of one node. Local states, channels and messages are interned numbers. */
export interface HandlerTransition {
  readonly event: HandlerEvent['event']
  readonly trigger: HandlerEvent
  readonly node: number
  readonly before: number
  readonly after: number
  readonly sent: readonly { readonly channel: number; readonly message: number }[]
  readonly actions: readonly HandlerAction[]
  /** The outcomes of the random choices. */
  readonly draws: readonly number[]
  /** The timers that the handler armed or rearmed. */
  readonly armed: readonly number[]
  /** What its event does in any outcome. */
  readonly effects: HandlerEffects
  /** The value outside its declared type that the handler stored or sent, if any. */
  readonly typeViolation?: string
  /** Whether a leader stops leading, if only within its handler; in a meeting, one of both. */
  readonly deposes: boolean
  /** The same of the node itself. */
  readonly resigns: boolean
  /** Whether the node begins or stops to lead, if only for a while; in a meeting, one of both. */
  readonly changesLeader: boolean
  /** 1 where the node itself becomes leader, -1 where it ceases to be it, else 0. */
  readonly gains: -1 | 0 | 1
  /** In a meeting, which is a step of its initiator: the part of the other node. */
  readonly partner?: HandlerTransition
}

export const NO_NODES: readonly number[] = []

/** Whether a node leads and stops leading among its actions; it may lead before them. */
export function resignsAmong(actions: readonly HandlerAction[], led: boolean): boolean {
  let leads = led
  return actions.some(({ action }) => {
    const resigns = leads && (action === 'follow' || action === 'withdraw')
    leads = resigns ? false : leads || action === 'lead'
    return resigns
  })
}

/** The nodes that stop leading in a step, which may have begun in it. */
export function deposedBy(transition: Transition): readonly number[] {
  if (!transition.deposes) return NO_NODES
  const { node, partner } = transition
  if (partner === undefined) return [node]
  return [transition, partner].filter(({ resigns }) => resigns).map((part) => part.node)
}

/** By how much a meeting changes the number of leaders; 0 for any other step. */
export function leadersGained(transition: Transition): number {
  const partner = 'partner' in transition ? transition.partner : undefined
  return partner === undefined ? 0 : (transition as HandlerTransition).gains + partner.gains
}

/** The clock advances. */
interface Tick {
  readonly event: 'tick'
  readonly time: number
  readonly deposes: false
}

/** A fault, or the delivery of a message or a notice to a crashed node. */
export type FaultTransition = {
  readonly deposes: false
} /** A node crashes between two handlers, or within one after `sends` of its sends. */ & (
  | {
      readonly event: 'crash'
      readonly node: number
      readonly during: { readonly transition: HandlerTransition; readonly sends: number } | null
    }
  /** The network loses or duplicates a message; `before` equal ones were sent earlier. */
  | {
      readonly event: 'lose' | 'double'
      readonly channel: number
      readonly message: number
      readonly before: number
    }
  /** A message reaches a crashed node. */
  | { readonly event: 'vanish'; readonly channel: number; readonly message: number }
  | {
      readonly event: 'cut'
      readonly node: number
      readonly link: Link
      /** Only what the node sends is lost. */
      readonly oneWay: boolean
    }
  | { readonly event: 'part'; readonly partition: SplitNetwork }
  /** The partition of this index ends. */
  | { readonly event: 'heal'; readonly partition: SplitNetwork; readonly index: number }
  /** The node handles nothing until it goes on, but its clock does. */
  | { readonly event: 'pause' | 'resume'; readonly node: number }
  /** A notice reaches a crashed node. */
  | { readonly event: 'unheard' }
)

/** A step of the transition system. */
export type Transition = HandlerTransition | Tick | FaultTransition

/** Called with each transition while the state vector holds the successor state. */
export type Visit = (transition: Transition) => void
