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
