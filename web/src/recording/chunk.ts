/** A part of a run, sent from the worker to the page: columns are fast to transfer. */
export interface Chunk {
  readonly events: EventColumns
  readonly steps: StepColumns
  /** New texts of bodies and states; their numbers follow those of earlier chunks. */
  readonly texts: readonly string[]
  readonly violations: readonly RecordedViolation[]
  /** Errors in the displays and reasons of the definition, each once. */
  readonly problems?: readonly string[]
}

/** One row for each trace event. Missing values are -1 or NaN. */
export interface EventColumns {
  readonly at: Float64Array
  /** Number in KINDS. */
  readonly kind: Uint8Array
  readonly node: Int32Array
  /** The position at the other end: `to`, `from` or `peer`. */
  readonly peer: Int32Array
  /** The id of `follow` and `recover`. */
  readonly id: Float64Array
  readonly message: Int32Array
  /** Number of the message type, or of the timer. */
  readonly type: Uint8Array
  /** Number of the text of the body. */
  readonly body: Int32Array
}

/** One row for each step: an event at a node, and the actions of its handler. */
export interface StepColumns {
  /** The number of its first event; its events end at the first of the next step. */
  readonly first: Int32Array
  /** The status of its node afterwards: number in STATUSES. */
  readonly status: Uint8Array
  /** The id of the leader that the node follows; NaN for none. */
  readonly leader: Float64Array
  /** Number of the text of its whole state. */
  readonly state: Int32Array
  /** Number of the text of what is shown of the node, as JSON, and of the reason; -1 for none. */
  readonly display: Int32Array
  readonly reason: Int32Array
  /** The estimate of the node; NaN in elections. */
  readonly estimate: Float64Array
  /** All bits sent so far. */
  readonly bits: Float64Array
}

/** A property that is violated from this step on. */
export interface RecordedViolation {
  readonly step: number
  readonly property: string
  readonly detail: string
}
