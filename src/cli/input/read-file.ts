import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { readWhole } from '../../jobs/input-files.ts'
import type { FieldLocator } from '../../scenario/index.ts'

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

/** Reads what a scenario names, as `file:links.txt`, for its network. */
export function networkFiles(where: FieldLocator): (path: string) => string {
  return (path) => readText(path, where('topology'))
}
