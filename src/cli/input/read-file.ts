import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { readWhole } from '../../jobs/input-files.ts'
import { parseJsonDocument } from '../../scenario/json-document.ts'

/** The text of a file, or an error that says why it cannot be read. */
export function readText(path: string, where = path): string {
  try {
    return readWhole(path)
  } catch (error) {
    const subject = where === path ? 'this file' : path
    throw new UsageError(
      where,
      `${subject} cannot be read: ${fileProblem(error)}.`,
      'Check the path.',
    )
  }
}

/** The JSON object in a file, which may have comments. */
export function readJsonObject(path: string): Record<string, unknown> {
  const value = parseJsonDocument(readText(path), path)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  const found = Array.isArray(value) ? 'an array' : quoted(value)
  throw new UsageError(
    path,
    `expected a JSON object, got ${found}.`,
    'Write for example {"algorithm": "lcr"}.',
  )
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  EPERM: 'the system does not permit it',
  ENOTDIR: 'a part of its path is not a folder',
  ENODEV: 'it is a device',
  EFBIG: 'it is too long, or has no end',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the file system is read-only',
}

/** Whether there is no room for what is to be written. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Why a file or a folder cannot be created. */
export function creationProblem(path: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  const folder = dirname(path)
  if (path === '') return 'it has no name'
  if (code === 'EEXIST') return 'it is not a folder'
  if (code !== 'ENOENT') return fileProblem(error)
  return existsSync(folder)
    ? `nothing can be created in ${folder}`
    : `the folder ${folder} does not exist`
}

/** Why the file system refuses a file. */
export function fileProblem(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException
  return PROBLEMS[code] ?? `the system reports ${code}`
}
