import {
  closeSync,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { makeFolder } from '../../cluster/node/folder.ts'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { creationProblem, isFull } from '../input/read-file.ts'

/** Characters that are buffered before they are written. */
const CHUNK = 1 << 16

/** What each flag writes: the name of the format, and endings of files in it. */
const FORMATS: Readonly<Record<string, readonly [format: string, ...endings: string[]]>> = {
  '--svg': ['SVG', 'svg'],
  '--html': ['HTML', 'html', 'htm'],
  '--export': ['HTML', 'html', 'htm'],
  '--csv': ['CSV', 'csv', 'tsv'],
  '--trace': ['lines of JSON', 'jsonl', 'json'],
}
/** Endings of files that other programs open by their ending. */
const ENDINGS = [
  ...Object.values(FORMATS).flatMap(([, ...endings]) => endings),
  ...'png gif jpg jpeg webp avif bmp tif tiff ico eps ps pdf mp4 webm mov'.split(' '),
  ...'xls xlsx ods doc docx odt md tex zip ts js'.split(' '),
]

/** A file whose ending promises another format than the flag writes. */
function refuseOtherFormat(path: string, where: string): void {
  if (!Object.hasOwn(FORMATS, where)) return
  const [format, ...own] = FORMATS[where]
  const ending = extname(path)
  const bare = ending.slice(1).toLowerCase()
  if (!ENDINGS.includes(bare) || own.includes(bare)) return
  throw new UsageError(
    where,
    `${path} would not be a ${ending} file: ${where} writes ${format}.`,
    `Write ${path.slice(0, -ending.length)}.${own[0]}.`,
  )
}

/**
 * A file that is written atomically: into a file beside it, which is renamed at the end. It is
 * opened at once, so that a path that cannot be written is refused before a long run.
 */
export class OutputFile {
  private readonly target: string
  private readonly partial: string
  private readonly descriptor: number
  private buffer = ''
  private open = true

  constructor(
    private readonly path: string,
    private readonly where: string,
  ) {
    if (path === '' || path === '-') {
      throw new UsageError(
        where,
        `${quoted(path)} is not the name of a file.`,
        'Write for example run.svg.',
      )
    }
    refuseOtherFormat(path, where)
    try {
      const kind = statSync(path, { throwIfNoEntry: false })
      if (kind?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
      // A link stays a link. Devices and pipes are written directly: a rename would replace them.
      this.target = kind?.isFile() ? realpathSync(path) : path
      const ordinary = kind === undefined || kind.isFile()
      this.partial = ordinary ? `${this.target}.partial-${process.pid}` : this.target
      this.descriptor = openSync(this.partial, 'w')
    } catch (error) {
      throw this.unwritable(error)
    }
  }

  write(content: string | Uint8Array): void {
    if (typeof content === 'string') this.buffer += content
    else this.flush(content)
    if (this.buffer.length >= CHUNK) this.flush()
  }

  /** Renames the file to its final path. */
  keep(): void {
    this.flush()
    this.close()
    try {
      if (this.partial !== this.target) renameSync(this.partial, this.target)
    } catch (error) {
      rmSync(this.partial, { force: true })
      throw this.unwritable(error)
    }
  }

  /** Removes the partial file, unless it was kept. */
  drop(): void {
    if (!this.open) return
    this.close()
    if (this.partial !== this.target) rmSync(this.partial, { force: true })
  }

  private flush(bytes: Uint8Array = new Uint8Array()): void {
    try {
      writeFileSync(this.descriptor, this.buffer)
      writeFileSync(this.descriptor, bytes)
    } catch (error) {
      this.drop()
      throw this.unwritable(error)
    }
    this.buffer = ''
  }

  private close(): void {
    this.open = false
    closeSync(this.descriptor)
  }

  private unwritable(error: unknown): UsageError {
    const why = creationProblem(this.path, error)
    const remedy = isFull(error)
      ? 'It is not saved; a former file of that name is unchanged. Make room, then try again.'
      : 'Check the path.'
    return new UsageError(this.where, `${this.path} cannot be written: ${why}.`, remedy)
  }
}

/** Throws if a file cannot be written, before the work that it is for. */
export function refuseUnwritable(path: string | undefined, where: string): void {
  if (path !== undefined) new OutputFile(path, where).drop()
}

/** Makes the folder of a flag; returns the topmost folder that was missing, or null. */
export function makeOutputFolder(path: string, where: string): string | null {
  let missing: string | null = existsSync(path) ? null : path
  while (missing !== null && !existsSync(dirname(missing))) missing = dirname(missing)
  try {
    makeFolder(path)
    return missing
  } catch (error) {
    throw new UsageError(
      where,
      `the folder ${quoted(path)} cannot be created: ${creationProblem(path, error)}.`,
      'Name another folder.',
    )
  }
}

/** Throws if files cannot be written into a folder, before the work that they are for. */
export function refuseUnwritableFolder(path: string | undefined, where: string): void {
  if (path !== undefined) writeFolder(path, { '.conclave': '' }, where, true)
}

/** Writes files into a folder: all of them, or none. With `drop` it only tries. */
export function writeFolder(
  path: string,
  files: Readonly<Record<string, string>>,
  where: string,
  drop = false,
): void {
  const missing = makeOutputFolder(path, where)
  const added: string[] = []
  let kept = false
  try {
    for (const [name, content] of Object.entries(files)) {
      const file = join(path, name)
      if (!existsSync(file)) added.push(file)
      writeWhole(file, content, where)
    }
    kept = !drop
  } finally {
    if (!kept) for (const file of added) rmSync(file, { force: true })
    if (!kept && missing !== null) rmSync(missing, { recursive: true, force: true })
  }
}

export function refuseOneFile(trace: string | undefined, svg: string | undefined): void {
  if (trace === undefined || trace !== svg) return
  throw new UsageError(
    '--svg',
    `the diagram cannot be written to ${trace}, which is the file of --trace.`,
    'Choose another file.',
  )
}

/** Steps are for people. */
export function refuseJsonSteps(step: true | undefined, json: true | undefined): void {
  if (!step || !json) return
  throw new UsageError('--step', 'cannot be combined with --json.', 'Leave one of them out.')
}

export function writeWhole(path: string, content: string | Uint8Array, where: string): void {
  const file = new OutputFile(path, where)
  file.write(content)
  file.keep()
}
