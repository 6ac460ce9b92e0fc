import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BuildFailure, Plugin } from 'esbuild'
import type { CompiledFile, MappedCode } from '../../compiler/compiled-file.ts'
import { type PublicModule, publicModules } from '../../compiler/public-modules.ts'
import { shownPath } from '../../compiler/source-place.ts'
import { quoted } from '../../core/text-format.ts'
import { UsageError } from '../../core/usage-error.ts'
import { isRecord } from '../../trace/check-options-text.ts'
import { ownFile } from '../input/user-algorithm.ts'
import { asScript, PARAMETER } from './script.ts'

/** What code on other machines gets of `conclave`. */
const OFFERED = ['conclave', 'conclave/algorithms', 'conclave/engines']

/** Stands for a bundle where each job brings its own code, which is confined there. */
export const CODE_IN_JOBS: Uint8Array = Buffer.from('{"files":[]}')

/** An own file for other machines. */
export interface TravellingFile extends MappedCode {
  /** The absolute path on the machine of the caller: the name of the module. */
  readonly path: string
  /** The path in errors. */
  readonly shown: string
  /** The modules of `conclave` that it imports. */
  readonly modules: readonly string[]
}

/**
 * Own files with all that they import, as one file for other machines. The references are paths,
 * perhaps with the name of an export. Places in errors are shown as they are here.
 */
export async function bundledCode(references: readonly string[]): Promise<Uint8Array> {
  const { compiledFile } = await import('../../compiler/compiled-file.ts')
  const paths = new Set(references.map((one) => resolve(ownFile(one).path)))
  const files: TravellingFile[] = []
  for (const path of [...paths].toSorted()) {
    // The types have been checked by the command, if at all.
    const compiled = await compiledFile(realpathSync(path), false)
    files.push(await travelling(path, compiled))
  }
  return Buffer.from(JSON.stringify({ files }))
}

async function travelling(path: string, compiled: CompiledFile): Promise<TravellingFile> {
  const modules = new Set<string>()
  const offered = await Promise.all(
    publicModules()
      .filter(({ name }) => OFFERED.includes(name))
      .map(async (one) => ({ ...one, exports: Object.keys(await offeredOf(one)) })),
  )
  try {
    const script = await asScript(compiled, [conclaveOf(offered, modules)])
    const { code, mappings, sources } = script
    return {
      path,
      shown: shownPath(path),
      modules: [...modules].toSorted(),
      code,
      mappings,
      sources: sources.map((source) => ({ ...source, path: shownPath(source.path) })),
    }
  } catch (error) {
    const [first] = (error as Partial<BuildFailure>).errors ?? []
    if (first === undefined) throw error
    throw new UsageError(
      shownPath(path),
      `${first.text.replace(/\.$/, '')}.`,
      'Code for workers can import conclave, own files and packages without Node.js.',
    )
  }
}

interface OfferedModule {
  readonly name: string
  readonly code: string
  readonly exports: readonly string[]
}

/** Imports of `conclave` become parts of the parameter; nothing else can be imported any more. */
function conclaveOf(offered: readonly OfferedModule[], used: Set<string>): Plugin {
  const byAddress = new Map(offered.map((module) => [module.code, module]))
  const names = new Map(publicModules().map(({ name, code }) => [code, name]))
  return {
    name: 'conclave',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined
        if (kind === 'import-statement' && byAddress.has(path))
          return { path, namespace: 'offered' }
        const name = names.get(path) ?? path
        return { errors: [{ text: `it imports ${quoted(name)}, which workers do not offer` }] }
      })
      onLoad({ filter: /.*/, namespace: 'offered' }, ({ path }) => {
        const { name, exports } = byAddress.get(path)!
        used.add(name)
        return {
          contents: `export const { ${exports.join(', ')} } = ${PARAMETER}[${JSON.stringify(name)}]`,
        }
      })
    },
  }
}

/** What a module of `conclave` exports, but for all that opens connections. */
async function offeredOf({ name, code }: PublicModule): Promise<Readonly<Record<string, unknown>>> {
  const [exported, withheld] = await Promise.all([
    import(code),
    name === 'conclave/engines' ? import('../../cluster/index.ts') : { join: true },
  ])
  return Object.fromEntries(Object.entries(exported).filter(([one]) => !(one in withheld)))
}

/** What the scripts are given: the modules of this program that they import. */
export async function offeredModules(
  files: readonly TravellingFile[],
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
  const used = new Set(files.flatMap(({ modules }) => modules))
  const offered = publicModules().filter(({ name }) => used.has(name))
  const entries = await Promise.all(
    offered.map(async (one) => [one.name, await offeredOf(one)] as const),
  )
  return Object.fromEntries(entries)
}

/** Reads such a file, which may have come from anybody. */
export function readCodeBundle(bytes: Uint8Array): TravellingFile[] {
  const refused = new UsageError('code', 'The code of this study cannot be read.')
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes).toString())
  } catch {
    throw refused
  }
  const files = isRecord(value) && Array.isArray(value.files) ? value.files : []
  if (files.length === 0 || !files.every(isTravellingFile)) throw refused
  return files
}

function isTravellingFile(value: unknown): value is TravellingFile {
  if (!isRecord(value)) return false
  const { path, shown, code, mappings, modules, sources } = value
  return (
    [path, shown, code, mappings].every((one) => typeof one === 'string') &&
    Array.isArray(modules) &&
    modules.every((one) => OFFERED.includes(one)) &&
    Array.isArray(sources) &&
    sources.every(
      (one) =>
        isRecord(one) &&
        typeof one.path === 'string' &&
        typeof one.text === 'string' &&
        Array.isArray(one.insertions),
    )
  )
}
