import { resolve } from 'node:path'
import type { BuildFailure, Plugin } from 'esbuild'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../scenario/fields/reading.ts'
import { readText } from './read-file.ts'

/** What a user imports from conclave is this very program, not a second copy of it. */
const conclave: Plugin = {
  name: 'conclave',
  setup({ onResolve }) {
    onResolve({ filter: /^conclave(\/|$)/ }, ({ path }) => ({
      path: import.meta.resolve(path),
      external: true,
    }))
  },
}

/** What a TypeScript file exports. It is translated without a type check, and run. */
export async function userModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  readText(path)
  const code = await translated(path)
  try {
    return await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
  } catch (error) {
    if (error instanceof UsageError) throw error.at(`${path}: ${error.where}`)
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(path, `a file that can be run is needed, but ${why}.`, 'Correct it.')
  }
}

/** A function of a user's, as a stack trace has it: `at Performer.ELECTION [as handle] (data:`. */
const USERS_FRAME = /^\s+at (?:[\w$. ]*?([\w$]+)(?: \[as .*?\])? \()?data:text\/javascript;/

/** The complaint about what somebody's own code threw; null where the mistake is not there. */
export function thrownByUsers(error: unknown): UsageError | null {
  // This program throws nothing but errors.
  if (!(error instanceof Error)) return badCode('the definition', quoted(error))
  const lines = (error.stack ?? '').split('\n')
  const frame = USERS_FRAME.exec(lines.find((line) => /^\s+at /.test(line)) ?? '')
  if (frame === null) return null
  const why = error.message.replace(/\s+/g, ' ')
  return badCode(`${frame[1] ?? 'something'} in the definition`, why)
}

function badCode(where: string, thrown: string): UsageError {
  const needed = 'code that can be run is needed'
  return new UsageError(where, `${needed}, but it threw: ${thrown}.`, 'Correct it.')
}

async function translated(path: string): Promise<Uint8Array> {
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
    throw new UsageError(
      where,
      `TypeScript is needed, but ${text.replace(/\.$/, '')}.`,
      'Correct it.',
    )
  }
}
