import { list } from '../language/collections.ts'
import type { Link } from '../language/net.ts'
import { nat, type ValueType } from '../language/value-types.ts'
import type { AnyBody, MessageCodec } from './message-codec.ts'

/** A message that a handler has deferred. */
export interface Deferred {
  readonly link: Link
  readonly kind: number
  readonly body: AnyBody
}

/** The deferred messages of a node, as a field of its state, in the order of arrival. */
export function deferredMessages(codecs: readonly MessageCodec[]): ValueType<Deferred[]> {
  const one: ValueType<Deferred> = {
    schema: 'deferred',
    start: () => ({ link: 0, kind: 0, body: codecs[0].start() }),
    write(out, { link, kind, body }) {
      nat.write(out, link)
      nat.write(out, kind)
      codecs[kind].write(out, body)
    },
    read(input) {
      const link = nat.read(input)
      const kind = nat.read(input)
      return { link, kind, body: codecs[kind].read(input) }
    },
    bits: () => 0,
    fixedBits: true,
    text: ({ kind }) => `${kind}`,
    json: ({ link, kind, body }, name) => ({ link, kind, body: codecs[kind].json(body, name) }),
    copy: ({ link, kind, body }) => ({ link, kind, body: codecs[kind].copy(body) }),
    check: () => null,
  }
  return list(one)
}
