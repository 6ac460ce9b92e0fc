import {
  closeSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../scenario/fields/reading.ts'

/** The text of a file, or a complaint that says why it cannot be read. */
export function readText(path: string, where = path): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw new UsageError(
      where,
      `a readable file is needed, but ${reason(error, path)}.`,
      'Check the path.',
    )
  }
}

/** Characters that are gathered before the disk is bothered. */
const CHUNK = 1 << 16

/**
 * A file that appears as a whole or not at all: it is written beside its place and moved there in
 * the end. It is opened at once, so that a long run does not begin in vain.
 */
export class OutputFile {
  private readonly place: string
  private readonly partial: string
  private readonly descriptor: number
  private waiting = ''
  private open = true

  constructor(
    private readonly path: string,
    private readonly where: string,
  ) {
    if (path === '' || path === '-') {
      throw new UsageError(
        where,
        `the name of a file is needed, but "${path}" was given.`,
        'Name one.',
      )
    }
    try {
      const kind = statSync(path, { throwIfNoEntry: false })
      if (kind?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
      // A link stays a link. A device or a pipe is written into; moving a file there replaces it.
      this.place = kind?.isFile() ? realpathSync(path) : path
      const ordinary = kind === undefined || kind.isFile()
      this.partial = ordinary ? `${this.place}.partial-${process.pid}` : this.place
      this.descriptor = openSync(this.partial, 'w')
    } catch (error) {
      throw this.complaint(error)
    }
  }

  write(content: string | Uint8Array): void {
    if (typeof content === 'string') this.waiting += content
    else this.flush(content)
    if (this.waiting.length >= CHUNK) this.flush()
  }

  /** Puts the file in its place. */
  keep(): void {
    this.flush()
    this.close()
    try {
      if (this.partial !== this.place) renameSync(this.partial, this.place)
    } catch (error) {
      throw this.complaint(error)
    }
  }

  /** Leaves nothing of it, unless it was kept. */
  drop(): void {
    if (!this.open) return
    this.close()
    if (this.partial !== this.place) rmSync(this.partial, { force: true })
  }

  private flush(bytes: Uint8Array = new Uint8Array()): void {
    try {
      writeFileSync(this.descriptor, this.waiting)
      writeFileSync(this.descriptor, bytes)
    } catch (error) {
      this.drop()
      throw this.complaint(error)
    }
    this.waiting = ''
  }

  private close(): void {
    this.open = false
    closeSync(this.descriptor)
  }

  private complaint(error: unknown): UsageError {
    const { path } = this
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const given = missing ? `the folder ${dirname(path)} does not exist` : reason(error, path)
    return new UsageError(this.where, `a writable file is needed, but ${given}.`, 'Check the path.')
  }
}

/** Complains now if a file cannot be written later. */
export function refuseUnwritable(path: string | undefined, where: string): void {
  if (path !== undefined) new OutputFile(path, where).drop()
}

export function refuseOneFile(trace: string | undefined, svg: string | undefined): void {
  if (trace === undefined || trace !== svg) return
  throw new UsageError(
    '--svg',
    `the diagram needs a file of its own, but ${trace} is the file of --trace too.`,
    'Name another file.',
  )
}

export function writeWhole(path: string, content: string | Uint8Array, where: string): void {
  const file = new OutputFile(path, where)
  file.write(content)
  file.keep()
}

/** A JSON object out of a file, or a complaint that says what is wrong with it. */
export function readJsonObject(path: string): Record<string, unknown> {
  const value = parsed(readText(path), path)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  const given = Array.isArray(value) ? 'it holds an array' : `it holds ${quoted(value)}`
  throw new UsageError(
    path,
    `a JSON object is needed, but ${given}.`,
    'Write {"algorithm": "lcr"}.',
  )
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = (error as Error).message.replace(/\s+/g, ' ')
    const given = text.trim() === '' ? 'it is empty' : `it does not parse (${why})`
    throw new UsageError(
      path,
      `a JSON document is needed, but ${given}.`,
      'Correct it, or write it anew.',
    )
  }
}

function reason(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException
  const words: Record<string, string> = {
    ENOENT: 'does not exist',
    EISDIR: 'is a folder',
    EACCES: 'may not be touched',
    ENOTDIR: 'lies under something that is no folder',
  }
  return `${path} ${words[code ?? ''] ?? `cannot be used (${code})`}`
}
