import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import type { LinkRefusal, PeerInfo, PeerKind, RefusalReason } from './peer.ts'
import type { ProcessIdentity } from './process-identity.ts'

const MAGIC = 'conclave mesh'
/** So began members of elections before they were part of a mesh. */
const EARLIER_MAGIC = 'conclave'

/** The longest frame of a handshake, in bytes. */
export const HANDSHAKE_LIMIT = 4096

/** A flag and random bytes that version 3 reads: so it can say that the versions differ. */
const RESERVED_LENGTH = 33

/** The versions of the protocol that a member speaks. */
export interface ProtocolRange {
  readonly lowest: number
  readonly highest: number
}

/**
 * Since version 3 members tell each other how far their memories reach. One that does not could
 * come back with an older copy of its storage, so earlier versions are refused. Version 3 proves a
 * shared secret in the handshake, and version 4 by TLS.
 */
export const PROTOCOL: ProtocolRange = { lowest: 4, highest: 4 }

/** Since this version a member says whether it keeps its connections open. */
const KEEPS_OPEN = 2
/** Since this version it says what it does. */
const PURPOSE = 4

/** The kinds of frames of a handshake, in order; a refusal may stand for each but the first. */
const HELLO = 1
export const AGREED = 2
export const WELCOME = 3
export const REFUSED = 4

/** The first frame in each direction of a connection. */
export interface MeshHello extends Omit<PeerInfo, 'protocol' | 'remote' | 'pid'> {
  readonly protocol: ProtocolRange
  readonly cluster: string
  /** What the sender does with others, where its cluster does not say it. */
  readonly purpose: string
}

/** Of a process that voters must never take for gone only the number is told. */
export function onlyPid(process: ProcessIdentity | null): ProcessIdentity | null {
  return process && { pid: process.pid, start: '', boot: '', namespace: '' }
}

const KINDS: readonly PeerKind[] = ['member', 'observer']

export function writeHello(hello: MeshHello): Uint8Array {
  const out = new ByteWriter()
  out.byte(HELLO)
  out.text(MAGIC)
  out.nat(hello.protocol.lowest)
  out.nat(hello.protocol.highest)
  out.text(hello.cluster)
  out.text(hello.name)
  out.text(hello.incarnation)
  out.byte(KINDS.indexOf(hello.kind))
  out.nat(hello.version.term)
  out.nat(hello.version.number)
  out.real(hello.limit)
  out.real(hello.drift)
  out.raw(new Uint8Array(RESERVED_LENGTH))
  out.text(hello.advertised ?? '')
  const { process } = hello
  out.nat(process?.pid ?? 0)
  for (const text of [process?.start, process?.boot, process?.namespace]) out.text(text ?? '')
  if (hello.protocol.highest >= KEEPS_OPEN) out.byte(hello.keepsOpen ? 1 : 0)
  if (hello.protocol.highest >= PURPOSE) out.text(hello.purpose)
  return out.take()
}

/** The form of a name: it stands in logs, in files and in certificates. */
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

export const isPeerName = (name: string): boolean => NAME.test(name)

/** Versions after the highest one that is known here may add fields at the end. */
export function readHello(bytes: Uint8Array, known: ProtocolRange = PROTOCOL): MeshHello {
  const input = new ByteReader(bytes)
  if (!isHello(input)) {
    const earlier = startsWith(new ByteReader(bytes), EARLIER_MAGIC)
    throw new MalformedBytes(
      earlier ? `the handshake of an earlier release: ${UPGRADE}` : 'not the handshake of a member',
    )
  }
  const protocol = { lowest: input.nat(), highest: input.nat() }
  const cluster = input.text()
  const name = input.text()
  const own = {
    incarnation: input.text(),
    kind: KINDS[input.byte()],
    version: { term: input.nat(), number: input.nat() },
    limit: input.real(),
    drift: input.real(),
  }
  for (let i = 0; i < RESERVED_LENGTH; i++) input.byte()
  const hello = {
    protocol,
    cluster,
    name,
    ...own,
    advertised: input.text() || null,
    process: readProcess(input),
    keepsOpen: protocol.highest >= KEEPS_OPEN && input.byte() === 1,
    purpose: protocol.highest >= PURPOSE ? input.text() : '',
  }
  if (protocol.highest <= known.highest) input.end()
  const wellFormed =
    protocol.lowest <= protocol.highest &&
    isPeerName(name) &&
    hello.kind !== undefined &&
    hello.limit >= 0 &&
    hello.drift >= 0 &&
    /^[\w-]{1,128}$/.test(hello.incarnation)
  if (!wellFormed) throw new MalformedBytes('a handshake with impossible values')
  return hello
}

function isHello(input: ByteReader): boolean {
  try {
    return input.byte() === HELLO && startsWith(input, MAGIC)
  } catch {
    return false
  }
}

function startsWith(input: ByteReader, text: string): boolean {
  try {
    return input.text() === text
  } catch {
    return false
  }
}

function readProcess(input: ByteReader): ProcessIdentity | null {
  const process = {
    pid: input.nat(),
    start: input.text(),
    boot: input.text(),
    namespace: input.text(),
  }
  return process.pid === 0 ? null : process
}

/** The version that both sides speak; null where there is none. */
export function commonProtocol(one: ProtocolRange, other: ProtocolRange): number | null {
  const version = Math.min(one.highest, other.highest)
  return version >= Math.max(one.lowest, other.lowest) ? version : null
}

/** What to do about members of different releases. */
export const UPGRADE = 'stop all members, and start all with the same release'
/** The same where it is not certain. */
export const EARLIER = `if its release is an earlier one, ${UPGRADE}`

export type Disagreement = Pick<LinkRefusal, 'reason' | 'detail'>

/** Why two sides cannot work together, in words that mean the same on both; null where they can. */
export function disagreement(there: MeshHello, here: MeshHello): Disagreement | null {
  const differ = (reason: RefusalReason, what: string, valueIn: (hello: MeshHello) => unknown) => ({
    reason,
    detail:
      `${what} is ${shown(valueIn(there))} at ${shown(there.name)}` +
      ` and ${shown(valueIn(here))} at ${shown(here.name)}`,
  })
  if (there.cluster !== here.cluster) return differ('cluster', 'the cluster', (h) => h.cluster)
  if (commonProtocol(there.protocol, here.protocol) === null) {
    const range = ({ protocol: { lowest, highest } }: MeshHello) => `${lowest} to ${highest}`
    const { reason, detail } = differ('protocol', 'the range of protocol versions', range)
    return { reason, detail: `${detail}: ${UPGRADE}` }
  }
  const voters = there.kind === 'member' && here.kind === 'member'
  if (voters && there.drift !== here.drift) {
    return differ('drift', 'the bound on clock rates', ({ drift }) => drift)
  }
  return null
}

export function writeRefusal({ reason, detail }: Disagreement): Uint8Array {
  const out = new ByteWriter()
  out.byte(REFUSED)
  out.text(reason)
  out.text(detail.slice(0, 1000))
  return out.take()
}

const REASONS: readonly RefusalReason[] = [
  'no-tls',
  'no-certificate',
  'expired',
  'foreign',
  'slots',
  'rate',
  'secret',
  'cluster',
  'purpose',
  'protocol',
  'drift',
  'name',
  'excluded',
  'duplicate',
  'crossing',
]

/** The reason of the other side; one that is not known here only says that it refused. */
export function readRefusal(bytes: Uint8Array): Disagreement {
  const input = new ByteReader(bytes.subarray(1))
  const given = input.text()
  const detail = oneLine(input.text())
  return { reason: REASONS.find((reason) => reason === given) ?? 'closed', detail }
}

/** Text from the network may hold anything; it is escaped and cut to fit on one line. */
export function shown(value: unknown): string {
  return oneLine(JSON.stringify(value), 200)
}

const CONTROLS = /[\p{C}\u2028\u2029]/gu

/** The same for text that is a sentence already. */
export function oneLine(text: string, limit = 1000): string {
  const escaped = text.replace(CONTROLS, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`)
  return escaped.length > limit ? `${escaped.slice(0, limit)}...` : escaped
}
