import type { Algorithm } from '../../core/language/algorithm.ts'
import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'

/** A message of an algorithm: one byte for its type, then the fields, written by their types. */
export class MessageBytes {
  private readonly out = new ByteWriter()

  /** Whether the numbers in messages are finite: NaN in one would empty all estimates. */
  readonly finite: boolean

  constructor(private readonly algorithm: Algorithm) {
    this.finite = algorithm.computes !== null
  }

  write(kind: number, body: AnyBody): Uint8Array {
    this.out.byte(kind)
    this.algorithm.kinds[kind].codec.write(this.out, body)
    return this.out.take()
  }

  /** Throws MalformedBytes unless all bytes together are one message. */
  read(bytes: Uint8Array): { readonly kind: number; readonly body: AnyBody } {
    const input = ByteReader.ofStranger(bytes, this.finite)
    const kind = input.byte()
    const body = this.readBody(kind, input)
    input.end()
    return { kind, body }
  }

  readBody(kind: number, input: ByteReader): AnyBody {
    const { kinds } = this.algorithm
    if (kind >= kinds.length) throw new MalformedBytes(`unknown kind of frame: ${kind}`)
    return kinds[kind].codec.read(input)
  }
}
