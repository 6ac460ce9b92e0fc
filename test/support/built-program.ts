import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The built command, to be started as a process of its own. */
export const PROGRAM = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

/** The JSON that the command prints as a process. */
export async function processJson<T>(...words: string[]): Promise<T> {
  const command = [PROGRAM, ...words, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, command)
  return JSON.parse(stdout)
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
