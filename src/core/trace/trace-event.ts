/**
 * A trace event: recorded by the simulator and the checker, drawn in diagrams, stored in trace
 * files. `at` is a round when synchronous, the number of the meeting where nodes meet, otherwise a
 * time. The events of a message have the same
 * number.
 */
export type TraceEvent = Moment &
  (
    | { readonly event: 'wake' }
    /** The node begins a meeting with another one, which responds. */
    | { readonly event: 'meet'; readonly to: number }
    | { readonly event: 'respond'; readonly from: number }
    | (MessageRecord & { readonly event: 'send'; readonly to: number })
    | (MessageRecord & {
        readonly event: 'receive'
        readonly from: number
        /** Set where the message has woken the node. */
        readonly woken?: true
        /** Set where the node had stopped and ignored the message. */
        readonly ignored?: true
      })
    /** A message reaches a crashed node. */
    | (MessageRecord & { readonly event: 'vanish'; readonly from: number })
    | {
        readonly event: 'timeout'
        readonly timer: string
        /** Where clocks drift: by how much it fires late, or early if negative. */
        readonly late?: number
      }
    /** The node becomes leader, in this term where there are terms. */
    | { readonly event: 'lead'; readonly term?: number }
    | { readonly event: 'follow'; readonly leader: number | null }
    | { readonly event: 'stop' }
    | { readonly event: 'withdraw' }
    | { readonly event: 'crash' }
    /** The node recovers, under this id. */
    | {
        readonly event: 'recover'
        readonly id: number
        /** Set where its stable storage was lost. */
        readonly amnesia?: true
      }
    /** The moment has come to which the leadership of the node was bound. */
    | { readonly event: 'expire' }
    /** From now on the node handles nothing, or everything again; its clock goes on. */
    | { readonly event: 'pause' | 'resume' }
    /** The node must not lead any more, and stays alive. */
    | { readonly event: 'retire' }
    /** The node is notified that a link, or the node behind it, is down or up. */
    | { readonly event: 'down' | 'up'; readonly link: number; readonly peer: number }
    /** The link between this node and another is cut, or works again. */
    | {
        readonly event: 'cut' | 'mend'
        readonly to: number
        /** Set where only messages from this node to the other are lost. */
        readonly oneWay?: true
      }
    /** A message is lost at its sending or in transit, or duplicated. */
    | (MessageRecord & { readonly event: 'lose' | 'double'; readonly to: number })
  )

interface Moment {
  readonly at: number
  readonly node: number
  /** The random choices of the handler, where the checker has made them. */
  readonly draws?: readonly number[]
}

interface MessageRecord {
  readonly message: number
  readonly type: string
  readonly link: number
  readonly body: Readonly<Record<string, unknown>>
}
