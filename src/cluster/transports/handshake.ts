import type { Link } from '../../core/language/net.ts'
import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import type { LinkIdentity } from './transport.ts'

const MAGIC = 'conclave'
const VERSION = 1

/** A schema takes far less; nobody needs more room before having said who he is. */
export const HELLO_LIMIT = 16384

/** The first frame in each direction of a connection. */
export interface Hello extends LinkIdentity {
  /** The sender's number for the link that this connection is to be. */
  readonly link: Link
}

/** A member, but not one to talk to: waiting will not change that. */
export class Mismatch extends MalformedBytes {
  constructor(what: string, there: unknown, here: unknown) {
    super(`${what} is ${shown(there)} there and ${shown(here)} here`)
  }
}

export function writeHello({ schema, n, position, link }: Hello): Uint8Array {
  const out = new ByteWriter()
  out.text(MAGIC)
  out.nat(VERSION)
  out.text(schema)
  for (const number of [n, position, link]) out.nat(number)
  return out.take()
}

export function readHello(bytes: Uint8Array): Hello {
  const input = new ByteReader(bytes)
  if (MAGIC !== magic(input)) throw new MalformedBytes('no handshake of a member')
  const version = input.nat()
  if (version !== VERSION) throw new Mismatch('the version of the protocol', version, VERSION)
  const hello = {
    schema: input.text(),
    n: input.nat(),
    position: input.nat(),
    link: input.nat(),
  }
  input.end()
  return hello
}

/** Why two that introduced themselves so cannot take part in one election; null where they can. */
export function disagreement(there: LinkIdentity, here: LinkIdentity): Mismatch | null {
  if (there.schema !== here.schema) return new Mismatch('the algorithm', there.schema, here.schema)
  return there.n === here.n ? null : new Mismatch('the number of members', there.n, here.n)
}

function magic(input: ByteReader): string | null {
  try {
    return input.text()
  } catch {
    return null
  }
}

/** What a stranger sent may hold anything, and must not break the line it is shown in. */
function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}
