import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { fileProblem, readText } from '../input/read-file.ts'
import { isCode, ownFile } from '../input/user-algorithm.ts'

/** One file to grade. */
export interface Submission {
  /** As the user wrote it, or found in the folder that he wrote. */
  readonly file: string
  /** The export that is meant, if one was named. */
  readonly wanted: string | null
  /** The folder that its relative imports may reach; null if it must stand alone. */
  readonly root: string | null
}

/**
 * The files to grade. In a folder these are its code files and, for each folder in it, the code
 * files there that no other file of that folder imports: a submission of several files is a folder
 * of its own. Files that stand side by side may not import each other.
 */
export function submissionsIn(paths: readonly string[]): Submission[] {
  const references = [...new Set(paths.flatMap(filesOf))].map((reference) => ownFile(reference))
  const folders = references.map(({ path }) => resolve(dirname(path)) + sep)
  return references.map(({ path: file, wanted = null }, i) => {
    const alone = references.every(
      ({ path }, j) => path === file || !folders[j].startsWith(folders[i]),
    )
    return { file, wanted, root: alone ? dirname(file) : null }
  })
}

function filesOf(path: string): string[] {
  const kind = kindOf(path)
  if (kind === 'file') {
    if (isCode(path)) return [path]
    throw new UsageError(
      'grade',
      `${quoted(path)} is not a TypeScript file.`,
      'For algorithms of the catalogue use conclave check and conclave experiment.',
    )
  }
  const found = [
    ...codeFiles(path),
    ...foldersIn(path).flatMap((folder) => entriesOf(codeFiles(folder))),
  ]
  if (found.length > 0) return found
  throw new UsageError(
    'grade',
    `the folder ${path} holds no TypeScript or JavaScript files.`,
    'Give the folder in which the files or the folders of the students lie.',
  )
}

function kindOf(path: string): 'file' | 'folder' {
  try {
    const stat = statSync(isCode(path) ? ownFile(path).path : path)
    if (isCode(path) && stat.isCharacterDevice())
      throw Object.assign(new Error(), { code: 'ENODEV' })
    return stat.isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (isCode(path) || /[/\\]/.test(path))
      throw new UsageError(
        path,
        `this file cannot be read: ${fileProblem(error)}.`,
        'Check the path.',
      )
    return 'file'
  }
}

function codeFiles(folder: string): string[] {
  return entries(folder)
    .filter((entry) => entry.isFile() && isDefinition(entry.name))
    .map(({ name }) => join(folder, name))
}

/** Declarations, tests and settings of tools define no algorithm. */
function isDefinition(name: string): boolean {
  return isCode(name) && !/(\.d|\.test|\.spec|\.config)\.[mc]?[tj]s$|^\./.test(name)
}

function foldersIn(folder: string): string[] {
  return entries(folder)
    .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
    .map(({ name }) => join(folder, name))
}

function entries(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The files that no other imports; all, if they import each other in a circle. */
function entriesOf(files: readonly string[]): readonly string[] {
  const imported = new Set(
    files.flatMap((file) =>
      [...readText(file).matchAll(/from\s*['"](\.\/[^'"]+)['"]/g)].map(([, name]) =>
        bare(resolve(dirname(file), name)),
      ),
    ),
  )
  const free = files.filter((file) => !imported.has(bare(resolve(file))))
  return free.length > 0 ? free : files
}

function bare(path: string): string {
  return path.replace(/\.[mc]?[tj]s$/, '')
}

/** What a file is called in a table: its path below the folder that all share. */
export function shortNames(files: readonly string[]): string[] {
  if (files.length < 2) return [...files]
  const parts = files.map((file) => resolve(file).split(sep))
  let shared = 0
  while (parts.every((one) => one.length > shared + 1 && one[shared] === parts[0][shared])) shared++
  return parts.map((one) => one.slice(shared).join('/'))
}
