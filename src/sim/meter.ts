import { ceilLog2 } from '../core/logarithm.ts'
import type { AnyBody, Packing } from '../core/packing.ts'
import { uidBits, type World } from '../core/world.ts'

/** Counts the messages that are sent, and the bits that theory charges for them. */
export class Meter {
  total = 0
  /** By kind. */
  readonly sent: Float64Array
  private readonly packings: readonly Packing[]
  private readonly uidBits: number
  /** Bits charged for each message of a kind, as far as all are charged the same. */
  private readonly charges: readonly number[]
  /** Whether that is the whole charge, for every kind. */
  private readonly allEven: boolean
  private unevenBits = 0

  constructor(world: World) {
    const { kinds } = world.algorithm
    const typeBits = ceilLog2(kinds.length)
    this.packings = kinds.map(({ packing }) => packing)
    this.sent = new Float64Array(kinds.length)
    this.uidBits = uidBits(world)
    this.charges = this.packings.map((packing) =>
      packing.evenBits ? typeBits + packing.bits(packing.start(), this.uidBits) : typeBits,
    )
    this.allEven = this.packings.every(({ evenBits }) => evenBits)
  }

  count(kind: number, body: AnyBody): void {
    this.total++
    this.sent[kind]++
    if (this.allEven === false) this.charge(kind, body)
  }

  get bits(): number {
    return this.charges.reduce(
      (sum, charge, kind) => sum + charge * this.sent[kind],
      this.unevenBits,
    )
  }

  private charge(kind: number, body: AnyBody): void {
    const packing = this.packings[kind]
    if (packing.evenBits === false) this.unevenBits += packing.bits(body, this.uidBits)
  }
}
