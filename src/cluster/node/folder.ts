import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; returns whether it was missing. Step by step: where nothing
 * can be made, as in /proc, `recursive` of Node 20 never returns.
 */
export function makeFolder(path: string, mode = 0o777): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false
  const above = dirname(path)
  if (!existsSync(above)) makeFolder(above, mode)
  mkdirSync(path, mode)
  return true
}
