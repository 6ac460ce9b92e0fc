import type { Link } from '../../core/language/net.ts'
import type { LinkView, LocalState } from './local-states.ts'

/** What can happen to a node. */
export type HandlerEvent =
  /** By itself, or over a link, by a message that is to be handled later. */
  | { readonly event: 'wake'; readonly link?: Link }
  | {
      readonly event: 'receive'
      readonly link: Link
      readonly message: number
      readonly channel: number
    }
  | { readonly event: 'timeout'; readonly alarm: number }
  | LinkNotice
  /** It comes back from the dead, under this id, and is told how things are. */
  | {
      readonly event: 'recover'
      readonly id: number
      readonly view: LinkView
      /** How many deaths and recoveries there were, this one included. */
      readonly changes: number
    }

/** What the failure detector or the network says of a link, and the id of who is behind it. */
export interface LinkNotice {
  readonly event: 'down' | 'up'
  readonly link: Link
  readonly id: number
}

/** What a handler asks for that others can notice, in its order. */
export type HandlerAction =
  | { readonly deed: 'send'; readonly link: Link; readonly message: number }
  | { readonly deed: 'lead' | 'stop' | 'withdraw' }
  | { readonly deed: 'follow'; readonly leader: number | null }

/** What a node makes of an occasion, with one sequence of choices. */
export interface HandlerResult {
  readonly local: LocalState
  readonly deeds: readonly HandlerAction[]
  readonly draws: readonly number[]
  /** The alarms that it sets, be it anew. */
  readonly sets: readonly number[]
  /** What did not fit its type, where something did not; what else was done does not count. */
  readonly misfit?: string
}

/** One thing that can happen to one node, and all that comes of it at once, in numbers. */
export interface HandlerTransition {
  readonly event: HandlerEvent['event']
  readonly occasion: HandlerEvent
  readonly node: number
  readonly before: number
  readonly after: number
  readonly sent: readonly { readonly channel: number; readonly message: number }[]
  readonly deeds: readonly HandlerAction[]
  /** What the node's coins showed. */
  readonly draws: readonly number[]
  /** The alarms that the node sets, be it anew. */
  readonly sets: readonly number[]
  /** What the handler left or sent that does not fit its type, if anything. */
  readonly misfit?: string
  /** Whether the node led before and does not any more. */
  readonly deposes: boolean
  /** Whether the node leads now and did not before, or the other way round. */
  readonly seats: boolean
}

/** Time passes and nothing else happens. */
interface Tick {
  readonly event: 'tick'
  readonly time: number
  readonly deposes: false
}

/** Something goes wrong. */
export type FaultTransition = {
  readonly deposes: false
} /** A node dies: between two handlers, or in one, after so many of its sends have gone out. */ & (
  | {
      readonly event: 'crash'
      readonly node: number
      readonly during: { readonly effect: HandlerTransition; readonly sends: number } | null
    }
  /** The network loses or doubles the message that so many equal ones were sent before. */
  | {
      readonly event: 'lose' | 'double'
      readonly channel: number
      readonly message: number
      readonly before: number
    }
  /** A message reaches a dead node. */
  | { readonly event: 'vanish'; readonly channel: number; readonly message: number }
  | { readonly event: 'cut'; readonly node: number; readonly link: Link }
  /** A notice reaches a dead node. */
  | { readonly event: 'unheard' }
)

/** A step from one state to another. */
export type Transition = HandlerTransition | Tick | FaultTransition

export type Visit = (move: Transition) => void
