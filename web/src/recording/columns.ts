import type { NodeDisplay } from '../../../src/core/language/display.ts'
import { grown } from '../../../src/core/runtime/growable-array.ts'

type Cells = Float64Array | Int32Array | Uint8Array

/** A growable typed array. */
class Column<T extends Cells> {
  length = 0

  constructor(private cells: T) {}

  push(value: number): void {
    this.reserve(this.length + 1)
    this.cells[this.length++] = value
  }

  append(values: T): void {
    this.reserve(this.length + values.length)
    this.cells.set(values, this.length)
    this.length += values.length
  }

  at(index: number): number {
    return this.cells[index]
  }

  set(index: number, value: number): void {
    this.cells[index] = value
  }

  /** Returns the content and empties the column. */
  take(): T {
    const taken = this.cells.slice(0, this.length) as T
    this.length = 0
    return taken
  }

  private reserve(length: number): void {
    if (length <= this.cells.length) return
    this.cells = grown(this.cells, Math.max(length, 2 * this.cells.length))
  }
}

const CAPACITY_FIRST = 1024

export const realColumn = () => new Column<Float64Array>(new Float64Array(CAPACITY_FIRST))
export const integerColumn = () => new Column<Int32Array>(new Int32Array(CAPACITY_FIRST))
export const byteColumn = () => new Column<Uint8Array>(new Uint8Array(CAPACITY_FIRST))

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

/** One event; values that it does not have are left out. */
export interface RecordedEvent {
  readonly at: number
  readonly kind: number
  readonly node: number
  readonly peer?: number
  readonly id?: number
  readonly message?: number
  readonly type?: number
  /** As JSON. */
  readonly body?: string
}

/** The state of the node at the end of a step. */
export interface RecordedOutcome {
  readonly status: number
  readonly leader?: number
  /** As JSON. */
  readonly state: string
  readonly display?: NodeDisplay | null
  readonly reason?: string | null
  readonly estimate?: number
  readonly bits: number
}

/** The columns of a run that have not been sent to the page yet. */
export class ColumnWriter {
  private readonly at = realColumn()
  private readonly kind = byteColumn()
  private readonly node = integerColumn()
  private readonly peer = integerColumn()
  private readonly id = realColumn()
  private readonly message = integerColumn()
  private readonly type = byteColumn()
  private readonly body = integerColumn()
  private readonly first = integerColumn()
  private readonly status = byteColumn()
  private readonly leader = realColumn()
  private readonly state = integerColumn()
  private readonly display = integerColumn()
  private readonly reason = integerColumn()
  private readonly estimate = realColumn()
  private readonly bits = realColumn()
  private readonly numbers = new Map<string, number>()
  private texts: string[] = []
  private violations: RecordedViolation[] = []
  private events = 0

  beginStep(): void {
    this.first.push(this.events)
  }

  addEvent({ at, kind, node, peer, id, message, type, body }: RecordedEvent): void {
    this.events++
    this.at.push(at)
    this.kind.push(kind)
    this.node.push(node)
    this.peer.push(peer ?? -1)
    this.id.push(id ?? Number.NaN)
    this.message.push(message ?? -1)
    this.type.push(type ?? 255)
    this.body.push(body === undefined ? -1 : this.numberOf(body))
  }

  endStep({ status, leader, state, display, reason, estimate, bits }: RecordedOutcome): void {
    this.status.push(status)
    this.leader.push(leader ?? Number.NaN)
    this.state.push(this.numberOf(state))
    this.display.push(display ? this.numberOf(JSON.stringify(display)) : -1)
    this.reason.push(reason ? this.numberOf(reason) : -1)
    this.estimate.push(estimate ?? Number.NaN)
    this.bits.push(bits)
  }

  addViolation(violation: RecordedViolation): void {
    this.violations.push(violation)
  }

  /** The rows since the last call. */
  take(): Chunk {
    const { texts, violations } = this
    this.texts = []
    this.violations = []
    return {
      events: {
        at: this.at.take(),
        kind: this.kind.take(),
        node: this.node.take(),
        peer: this.peer.take(),
        id: this.id.take(),
        message: this.message.take(),
        type: this.type.take(),
        body: this.body.take(),
      },
      steps: {
        first: this.first.take(),
        status: this.status.take(),
        leader: this.leader.take(),
        state: this.state.take(),
        display: this.display.take(),
        reason: this.reason.take(),
        estimate: this.estimate.take(),
        bits: this.bits.take(),
      },
      texts,
      violations,
    }
  }

  private numberOf(text: string): number {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    this.texts.push(text)
    const number = this.numbers.size
    this.numbers.set(text, number)
    return number
  }
}
