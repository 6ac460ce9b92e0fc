import { readFileSync, realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILT } from '../core/built.ts'
import { hashOf } from './cache.ts'

/** The folder of this program: its own modules are not checked again. */
const PROGRAM = fileURLToPath(new URL('..', BUILT))

/**
 * The files that one compilation reads. Each is read once, so that the type check, the bundler and
 * the cache see the same content.
 */
export class SourceFiles {
  private readonly texts = new Map<string, string | undefined>()
  private readonly hashes = new Map<string, string>()

  read(path: string): string | undefined {
    if (!this.texts.has(path)) this.texts.set(path, this.readNow(path))
    return this.texts.get(path)
  }

  private readNow(path: string): string | undefined {
    try {
      // A device may have no end.
      if (!this.exists(path)) return undefined
      const content = readFileSync(path)
      this.hashes.set(path, hashOf(content))
      return content.toString('utf8').replace(/^\uFEFF/, '')
    } catch {
      return undefined
    }
  }

  exists(path: string): boolean {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  }

  hasFolder(path: string): boolean {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  }

  realPath(path: string): string {
    try {
      return realpathSync(path)
    } catch {
      return path
    }
  }

  /** The paths with the hashes of their contents; files of this program belong to its version. */
  inputs(paths: Iterable<string>): [path: string, hash: string][] {
    return [...new Set(paths)].flatMap((path) => {
      this.read(path)
      const hash = this.hashes.get(path)
      return hash === undefined || isOfProgram(path) ? [] : [[path, hash] as [string, string]]
    })
  }
}

/** Whether the user wrote this file: neither this program nor a package that is installed. */
export function isOwn(path: string): boolean {
  return !isOfProgram(path) && !path.split(/[\\/]/).includes('node_modules')
}

/** Whether the file belongs to this program. */
export function isOfProgram(path: string): boolean {
  return ['dist', 'src'].some((folder) => path.startsWith(`${PROGRAM}${folder}${sep}`))
}
