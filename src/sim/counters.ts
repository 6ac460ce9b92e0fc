import { ceilLog2 } from '../core/language/logarithm.ts'
import { uidBits, type World } from '../core/language/world.ts'

/** Counts the messages that are sent, and the bits that theory charges for them. */
export class Counters {
  total = 0
  /** By kind. */
  readonly sent: Float64Array
  /** Bits charged for each message of a kind, as far as all are charged the same. */
  private readonly charges: readonly number[]
  private unevenBits = 0

  constructor(world: World) {
    const { kinds } = world.algorithm
    const idBits = uidBits(world)
    const typeBits = ceilLog2(kinds.length)
    this.sent = new Float64Array(kinds.length)
    this.charges = kinds.map(({ codec }) =>
      codec.fixedBits ? typeBits + codec.bits(codec.start(), idBits) : typeBits,
    )
  }

  /** One more of a kind, with the bits by which it differs from others of its kind. */
  count(kind: number, bits: number): void {
    this.total++
    this.sent[kind]++
    this.unevenBits += bits
  }

  get bits(): number {
    return this.charges.reduce(
      (sum, charge, kind) => sum + charge * this.sent[kind],
      this.unevenBits,
    )
  }
}
