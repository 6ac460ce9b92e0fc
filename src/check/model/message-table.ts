import type { MessageKind } from '../../core/language/algorithm.ts'
import { ByteReader, ByteWriter } from '../../core/runtime/bytes.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import { Interner, keyOf } from './interner.ts'

/** A message apart from where it travels, as its canonical bytes. */
interface Letter {
  readonly kind: MessageKind
  readonly bytes: Uint8Array
}

/** The messages that were ever sent, numbered. */
export class MessageTable {
  private readonly numbering = new Interner<Letter>()
  private readonly out = new ByteWriter()

  numberOf(kind: MessageKind, body: AnyBody): number {
    kind.codec.write(this.out, body)
    const bytes = this.out.take()
    return this.numbering.of(`${kind.index};${keyOf(bytes)}`, { kind, bytes })
  }

  kind(message: number): MessageKind {
    return this.numbering.list[message].kind
  }

  /** A body of its own for each reader, who may do to it what it likes. */
  body(message: number): AnyBody {
    const { kind, bytes } = this.numbering.list[message]
    return kind.codec.read(new ByteReader(bytes))
  }
}
