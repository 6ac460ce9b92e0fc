import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Complaint } from '../core/index.ts'

/** The text of a file, or a complaint that says why it cannot be read. */
export function readText(path: string, where = path): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Complaint(where, 'a readable file is needed', reason(error, path), 'Check the path.')
  }
}

/** Writes a file as a whole or not at all. */
export function writeWhole(path: string, content: string, where: string): void {
  const partial = `${path}.partial-${process.pid}`
  try {
    writeFileSync(partial, content)
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw new Complaint(where, 'a writable file is needed', reason(error, path), 'Check the path.')
  }
}

/** A JSON object out of a file, or a complaint that says what is wrong with it. */
export function readJsonObject(path: string): Record<string, unknown> {
  const text = readText(path)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch (error) {
    throw new Complaint(
      path,
      'a JSON document is needed',
      `it does not parse (${(error as Error).message.replace(/\s+/g, ' ')})`,
      'Correct it, or write it anew.',
    )
  }
  throw new Complaint(path, 'a JSON object is needed', 'it is something else', 'Write { ... }.')
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
