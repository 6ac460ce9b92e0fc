import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isatty } from 'node:tty'
import { UsageError } from '../core/usage-error.ts'

/** The files that were read last; thousands of runs on one network read it once per thread. */
const texts = new Map<string, string>()
const MOST_TEXTS = 8

/** The longest text that a string can hold; what is longer may as well have no end. */
const TEXT_LENGTH_MAX = 2 ** 29 - 2 ** 10
const CHUNK = 2 ** 20

/** Reads the files that scenarios name, as `file:links.txt`, in whichever thread a run happens. */
export function readInputFile(path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  if (texts.size === MOST_TEXTS) texts.clear()
  const text = readWhole(path)
  texts.set(path, text)
  return text
}

/** The text of a file that came with the jobs; files of this machine are none of their business. */
export function textIn(texts: Readonly<Record<string, string>>, path: string): string {
  if (Object.hasOwn(texts, path)) return texts[path]
  throw new UsageError('topology', `the file ${path} did not come with the jobs.`)
}

/** The text of a file or pipe. Devices, and what is too long, are refused before memory is full. */
export function readWhole(path: string): string {
  const file = openSync(path, 'r')
  try {
    const stat = fstatSync(file)
    if (stat.isBlockDevice() || (stat.isCharacterDevice() && !isatty(file)))
      throw problem('ENODEV', 'it is a device')
    const chunks: Buffer[] = []
    let size = 0
    for (;;) {
      const chunk = Buffer.allocUnsafe(stat.isFile() ? Math.min(stat.size + 1024, CHUNK) : CHUNK)
      const length = readSync(file, chunk)
      if (length === 0)
        return Buffer.concat(chunks)
          .toString('utf8')
          .replace(/^\uFEFF/, '')
      size += length
      if (size > TEXT_LENGTH_MAX) throw problem('EFBIG', 'it is too long, or has no end')
      chunks.push(chunk.subarray(0, length))
    }
  } finally {
    closeSync(file)
  }
}

/** An error as the file system reports it. */
function problem(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}
