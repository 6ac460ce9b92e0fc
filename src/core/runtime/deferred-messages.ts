import { list } from '../language/collections.ts'
import type { Link } from '../language/net.ts'
import { nat, type ValueType } from '../language/value-types.ts'
import type { AnyBody, MessageCodec } from './message-codec.ts'

/** A message that a handler has put off. */
export interface Deferred {
  readonly link: Link
  readonly kind: number
  readonly body: AnyBody
}

/** The messages that a node has put off, as a field of its state, in the order of their coming. */
export function deferredMessages(packings: readonly MessageCodec[]): ValueType<Deferred[]> {
  const one: ValueType<Deferred> = {
    schema: 'deferred',
    start: () => ({ link: 0, kind: 0, body: packings[0].start() }),
    write(out, { link, kind, body }) {
      nat.write(out, link)
      nat.write(out, kind)
      packings[kind].write(out, body)
    },
    read(input) {
      const link = nat.read(input)
      const kind = nat.read(input)
      return { link, kind, body: packings[kind].read(input) }
    },
    bits: () => 0,
    fixedBits: true,
    text: ({ kind }) => `${kind}`,
    json: ({ link, kind, body }, name) => ({ link, kind, body: packings[kind].json(body, name) }),
    copy: ({ link, kind, body }) => ({ link, kind, body: packings[kind].copy(body) }),
  }
  return list(one)
}
