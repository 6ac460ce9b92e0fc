import type { Algorithm } from '../core/language/algorithm.ts'
import { flag, nat } from '../core/language/value-types.ts'
import { ByteReader, ByteWriter, MalformedBytes } from '../core/runtime/bytes.ts'
import { type AnyBody, MessageCodec } from '../core/runtime/message-codec.ts'
import type { TerminationToken } from './termination-detection.ts'

/** What members tell each other: the algorithm's messages, and what finds the end or the dead. */
export type WireFrame =
  | { readonly type: 'message'; readonly kind: number; readonly body: AnyBody }
  | { readonly type: 'token'; readonly token: TerminationToken }
  /** Somebody has woken: position 0 may begin to look for the end. */
  | { readonly type: 'stir' }
  /** All is quiet. */
  | { readonly type: 'end' }
  /** The sender is there, and goes by this key, where members tell each other their keys. */
  | { readonly type: 'beat'; readonly key: number | null }
  /** Of what members compute beside the election: of what, and the message. */
  | { readonly type: 'aside'; readonly tag: number; readonly bytes: Uint8Array }

const TOKEN = 255
const STIR = 254
const END = 253
const BEAT = 252
const ASIDE = 251

const tokenPacking = new MessageCodec({ sent: nat, received: nat, black: flag })

/** Frames as bytes: one for the kind, then the fields, each as its value type writes it. */
export class Wire {
  private readonly out = new ByteWriter()

  constructor(
    private readonly algorithm: Algorithm,
    private readonly tellsKeys: boolean,
  ) {}

  write(frame: WireFrame): Uint8Array {
    switch (frame.type) {
      case 'message':
        this.out.byte(frame.kind)
        this.algorithm.kinds[frame.kind].codec.write(this.out, frame.body)
        break
      case 'token':
        this.out.byte(TOKEN)
        tokenPacking.write(this.out, { ...frame.token })
        break
      case 'stir':
        this.out.byte(STIR)
        break
      case 'end':
        this.out.byte(END)
        break
      case 'beat':
        this.out.byte(BEAT)
        if (frame.key !== null) this.out.nat(frame.key)
        break
      case 'aside':
        this.out.byte(ASIDE)
        this.out.nat(frame.tag)
        this.out.raw(frame.bytes)
    }
    return this.out.take()
  }

  /** Throws Malformed where the bytes are no frame, down to the last of them. */
  read(bytes: Uint8Array): WireFrame {
    const input = new ByteReader(bytes)
    const frame = this.frame(input.byte(), input)
    input.end()
    return frame
  }

  private frame(kind: number, input: ByteReader): WireFrame {
    if (kind === TOKEN) {
      return { type: 'token', token: tokenPacking.read(input) as unknown as TerminationToken }
    }
    if (kind === STIR) return { type: 'stir' }
    if (kind === END) return { type: 'end' }
    if (kind === BEAT) return { type: 'beat', key: this.tellsKeys ? input.nat() : null }
    if (kind === ASIDE) return { type: 'aside', tag: input.nat(), bytes: input.rest() }
    if (kind >= this.algorithm.kinds.length)
      throw new MalformedBytes(`an unknown kind of frame, ${kind}`)
    return { type: 'message', kind, body: this.algorithm.kinds[kind].codec.read(input) }
  }
}
