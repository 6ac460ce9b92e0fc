import type { Algorithm } from '../../core/language/algorithm.ts'
import { ceilLog2 } from '../../core/numbers.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'

/** The messages of the algorithm that a member sent and received. */
export interface MessageCounts {
  /** Sent, by message type. */
  readonly byType: Readonly<Record<string, number>>
  /** Sent, of all types. */
  readonly total: number
  /** The size of the sent messages in bits, as theory counts it. */
  readonly bits: number
  readonly received: number
  /** Sent over links that were down, and lost. */
  readonly toDead: number
}

/** Counts the messages of one node. */
export class MessageCounter {
  received = 0
  toDead = 0
  private bits = 0
  private readonly sent: number[]

  constructor(
    private readonly algorithm: Algorithm,
    private readonly uidBits: number,
  ) {
    this.sent = algorithm.kinds.map(() => 0)
  }

  count(kind: number, body: AnyBody): void {
    const { kinds } = this.algorithm
    this.sent[kind]++
    this.bits += ceilLog2(kinds.length) + kinds[kind].codec.bits(body, this.uidBits)
  }

  get counts(): MessageCounts {
    const byType = this.algorithm.kinds.map(({ name }, kind) => [name, this.sent[kind]])
    return {
      byType: Object.fromEntries(byType),
      total: this.sent.reduce((a, b) => a + b, 0),
      bits: this.bits,
      received: this.received,
      toDead: this.toDead,
    }
  }
}
