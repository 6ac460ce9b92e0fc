import { realpathSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import type { BuildFailure, Plugin } from 'esbuild'
import type { CompiledFile } from '../../compiler/compiled-file.ts'
import { publicModules } from '../../compiler/public-modules.ts'
import { quoted } from '../../core/text-format.ts'
import { UsageError } from '../../core/usage-error.ts'
import { NoElection } from '../../experiment/grade/findings.ts'
import * as language from '../../problems/index.ts'
import { asScript, PARAMETER, SCRIPT_SETTINGS } from '../own-code/script.ts'

/** What a graded file can import from `conclave`: the algorithm language, not the catalogue. */
const OFFERED: readonly string[] = Object.keys(language)

/**
 * Bundles a file with what it imports, and checks its types. Only `conclave` and, where there is a
 * `root`, files in that folder can be imported: everything else is refused with its place. No code
 * of the file runs. The result is a function of what `conclave` offers, which returns the exports.
 */
export async function gradedScript(
  path: string,
  root: string | null,
  types: boolean,
): Promise<CompiledFile> {
  const [{ build }, { compiledFile }] = await Promise.all([
    import('esbuild'),
    import('../../compiler/compiled-file.ts'),
  ])
  await refuseImports(build, path, root)
  const compiled = await compiledFile(realpathSync(resolve(path)), types)
  return asScript(compiled, [imports(null)])
}

/** Refuses imports and modules that are loaded later, each with its place. */
async function refuseImports(
  build: typeof import('esbuild').build,
  path: string,
  root: string | null,
): Promise<void> {
  const folder = dirname(resolve(path))
  try {
    const { outputFiles } = await build({
      ...SCRIPT_SETTINGS,
      entryPoints: [resolve(path)],
      absWorkingDir: folder,
      plugins: [imports(root)],
    })
    for (const file of outputFiles) if (!file.path.endsWith('.map')) refuseRequire(file.text, path)
  } catch (error) {
    const [first] = (error as Partial<BuildFailure>).errors ?? []
    if (first === undefined) throw error
    const { location, text } = first
    // A file beside the graded one keeps its own name.
    const file = location ? shown(resolve(folder, location.file), path) : path
    const where = location ? `${file}:${location.line}:${location.column + 1}` : file
    const problem = problemOf(where, text)
    // The compiler describes all others better.
    if (problem !== null) throw problem
  }
}

/** The path of a file as the user would write it, given how he wrote that of another. */
function shown(file: string, path: string): string {
  return file === resolve(path) ? path : relative('', file)
}

/** Marks our own words among the messages of esbuild. */
const REFUSED = 'refused: '

function imports(root: string | null): Plugin {
  const inside = (file: string) =>
    root !== null && real(file).startsWith(real(root).replace(/[/\\]$/, '') + sep)
  const address = publicModules().find(({ name }) => name === 'conclave')!.code
  return {
    name: 'imports',
    setup({ onResolve, onLoad, resolve: find }) {
      onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind === 'entry-point' || pluginData === 'found') return undefined
        if (kind !== 'import-statement') return refusal(kind, path)
        if (path === 'conclave' || path === address) return { path, namespace: 'conclave' }
        if (!/^\.\.?(\/|$)/.test(path)) return refusal(kind, path)
        const found = await find(path, { kind, resolveDir, pluginData: 'found' })
        if (found.errors.length > 0) return { errors: [{ text: `Could not resolve "${path}"` }] }
        if (inside(found.path)) return { path: found.path }
        const why =
          root === null
            ? `imports ${quoted(path)}, but files that are graded side by side stand alone`
            : `imports ${quoted(path)}, which lies outside of its folder`
        return { errors: [{ text: `${REFUSED}${why}` }] }
      })
      onLoad({ filter: /.*/, namespace: 'conclave' }, () => ({
        contents: `export const { ${OFFERED.join(', ')} } = ${PARAMETER}`,
      }))
    },
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function refusal(kind: string, path: string) {
  const how = { 'require-call': 'calls require for', 'dynamic-import': 'loads' }[kind] ?? 'imports'
  return { errors: [{ text: `${REFUSED}${how} ${quoted(path)}` }] }
}

const ONLY = 'A graded file can import only conclave.'

/** The error in our words; null for mistakes that are none of imports. */
function problemOf(where: string, text: string): UsageError | null {
  if (text.startsWith(REFUSED))
    return new UsageError(where, `the file ${text.slice(REFUSED.length)}.`, ONLY)
  const [, name] = /^No matching export in "conclave:.*" for import "(.*)"/.exec(text) ?? []
  if (name === 'gossip') return new NoElection(where, 'gossip makes an aggregation.')
  if (name !== undefined)
    return new UsageError(
      where,
      `${name} is not part of the algorithm language.`,
      'A graded file can import only that from conclave, see docs/language.md.',
    ).withCandidates(name, OFFERED)
  if (text.startsWith('Top-level await'))
    return new UsageError(where, 'await is not possible in an algorithm.', 'Leave it out.')
  return null
}

/** Calls with a computed name: the bundler keeps them, and nothing could answer them. */
function refuseRequire(code: string, path: string): void {
  if (!/^ {2}var __require =/m.test(code)) return
  throw new UsageError(path, 'the file loads modules at run time (import() or require).', ONLY)
}
