/** Part of a run on its way from the worker to the page: columns, so that it crosses fast. */
export interface Chunk {
  readonly events: EventColumns
  readonly steps: StepColumns
  /** New texts of bodies and states, numbered on from those sent before. */
  readonly texts: readonly string[]
  readonly violations: readonly RecordedViolation[]
}

/** One row for each trace event. What an event does not have is -1 or NaN. */
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

/** One row for each step: something that happens to a node, and what it does at once. */
export interface StepColumns {
  /** Its first event; the others follow, up to the first of the next step. */
  readonly first: Int32Array
  /** How the step's node is afterwards: number in STATUSES. */
  readonly status: Uint8Array
  /** The id that it follows; NaN for nobody. */
  readonly leader: Float64Array
  /** Number of the text of its whole state. */
  readonly state: Int32Array
  /** What it takes the aggregate to be; NaN in elections. */
  readonly estimate: Float64Array
  /** All bits sent so far. */
  readonly bits: Float64Array
}

/** A property that is broken from this step on. */
export interface RecordedViolation {
  readonly step: number
  readonly property: string
  readonly detail: string
}
