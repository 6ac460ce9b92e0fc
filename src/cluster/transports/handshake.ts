import type { Link } from '../../core/language/net.ts'
import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import type { LinkIdentity } from './transport.ts'

const MAGIC = 'conclave'
const VERSION = 2

/** The longest handshake, in bytes; a schema is far shorter. */
export const HELLO_LIMIT = 16384

/** The first frame in each direction of a connection. */
export interface Hello extends LinkIdentity {
  /** The link of the sender that this connection carries. */
  readonly link: Link
  readonly incarnation: string
  /** Why the side that was called refuses the connection for now; empty where it accepts it. */
  readonly refusal?: string
}

/** The other side is a member with another configuration: waiting does not help. */
export class Mismatch extends MalformedBytes {
  static of(what: string, there: unknown, here: unknown): Mismatch {
    return new Mismatch(`${what} is ${shown(there)} there and ${shown(here)} here`)
  }
}

export function writeHello(hello: Hello): Uint8Array {
  const { schema, n, position, link, incarnation, refusal = '' } = hello
  const out = new ByteWriter()
  out.text(MAGIC)
  out.nat(VERSION)
  out.text(schema)
  for (const number of [n, position, link]) out.nat(number)
  out.text(incarnation)
  out.text(refusal)
  return out.take()
}

export function readHello(bytes: Uint8Array): Hello {
  const input = new ByteReader(bytes)
  if (MAGIC !== magic(input)) throw new MalformedBytes('not the handshake of a member')
  const version = input.nat()
  if (version !== VERSION) throw Mismatch.of('the version of the protocol', version, VERSION)
  const hello = {
    schema: input.text(),
    n: input.nat(),
    position: input.nat(),
    link: input.nat(),
    incarnation: input.text(),
    refusal: input.text(),
  }
  input.end()
  return hello
}

/** Why two members cannot take part in one election; null where they can. */
export function disagreement(there: LinkIdentity, here: LinkIdentity): Mismatch | null {
  const [theirs, ours] = [there.schema.split('\n'), here.schema.split('\n')]
  if (theirs[0] !== ours[0]) return Mismatch.of('the algorithm', theirs[0], ours[0])
  if (there.n !== here.n) return Mismatch.of('the number of members', there.n, here.n)
  if (there.schema === here.schema) return null
  const others = (all: readonly string[], known: readonly string[]) =>
    shown(all.filter((setting) => !known.includes(setting)).join(', ') || 'none').slice(1, -1)
  return new Mismatch(
    `the settings differ: ${others(theirs, ours)} there, ${others(ours, theirs)} here`,
  )
}

function magic(input: ByteReader): string | null {
  try {
    return input.text()
  } catch {
    return null
  }
}

/** Text from the network may hold anything; it is escaped and cut to fit on one line. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}
