/**
 * The one event record: what a simulator logs, the checker tells, a diagram draws, a file holds.
 * `at` is a round when synchronous, else a time. A message has the same number when it is sent and
 * when it arrives.
 */
export type TraceEvent = Moment &
  (
    | { readonly event: 'wake' }
    | (MessageRecord & { readonly event: 'send'; readonly to: number })
    | (MessageRecord & {
        readonly event: 'receive'
        readonly from: number
        /** Set where the node slept until this message came. */
        readonly woken?: true
        /** Set where the node had stopped and did not look at it. */
        readonly ignored?: true
      })
    /** A message reaches a dead node. */
    | (MessageRecord & { readonly event: 'vanish'; readonly from: number })
    | { readonly event: 'timeout'; readonly timer: string }
    | { readonly event: 'lead' }
    | { readonly event: 'follow'; readonly leader: number | null }
    | { readonly event: 'stop' }
    | { readonly event: 'withdraw' }
    | { readonly event: 'crash' }
    /** The node is up again, under this id. */
    | { readonly event: 'recover'; readonly id: number }
    /** The node steps down for good, and stays alive. */
    | { readonly event: 'retire' }
    /** The detector, or the network, tells the node that the one behind a link is gone, or back. */
    | { readonly event: 'down' | 'up'; readonly link: number; readonly peer: number }
    /** The link between this node and another is gone, or back. */
    | { readonly event: 'cut' | 'mend'; readonly to: number }
    /** The network loses a message as it is sent or on its way, or makes a second one of it. */
    | (MessageRecord & { readonly event: 'lose' | 'double'; readonly to: number })
  )

interface Moment {
  readonly at: number
  readonly node: number
  /** What the node's coins showed in what follows, where the checker tossed them. */
  readonly draws?: readonly number[]
}

interface MessageRecord {
  readonly message: number
  readonly type: string
  readonly link: number
  readonly body: Readonly<Record<string, unknown>>
}
