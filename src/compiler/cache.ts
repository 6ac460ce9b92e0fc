import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILT } from '../core/built.ts'
import type { CompiledFile } from './compiled-file.ts'
import { programVersion } from './public-modules.ts'

/** Changes whenever the layout of an entry does. */
const LAYOUT = 6
/** More entries than this are not kept; the ones that were used longest ago go first. */
const ENTRIES_MAX = 300

interface CacheEntry {
  readonly layout: number
  /** Every file that went into it, with the hash of its content. */
  readonly inputs: readonly (readonly [path: string, hash: string])[]
  readonly compiled: CompiledFile
}

/**
 * The compiled code of a file, if it and all files that it imports are as they were when this
 * program compiled them. Whatever is wrong with the cache, there is just nothing in it.
 */
export function readCache(path: string, types: boolean, covered: boolean): CompiledFile | null {
  try {
    const at = entryPath(path, covered)
    if (!isOurs(cacheFolder())) return null
    const { layout, inputs, compiled }: CacheEntry = JSON.parse(readFileSync(at, 'utf8'))
    if (layout !== LAYOUT || (types && !compiled.typed)) return null
    if (inputs.some(([input, hash]) => hashOf(readFileSync(input)) !== hash)) return null
    const now = new Date()
    utimesSync(at, now, now)
    return compiled
  } catch {
    return null
  }
}

/** Keeps compiled code for later processes, unless the folder cannot be written. */
export function writeCache(compiled: CompiledFile, inputs: CacheEntry['inputs']): void {
  const at = entryPath(compiled.path, compiled.coverage !== undefined)
  // A reader sees the whole entry or none, also while several processes write it.
  const unfinished = `${at}.${process.pid}.${hashOf(String(process.hrtime.bigint())).slice(0, 8)}`
  try {
    const entry: CacheEntry = { layout: LAYOUT, inputs, compiled }
    mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 })
    if (!isOurs(cacheFolder())) return
    writeFileSync(unfinished, JSON.stringify(entry), { mode: 0o600 })
    renameSync(unfinished, at)
    removeOldest()
  } catch {
    remove(unfinished)
  }
}

/** What cannot be removed was not written. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The folder is not one, or it is not ours.
  }
}

/** The user's cache folder, by the custom of the system. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  const windows = process.platform === 'win32' ? LOCALAPPDATA : undefined
  return join(XDG_CACHE_HOME || windows || join(homedir(), '.cache'), 'conclave')
}

/** Code of a folder that somebody else owns is never executed. */
function isOurs(folder: string): boolean {
  return process.getuid === undefined || statSync(folder).uid === process.getuid()
}

/**
 * One entry for each file, with coverage or without, program and version of Node. A build changes
 * the program's time.
 */
function entryPath(path: string, covered: boolean): string {
  const program = fileURLToPath(new URL('index.js', BUILT))
  const [node] = process.versions.node.split('.')
  const parts = [
    path,
    program,
    String(statSync(program).mtimeMs),
    programVersion(),
    node,
    String(covered),
  ]
  return join(cacheFolder(), `${hashOf(parts.join('\0')).slice(0, 32)}.json`)
}

/** A name for the content of a file. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function removeOldest(): void {
  const entries = readdirSync(cacheFolder()).map((name) => join(cacheFolder(), name))
  if (entries.length <= ENTRIES_MAX) return
  const used = entries.map((path) => ({ path, at: statSync(path).mtimeMs }))
  used.sort((a, b) => a.at - b.at)
  for (const { path } of used.slice(0, entries.length - ENTRIES_MAX)) remove(path)
}
