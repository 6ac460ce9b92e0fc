import type { Algorithm } from '../core/language/algorithm.ts'
import { flag, nat } from '../core/language/value-types.ts'
import { ByteReader, ByteWriter } from '../core/runtime/bytes.ts'
import { type AnyBody, MessageCodec } from '../core/runtime/message-codec.ts'
import { MessageBytes } from './node/message-bytes.ts'
import type { TerminationToken } from './termination-detection.ts'

/** A frame between members: a message of the algorithm, or one of the runtime itself. */
export type WireFrame =
  | { readonly type: 'message'; readonly kind: number; readonly body: AnyBody }
  | { readonly type: 'token'; readonly token: TerminationToken }
  /** A member is active: position 0 starts the termination detection. */
  | { readonly type: 'activity' }
  /** The election has terminated. */
  | { readonly type: 'end' }
  /** The sender is alive, so late, and has this key, where members announce their keys. */
  | { readonly type: 'heartbeat'; readonly lateness: number; readonly key: number | null }
  /** A message of an aggregate that is computed beside the election. */
  | { readonly type: 'aggregate'; readonly tag: number; readonly bytes: Uint8Array }

const TOKEN = 255
const ACTIVITY = 254
const END = 253
const HEARTBEAT = 252
const AGGREGATE = 251

const tokenCodec = new MessageCodec({ sent: nat, received: nat, black: flag })

/** The codec of frames: one byte for the kind, then the fields, written by their value types. */
export class Wire {
  private readonly out = new ByteWriter()
  private readonly messages: MessageBytes

  constructor(
    algorithm: Algorithm,
    private readonly announcesKeys: boolean,
  ) {
    this.messages = new MessageBytes(algorithm)
  }

  write(frame: WireFrame): Uint8Array {
    switch (frame.type) {
      case 'message':
        return this.messages.write(frame.kind, frame.body)
      case 'token':
        this.out.byte(TOKEN)
        tokenCodec.write(this.out, { ...frame.token })
        break
      case 'activity':
        this.out.byte(ACTIVITY)
        break
      case 'end':
        this.out.byte(END)
        break
      case 'heartbeat':
        this.out.byte(HEARTBEAT)
        this.out.nat(frame.lateness)
        if (frame.key !== null) this.out.nat(frame.key)
        break
      case 'aggregate':
        this.out.byte(AGGREGATE)
        this.out.nat(frame.tag)
        this.out.raw(frame.bytes)
    }
    return this.out.take()
  }

  /** Throws MalformedBytes unless all bytes together are one frame. */
  read(bytes: Uint8Array): WireFrame {
    const input = ByteReader.ofStranger(bytes, this.messages.finite)
    const frame = this.frame(input.byte(), input)
    input.end()
    return frame
  }

  private frame(kind: number, input: ByteReader): WireFrame {
    if (kind === TOKEN) {
      return { type: 'token', token: tokenCodec.read(input) as unknown as TerminationToken }
    }
    if (kind === ACTIVITY) return { type: 'activity' }
    if (kind === END) return { type: 'end' }
    if (kind === HEARTBEAT) {
      const lateness = input.nat()
      return { type: 'heartbeat', lateness, key: this.announcesKeys ? input.nat() : null }
    }
    if (kind === AGGREGATE) return { type: 'aggregate', tag: input.nat(), bytes: input.rest() }
    return { type: 'message', kind, body: this.messages.readBody(kind, input) }
  }
}
