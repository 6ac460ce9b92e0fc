import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The side that dialled, and the one that accepted. */
export type Side = 'initiator' | 'responder'

/** Bytes of the code on each message; half of an HMAC-SHA256 is usual. */
export const CODE_LENGTH = 16

/**
 * Codes of the messages in one direction of one stream. They cover the number of the message, so
 * one that is repeated, left out or moved is refused.
 */
export class MessageCodes {
  private readonly number = new DataView(new ArrayBuffer(8))

  constructor(private readonly key: Uint8Array) {}

  /** The code of a message with this number. */
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

  /** For the messages that a side sends. */
  codesOf(side: Side): MessageCodes {
    return new MessageCodes(this.derived(`conclave frames of the ${side}`))
  }

  private derived(purpose: string): Uint8Array {
    return createHmac('sha256', this.secret).update(purpose).update(this.transcript).digest()
  }
}
