import type { NodeDisplay } from '../../../src/core/language/display.ts'
import type { Chunk, RecordedViolation } from './chunk.ts'
import { bytes, integers, reals } from './columns.ts'

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
  private readonly at = reals()
  private readonly kind = bytes()
  private readonly node = integers()
  private readonly peer = integers()
  private readonly id = reals()
  private readonly message = integers()
  private readonly type = bytes()
  private readonly body = integers()
  private readonly first = integers()
  private readonly status = bytes()
  private readonly leader = reals()
  private readonly state = integers()
  private readonly display = integers()
  private readonly reason = integers()
  private readonly estimate = reals()
  private readonly bits = reals()
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
