import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Algorithm } from '../../core/language/algorithm.ts'
import { UsageError } from '../../core/usage-error.ts'
import { makeFolder } from './folder.ts'
import type { NodeOptions } from './node-options.ts'

/** What a file holds, as JSON. */
interface Stored {
  /** The algorithm and the number of nodes: other processes' files are refused. */
  readonly schema: string
  /** How often this node was started. */
  readonly starts: number
  /** The stable fields in hexadecimal digits; null before the first commit. */
  readonly fields: string | null
}

type StoredNode = Pick<NodeOptions, 'algorithm' | 'position' | 'n'>

/** What a process keeps in a folder. One that makes promises must not forget them. */
export function stableStorage(
  where: string,
  folder: string | undefined,
  node: StoredNode,
): Partial<NodeOptions> {
  const { name, needs, layout } = node.algorithm
  const remembers = Object.values(layout.own).some(({ stable }) => stable)
  if (folder !== undefined && !remembers)
    throw new UsageError(where, `${name} has nothing to remember.`, 'Leave it out.')
  if (folder === undefined && remembers && needs.time === 'clocks')
    throw new UsageError(
      where,
      `${name} makes promises, which a restarted process must still know.`,
      'Give a folder, the same one at every start.',
    )
  return folder === undefined ? {} : fileStorage(folder, node)
}

/**
 * Keeps the stable fields of one node in a file of a folder, which is created. Returns the options
 * that let a driver go on from there: each start is another incarnation.
 */
export function fileStorage(
  folder: string,
  { algorithm, position, n }: StoredNode,
): Required<Pick<NodeOptions, 'storage' | 'stored' | 'incarnation'>> {
  const file = join(folder, `${algorithm.name.replace(/\W+/g, '-')}-${position}.json`)
  const schema = schemaOf(algorithm, n)
  const before = read(file, schema)
  const starts = (before?.starts ?? 0) + 1
  const fields = before?.fields ?? null
  write(file, { schema, starts, fields })
  return {
    stored: fields === null ? null : Buffer.from(fields, 'hex'),
    incarnation: `${starts}-${randomBytes(8).toString('hex')}`,
    storage: {
      commit: (bytes) =>
        write(file, { schema, starts, fields: Buffer.from(bytes).toString('hex') }),
    },
  }
}

function schemaOf({ name, layout }: Algorithm, n: number): string {
  const stable = Object.entries(layout.own).filter(([, type]) => type.stable)
  return `${name} of ${n} nodes: ${stable.map(([field, type]) => `${field} ${type.schema}`).join()}`
}

function read(file: string, schema: string): Stored | null {
  const text = contents(file)
  if (text === null) return null
  const stored = parsed(text)
  if (stored?.schema === schema) return stored
  throw new UsageError(
    file,
    stored === null
      ? 'it does not hold the stable fields of a node.'
      : `it belongs to another algorithm or cluster: ${stored.schema}.`,
    'Use another folder, or remove it if its promises no longer matter.',
  )
}

function contents(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw unusable(file, error)
  }
}

function parsed(text: string): Stored | null {
  try {
    const { schema, starts, fields } = JSON.parse(text) as Stored
    const valid =
      typeof schema === 'string' &&
      Number.isSafeInteger(starts) &&
      (fields === null || /^([\da-f]{2})*$/.test(fields))
    return valid ? { schema, starts, fields } : null
  } catch {
    return null
  }
}

/** After a crash the old or the new contents are there, and nothing in between. */
function write(file: string, stored: Stored): void {
  const next = `${file}.new`
  try {
    makeFolder(dirname(file))
    const out = openSync(next, 'w')
    try {
      writeSync(out, `${JSON.stringify(stored)}\n`)
      fsyncSync(out)
    } finally {
      closeSync(out)
    }
    renameSync(next, file)
    syncFolder(dirname(file))
  } catch (error) {
    throw unusable(file, error)
  }
}

/** Windows cannot open folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function unusable(file: string, error: unknown): UsageError {
  return new UsageError(
    file,
    `stable fields cannot be kept there: ${(error as Error).message}.`,
    'Choose a folder that this process can write to.',
  )
}
