import type { Link } from '../../core/language/net.ts'
import type { HandlerTransition } from './transition-cache.ts'

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
