import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { MalformedBytes } from '../../core/runtime/bytes.ts'

/** The side that dialled, and the one that accepted. */
export type Side = 'initiator' | 'responder'

/** Bytes of the code on each frame; half of an HMAC-SHA256 is usual. */
export const CODE_LENGTH = 16

/**
 * Authenticates the frames of one direction of one connection. The code covers the number of the
 * frame, so a frame that is repeated, left out or moved is refused.
 */
export class FrameSeal {
  private sequence = 0
  private readonly number = new DataView(new ArrayBuffer(8))

  constructor(private readonly key: Uint8Array) {}

  seal(bytes: Uint8Array): Uint8Array {
    const sealed = new Uint8Array(bytes.length + CODE_LENGTH)
    sealed.set(bytes)
    sealed.set(this.nextCode(bytes), bytes.length)
    return sealed
  }

  open(sealed: Uint8Array): Uint8Array {
    const end = sealed.length - CODE_LENGTH
    if (end < 0) throw new MalformedBytes('a frame without an authentication code')
    const bytes = sealed.subarray(0, end)
    if (!timingSafeEqual(this.nextCode(bytes), sealed.subarray(end))) {
      throw new MalformedBytes('a frame with a wrong authentication code')
    }
    return bytes
  }

  private nextCode(bytes: Uint8Array): Uint8Array {
    return this.code(this.sequence++, bytes)
  }

  /** The code of a frame with this number. */
  code(sequence: number, bytes: Uint8Array): Uint8Array {
    this.number.setBigUint64(0, BigInt(sequence))
    const code = createHmac('sha256', this.key).update(new Uint8Array(this.number.buffer))
    return code.update(bytes).digest().subarray(0, CODE_LENGTH)
  }
}

/**
 * What two sides derive from a shared secret and from both first frames, which hold fresh random
 * bytes of both: so neither proof nor key is ever the same again.
 */
export class SharedSecret {
  private readonly transcript: Uint8Array

  constructor(
    private readonly secret: string | Uint8Array,
    initiatorHello: Uint8Array,
    responderHello: Uint8Array,
  ) {
    const transcript = createHash('sha256')
    for (const hello of [initiatorHello, responderHello]) {
      transcript.update(createHash('sha256').update(hello).digest())
    }
    this.transcript = transcript.digest()
  }

  /** Shows the other side that this one knows the secret. */
  proof(side: Side): Uint8Array {
    return this.derived(`conclave proof of the ${side}`)
  }

  proves(side: Side, proof: Uint8Array): boolean {
    const expected = this.proof(side)
    return proof.length === expected.length && timingSafeEqual(proof, expected)
  }

  /** For the frames that a side sends. */
  sealOf(side: Side): FrameSeal {
    return new FrameSeal(this.derived(`conclave frames of the ${side}`))
  }

  private derived(purpose: string): Uint8Array {
    return createHmac('sha256', this.secret).update(purpose).update(this.transcript).digest()
  }
}
