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

/** Loads the module of an absolute path; null if it has none. */
type ModuleSource = (path: string) => Promise<Readonly<Record<string, unknown>>> | null

/** Where modules come from in place of files. */
let provided: ModuleSource = () => null

/** Takes modules from elsewhere: the code of another machine is not in files of this one. */
export function provideModules(source: ModuleSource): void {
  provided = source
}

/** Whether an absolute path names a module from elsewhere. */
function isProvided(path: string): boolean {
  return provided(path) !== null
}

/** Refuses a path that has neither a module nor a file. */
export function refuseMissing(path: string, where: string): void {
  if (!isProvided(resolve(path))) readText(path, where)
}

interface ModuleOptions {
  /** Whether to check its types; otherwise as the command line says. */
  readonly types?: boolean
  /** Whether its code is to tell which of it runs. */
  readonly covered?: boolean
}

/**
 * The exports of a file in TypeScript or JavaScript. It is compiled and checked, unless the cache
 * has its code, and executed. A mistake in it is one `UsageError` with its place.
 */
export async function userModule(
  path: string,
  { types = typeChecks, covered = false }: ModuleOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const module = provided(resolve(path))
  if (module !== null) {
    used = true
    return module
  }
  readText(path)
  const [{ compiledFile }, { executeCompiled }] = await Promise.all([
    import('../../compiler/compiled-file.ts'),
    import('../../compiler/execution.ts'),
  ])
  used = true
  const real = realpathSync(resolve(path))
  const compiled = await compiledFile(real, types, covered)
  if (compiled.coverage === undefined) return executeCompiled(compiled)
  const { withCoverage } = await import('../../compiler/coverage/code-coverage.ts')
  return withCoverage(compiled, compiled.coverage, () => executeCompiled(compiled))
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
