import { resolve } from 'node:path'
import type { BuildFailure, Plugin } from 'esbuild'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { readText } from './read-file.ts'

/** Imports of conclave in a user's file resolve to this program, not to a second copy. */
const conclave: Plugin = {
  name: 'conclave',
  setup({ onResolve }) {
    onResolve({ filter: /^conclave(\/|$)/ }, ({ path }) => ({
      path: import.meta.resolve(path),
      external: true,
    }))
  },
}

/** The exports of a TypeScript file, which is compiled without a type check and executed. */
export async function userModule(
  path: string,
  _options: { readonly types?: boolean } = {},
): Promise<Readonly<Record<string, unknown>>> {
  readText(path)
  const code = await compiled(path)
  try {
    // Stack traces contain the address, and so the path of the file.
    const type = `text/javascript;file=${encodeURIComponent(path)}`
    return await import(`data:${type};base64,${Buffer.from(code).toString('base64')}`)
  } catch (error) {
    if (isUsageError(error))
      throw new UsageError(`${path}: ${error.where}`, error.problem, error.hint)
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      path,
      `the file cannot be executed: ${why}.`,
      error instanceof ReferenceError ? "Import it, for example from 'conclave'." : 'Correct it.',
    )
  }
}

/** Also where the file has imported another copy of this program, as tests of sources do. */
function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && error.name === 'UsageError'
}

/** A function of a user in a stack trace: `at HandlerRunner.ELECTION [as handle] (data:`. */
const USERS_FRAME =
  /^\s+at (?:[\w$. ]*?([\w$]+)(?: \[as .*?\])? \()?data:text\/javascript;file=([^;]*);/

/**
 * The error for something that a user's code threw; null if it was thrown elsewhere. A value that
 * is no error has no stack trace: `file` is then the place.
 */
export function thrownByUsers(error: unknown, file = 'your code'): UsageError | null {
  // This program throws only errors.
  if (!(error instanceof Error))
    return new UsageError(file, `the definition threw ${quoted(error)}.`)
  const lines = (error.stack ?? '').split('\n')
  const frame = USERS_FRAME.exec(lines.find((line) => /^\s+at /.test(line)) ?? '')
  if (frame === null) return null
  const [, name, path] = frame
  const why = error.message.replace(/\s+/g, ' ')
  return new UsageError(decodeURIComponent(path), `${inWords(name)} threw ${quoted(why)}.`)
}

/** A function of a definition: messages and timers are in capitals. */
function inWords(name: string | undefined): string {
  if (name === undefined) return 'the definition'
  return /^[A-Z]/.test(name) ? `the handler of ${name}` : name
}

async function compiled(path: string): Promise<Uint8Array> {
  const { build } = await import('esbuild')
  try {
    const { outputFiles } = await build({
      entryPoints: [resolve(path)],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
      plugins: [conclave],
    })
    return outputFiles[0].contents
  } catch (error) {
    const [first] = (error as Partial<BuildFailure>).errors ?? []
    if (first === undefined) throw error
    const { location, text } = first
    const where = location ? `${path}:${location.line}:${location.column + 1}` : path
    const [, missing] = /^Could not resolve "(.*)"/.exec(text) ?? []
    if (missing !== undefined) throw importError(where, missing)
    throw new UsageError(where, `syntax error: ${text.replace(/\.$/, '')}.`, 'Correct it.')
  }
}

function importError(where: string, missing: string): UsageError {
  const isFile = /^[./]/.test(missing)
  const hint = isFile ? 'Check the path.' : `Check the name, or run npm install ${missing}.`
  return new UsageError(where, `cannot import ${quoted(missing)}.`, hint)
}
