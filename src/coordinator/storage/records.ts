import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'

/**
 * Records of a journal: u32 length, u32 CRC-32C of length and body, body. One write makes one
 * record, and is durable before the next begins, so a crash can tear only the last one.
 */

/** Keys and values that are written together. */
export type Entries = ReadonlyMap<string, Uint8Array>

/** Whose journal it is. */
export interface JournalIdentity {
  readonly cluster: string
  readonly member: string
}

const HEAD = 8
/** Longer records are never written. */
const LONGEST = 1 << 24
const FORMAT = 'conclave journal 1'

const POLYNOMIAL = 0x82f63b78
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0)
  return crc
})

/** The CRC-32C (Castagnoli) of bytes, or of those before and these. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  let crc = ~before
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff]
  return ~crc >>> 0
}

export function recordOf(body: Uint8Array): Uint8Array {
  if (body.length > LONGEST) throw new Error(`a record of ${body.length} bytes is too long`)
  const record = new Uint8Array(HEAD + body.length)
  const view = new DataView(record.buffer)
  view.setUint32(0, body.length)
  record.set(body, HEAD)
  view.setUint32(4, crc32c(body, crc32c(record.subarray(0, 4))))
  return record
}

/** The body of the record at this offset; null where there is no whole, undamaged record. */
function bodyAt(bytes: Uint8Array, offset: number): Uint8Array | null {
  if (offset + HEAD > bytes.length) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const length = view.getUint32(offset)
  if (length === 0 || length > LONGEST || offset + HEAD + length > bytes.length) return null
  const body = bytes.subarray(offset + HEAD, offset + HEAD + length)
  const crc = crc32c(body, crc32c(bytes.subarray(offset, offset + 4)))
  return crc === view.getUint32(offset + 4) ? body : null
}

/** What a file of records holds. */
export interface RecordsFound {
  readonly bodies: readonly Uint8Array[]
  /** Where the last good record ends. Bytes after it are a torn record, or `broken`. */
  readonly end: number
  /** Good records follow after bad bytes: this is no torn write, what was durable is gone. */
  readonly broken: boolean
}

export function recordsIn(bytes: Uint8Array): RecordsFound {
  const bodies: Uint8Array[] = []
  let end = 0
  for (let body = bodyAt(bytes, 0); body !== null; body = bodyAt(bytes, end)) {
    bodies.push(body)
    end += HEAD + body.length
  }
  let broken = false
  for (let at = end + 1; !broken && at + HEAD < bytes.length; at++) {
    broken = bodyAt(bytes, at) !== null
  }
  return { bodies, end, broken }
}

/** The first record of every journal. */
export function identityBody({ cluster, member }: JournalIdentity): Uint8Array {
  const writer = new ByteWriter()
  for (const text of [FORMAT, cluster, member]) writer.text(text)
  return writer.take()
}

/** Null where the first record is not that of a journal. */
export function identityIn(body: Uint8Array | undefined): JournalIdentity | null {
  if (body === undefined) return null
  return readOrNull(body, (reader) => {
    if (reader.text() !== FORMAT) throw new MalformedBytes('another format')
    return { cluster: reader.text(), member: reader.text() }
  })
}

export function entriesBody(entries: Entries): Uint8Array {
  const writer = new ByteWriter()
  writer.nat(entries.size)
  for (const [key, value] of entries) {
    writer.text(key)
    writer.nat(value.length)
    writer.raw(value)
  }
  return writer.take()
}

/** Null where the body is not one of entries, as a later format may have. */
export function entriesIn(body: Uint8Array): Entries | null {
  return readOrNull(body, (reader) => {
    const entries = new Map<string, Uint8Array>()
    for (let left = reader.nat(); left > 0; left--) {
      const key = reader.text()
      entries.set(
        key,
        Uint8Array.from({ length: reader.nat() }, () => reader.byte()),
      )
    }
    return entries
  })
}

function readOrNull<T>(body: Uint8Array, read: (reader: ByteReader) => T): T | null {
  try {
    const reader = new ByteReader(body)
    const value = read(reader)
    reader.end()
    return value
  } catch (error) {
    if (error instanceof MalformedBytes) return null
    throw error
  }
}
