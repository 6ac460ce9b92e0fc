import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program in the folders of the environment's PATH, or null. */
export function onPath(name: string, env: Readonly<NodeJS.ProcessEnv>): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}
