import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'

/**
 * Records of a journal: u32 length, u32 CRC-32C of length and body, body. One write makes one
 * record, and is durable before the next begins, so a crash can tear only the last one. A mark
 * beside the journal says how much of it is durable.
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
const RECORD_BYTES_MAX = 1 << 24
/** Journals of the first format have no number and no mark. */
const FIRST_FORMAT = 'conclave journal 1'
const FORMAT = 'conclave journal 2'

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
  if (body.length > RECORD_BYTES_MAX)
    throw new Error(`a record of ${body.length} bytes is too long`)
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
  if (length === 0 || length > RECORD_BYTES_MAX || offset + HEAD + length > bytes.length)
    return null
  const body = bytes.subarray(offset + HEAD, offset + HEAD + length)
  const crc = crc32c(body, crc32c(bytes.subarray(offset, offset + 4)))
  return crc === view.getUint32(offset + 4) ? body : null
}

/** What a file of records holds. */
export interface RecordsFound {
  readonly bodies: readonly Uint8Array[]
  /** Where the last good record ends. */
  readonly end: number
}

/** The good records at the beginning of a file. */
export function recordsIn(bytes: Uint8Array): RecordsFound {
  const bodies: Uint8Array[] = []
  let end = 0
  for (let body = bodyAt(bytes, 0); body !== null; body = bodyAt(bytes, end)) {
    bodies.push(body)
    end += HEAD + body.length
  }
  return { bodies, end }
}

/** How much of which journal file is durable. */
export interface JournalMark {
  /** The number of the file: each that replaces another has the next number. */
  readonly file: number
  /** Its first bytes that were synced. */
  readonly length: number
}

/** u32 number of the file, u32 length, u32 CRC-32C of both. */
const MARK_BYTES = 12

export function markBytes({ file, length }: JournalMark): Uint8Array {
  const bytes = new Uint8Array(MARK_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, file)
  view.setUint32(4, length)
  view.setUint32(8, crc32c(bytes.subarray(0, 8)))
  return bytes
}

/** The undamaged marks in a file of them, oldest first. */
export function marksIn(bytes: Uint8Array): JournalMark[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const marks: JournalMark[] = []
  for (let at = 0; at + MARK_BYTES <= bytes.length; at += MARK_BYTES)
    if (crc32c(bytes.subarray(at, at + 8)) === view.getUint32(at + 8))
      marks.push({ file: view.getUint32(at), length: view.getUint32(at + 4) })
  return marks
}

/** The first record of every journal: whose it is, and the number of the file. */
export function identityBody({ cluster, member }: JournalIdentity, file: number): Uint8Array {
  const writer = new ByteWriter()
  for (const text of [FORMAT, cluster, member]) writer.text(text)
  writer.nat(file)
  return writer.take()
}

/** Null if the first record is not that of a journal. The number is 0 in the first format. */
export function identityIn(
  body: Uint8Array | undefined,
): (JournalIdentity & { readonly file: number }) | null {
  if (body === undefined) return null
  return readOrNull(body, (reader) => {
    const format = reader.text()
    if (format !== FORMAT && format !== FIRST_FORMAT) throw new MalformedBytes('another format')
    const [cluster, member] = [reader.text(), reader.text()]
    return { cluster, member, file: format === FORMAT ? reader.nat() : 0 }
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
