import type { MessageKind } from '../../core/language/algorithm.ts'
import { ByteReader, ByteWriter } from '../../core/runtime/bytes.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'

/** Maps values to numbers from 0 in order of first occurrence; equal keys get equal numbers. */
export class Interner<T> {
  readonly list: T[] = []
  private readonly numbers = new Map<string, number>()

  intern(key: string, value: T): number {
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    this.numbers.set(key, this.list.length)
    return this.list.push(value) - 1
  }
}

/** Bytes as a string key, one character per byte. */
export function bytesKey(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** A message without its channel, in its canonical encoding. */
interface StoredMessage {
  readonly kind: MessageKind
  readonly bytes: Uint8Array
}

/** Interns the messages that were sent. */
export class MessageTable {
  private readonly interner = new Interner<StoredMessage>()
  private readonly out = new ByteWriter()
  private readonly hashes: number[] = []

  intern(kind: MessageKind, body: AnyBody): number {
    kind.codec.write(this.out, body)
    const bytes = this.out.take()
    return this.interner.intern(`${kind.index};${bytesKey(bytes)}`, { kind, bytes })
  }

  kind(message: number): MessageKind {
    return this.interner.list[message].kind
  }

  /** A hash of the content; the number of a message depends on what was sent before. */
  hash(message: number): number {
    this.hashes[message] ??= hashOf(this.interner.list[message])
    return this.hashes[message]
  }

  /** A fresh copy: the handler may modify it. */
  body(message: number): AnyBody {
    const { kind, bytes } = this.interner.list[message]
    return kind.codec.read(new ByteReader(bytes))
  }
}

/** FNV-1a, 32 bits. */
function hashOf({ kind, bytes }: StoredMessage): number {
  let hash = Math.imul(0x811c9dc5 ^ kind.index, 0x01000193)
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash
}
