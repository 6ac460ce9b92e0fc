import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gunzip, gzip, constants as zlib } from 'node:zlib'

/** An answer of the server: a text, or a file. */
export interface PageAnswer {
  readonly status: number
  readonly type: string
  readonly text?: string
  readonly file?: string
  /** Whether a browser may keep it for ever. */
  readonly lasting?: boolean
  /** Its content security policy, where it is not that of the page. */
  readonly policy?: string
}

interface EncodedBody {
  readonly body: Buffer
  readonly encoding?: string
}

/** The ending of files that the build has compressed. */
export const PACKED = '.gz'

/** In the order of preference: most files come compressed by gzip. */
const ENCODERS: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
  // A higher quality takes seconds for the largest file.
  br: (body) => promisify(brotliCompress)(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: 7 } }),
}

/** Files that the build has not compressed are compressed when they are first asked for. */
export class CompressedFiles {
  private readonly encoded = new Map<string, Promise<Buffer>>()

  async bodyFor({ text = '', file }: PageAnswer, accepted = ''): Promise<EncodedBody> {
    if (file === undefined) return { body: Buffer.from(text) }
    const words = accepted.split(',').map((word) => word.trim().split(';')[0])
    const encoding = Object.keys(ENCODERS).find((name) => words.includes(name))
    if (encoding === undefined) return { body: await wholeBytes(file) }
    const key = `${encoding} ${file}`
    const body = this.encoded.get(key) ?? encodedBytes(file, encoding)
    this.encoded.set(key, body)
    return { body: await body, encoding }
  }
}

async function encodedBytes(file: string, encoding: string): Promise<Buffer> {
  if (encoding === 'gzip' && file.endsWith(PACKED)) return readFile(file)
  return ENCODERS[encoding](await wholeBytes(file))
}

async function wholeBytes(file: string): Promise<Buffer> {
  const bytes = await readFile(file)
  return file.endsWith(PACKED) ? promisify(gunzip)(bytes) : bytes
}
