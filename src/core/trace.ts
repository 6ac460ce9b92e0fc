/**
 * The one event record: what a simulator logs, the checker tells, a diagram draws, a file holds.
 * `at` is a round when synchronous, else a time. A message has the same number when it is sent and
 * when it arrives.
 */
export type TraceEvent = { readonly at: number; readonly node: number } & (
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
  | { readonly event: 'crash' }
)

interface MessageRecord {
  readonly message: number
  readonly type: string
  readonly link: number
  readonly body: Readonly<Record<string, unknown>>
}
