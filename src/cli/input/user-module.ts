import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { UsageError } from '../../core/index.ts'
import { readText } from './read-file.ts'

/** Whether own files are type-checked unless a caller decides otherwise. */
let typeChecks = true

/** Switches the type check of own files off or on, for the whole command. */
export function checkTypes(on: boolean): void {
  typeChecks = on
}

/** Whether own code may be running: the errors of other commands are never its fault. */
let used = false

interface ModuleOptions {
  /** Whether to check its types; otherwise as the command line says. */
  readonly types?: boolean
}

/**
 * The exports of a file in TypeScript or JavaScript. It is compiled and checked, unless the cache
 * has its code, and executed. A mistake in it is one `UsageError` with its place.
 */
export async function userModule(
  path: string,
  { types = typeChecks }: ModuleOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  readText(path)
  const [{ compiledFile }, { execute }] = await Promise.all([
    import('../../compiler/compiled-file.ts'),
    import('../../compiler/execution.ts'),
  ])
  used = true
  return execute(await compiledFile(realpathSync(resolve(path)), types))
}

/** The error for something that a user's code threw; null if it was thrown elsewhere. */
export async function thrownByUsers(
  error: unknown,
  file = 'your code',
): Promise<UsageError | null> {
  if (!used) return null
  const { thrownByOwnFile } = await import('../../compiler/execution.ts')
  return thrownByOwnFile(error, file)
}
