import { createHmac, timingSafeEqual } from 'node:crypto'
import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import { CODE_LENGTH, type MessageCodes } from './message-codes.ts'

/** The version of the messages below. */
const VERSION = 1
const MAGIC = 'conclave'

/** The first byte of each message. */
export const KIND = {
  /** Asks for a stream. */
  OPEN: 1,
  /** The answer to it. */
  ACCEPT: 2,
  /** The other answer, which anybody may have sent. */
  REFUSE: 3,
  DATA: 4,
  /** Nothing new: the sender is there. */
  ALIVE: 5,
  /** Asks for an ALIVE at once. */
  ASK: 6,
  /** No more bytes follow. */
  END: 7,
  /** The stream is over, with the reason. */
  RESET: 8,
} as const

const STREAM_KINDS: readonly number[] = [KIND.DATA, KIND.ALIVE, KIND.ASK, KIND.END, KIND.RESET]

/** Bytes around the data of a message, at most. */
export const OVERHEAD = 64

/** Where one side of a stream gets its messages, and something that was never sent before. */
export interface StreamEnd {
  /** The process, among those under one name, and the stream, among those of the process. */
  readonly process: string
  readonly stream: string
  readonly nonce: string
}

/** Who dials whom. */
export interface OpenMessage extends StreamEnd {
  readonly cluster: string
  readonly to: string
  readonly from: string
}

/** A message of an established stream. */
export interface StreamMessage {
  readonly kind: number
  /** Messages of one direction are numbered from 0. */
  readonly number: number
  /** Bytes of the other direction that were read so far. */
  readonly taken: number
  readonly data: Uint8Array
}

type Secret = string | undefined

/** Codes made with it prove nothing, and still tell one stream from another. */
export const NO_SECRET = ''

/** Ends with a code, which shows that the sender knows the secret. */
export function writeOpen(open: OpenMessage, secret: Secret): Uint8Array {
  const out = new ByteWriter()
  out.byte(KIND.OPEN)
  out.text(MAGIC)
  out.nat(VERSION)
  for (const text of [open.cluster, open.to, open.from]) out.text(text)
  writeEnd(out, open)
  out.byte(secret === undefined ? 0 : 1)
  const bytes = out.take()
  return joined(bytes, openCode(secret, bytes))
}

/** Throws MalformedBytes; `Unproven` where the other side may have another secret. */
export function readOpen(bytes: Uint8Array, secret: Secret): OpenMessage {
  const input = new ByteReader(bytes)
  input.byte()
  if (input.text() !== MAGIC) throw new MalformedBytes('it does not ask for a stream')
  const version = input.nat()
  if (version !== VERSION) throw new MalformedBytes(`its version of the protocol is ${version}`)
  const open = { cluster: input.text(), to: input.text(), from: input.text(), ...readEnd(input) }
  const sealed = input.byte() === 1
  const code = input.rest()
  if (sealed && secret === undefined) throw new Unproven(open, 'this member has no secret')
  if (!sealed && secret !== undefined) throw new Unproven(open, 'it has no secret')
  const expected = openCode(secret, bytes.subarray(0, bytes.length - code.length))
  if (code.length !== expected.length || !timingSafeEqual(code, expected))
    throw new Unproven(open, 'its secret is another one')
  return open
}

/** Somebody asks for a stream and does not know the secret of this member. */
export class Unproven extends MalformedBytes {
  constructor(
    readonly open: OpenMessage,
    message: string,
  ) {
    super(message)
  }
}

function openCode(secret: Secret, bytes: Uint8Array): Uint8Array {
  return createHmac('sha256', secret ?? NO_SECRET)
    .update('conclave asks for a stream')
    .update(bytes)
    .digest()
}

export function writeAccept(end: StreamEnd): Uint8Array {
  const out = new ByteWriter()
  out.byte(KIND.ACCEPT)
  writeEnd(out, end)
  return out.take()
}

/** The answer, its own bytes, and the proof behind them. */
export function readAccept(
  bytes: Uint8Array,
): StreamEnd & { readonly hello: Uint8Array; readonly proof: Uint8Array } {
  const input = new ByteReader(bytes)
  input.byte()
  const end = readEnd(input)
  const proof = input.rest()
  return { ...end, hello: bytes.subarray(0, bytes.length - proof.length), proof }
}

function writeEnd(out: ByteWriter, { process, stream, nonce }: StreamEnd): void {
  for (const text of [process, stream, nonce]) out.text(text)
}

/** They become parts of subjects. */
function readEnd(input: ByteReader): StreamEnd {
  const [process, stream, nonce] = [input.text(), input.text(), input.text()]
  if ([process, stream, nonce].every((text) => /^[0-9a-f]{16,32}$/.test(text)))
    return { process, stream, nonce }
  throw new MalformedBytes('not the end of a stream')
}

export function writeRefuse(why: string): Uint8Array {
  const out = new ByteWriter()
  out.byte(KIND.REFUSE)
  out.text(why)
  return out.take()
}

export function readRefuse(bytes: Uint8Array): string {
  const input = new ByteReader(bytes.subarray(1))
  const why = input.text()
  input.end()
  return why
}

export function writeStreamMessage(message: StreamMessage, seal: MessageCodes): Uint8Array {
  const out = new ByteWriter()
  out.byte(message.kind)
  out.nat(message.number)
  out.nat(message.taken)
  out.raw(message.data)
  const bytes = out.take()
  return joined(bytes, seal.code(message.number, bytes))
}

/** Throws MalformedBytes for what only somebody else can have sent. */
export function readStreamMessage(bytes: Uint8Array, seal: MessageCodes): StreamMessage {
  const end = bytes.length - CODE_LENGTH
  if (end < 3 || !STREAM_KINDS.includes(bytes[0]))
    throw new MalformedBytes('no message of a stream')
  const own = bytes.subarray(0, end)
  const input = new ByteReader(own.subarray(1))
  const [number, taken] = [input.nat(), input.nat()]
  if (!timingSafeEqual(seal.code(number, own), bytes.subarray(end)))
    throw new MalformedBytes('a message with a wrong authentication code')
  return { kind: bytes[0], number, taken, data: input.rest() }
}

export function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(one.length + other.length)
  whole.set(one)
  whole.set(other, one.length)
  return whole
}
