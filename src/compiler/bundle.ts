import { dirname, extname, resolve } from 'node:path'
import type { BuildFailure, Loader, Plugin } from 'esbuild'
import { quoted } from '../core/text-format.ts'
import { suggestionFor, UsageError } from '../core/usage-error.ts'

import { publicModules } from './public-modules.ts'
import { isOwn, type SourceFiles } from './source-files.ts'
import { placeIn, shownPath, usageErrorAt } from './source-place.ts'

/** A file and what it imports as one module of JavaScript. */
export interface Bundle {
  readonly code: string
  /** The `mappings` of its source map, and the files that they count. */
  readonly mappings: string
  readonly sources: readonly string[]
  /** All files that went into it, packages too. */
  readonly inputs: readonly string[]
}

/**
 * Bundles a file with the files that it imports. `conclave` stays outside: it is this program, not
 * a second copy. `prepared` gives the text of an own file, which it may change within its lines.
 */
export async function bundled(
  path: string,
  files: SourceFiles,
  prepared: (path: string, text: string) => string,
  banner: string,
): Promise<Bundle> {
  const { build } = await import('esbuild')
  const folder = dirname(path)
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [path],
      absWorkingDir: folder,
      bundle: true,
      write: false,
      metafile: true,
      outfile: 'bundle.js',
      sourcemap: 'external',
      sourcesContent: false,
      banner: { js: banner },
      format: 'esm',
      platform: 'node',
      target: 'node20',
      charset: 'utf8',
      // The options of a tsconfig.json nearby do not count in the type check either.
      tsconfigRaw: {},
      logLevel: 'silent',
      plugins: [conclave, ownText(files, prepared)],
    })
    const [map, code] = outputFiles[0].path.endsWith('.map')
      ? outputFiles
      : [outputFiles[1], outputFiles[0]]
    const { mappings, sources } = JSON.parse(map.text) as { mappings: string; sources: string[] }
    return {
      code: code.text,
      mappings,
      sources: sources.map((name) => resolve(folder, name)),
      inputs: Object.keys(metafile.inputs).map((name) => resolve(folder, name)),
    }
  } catch (error) {
    const [first] = (error as Partial<BuildFailure>).errors ?? []
    if (first === undefined) throw error
    throw bundleError(path, files, first)
  }
}

const conclave: Plugin = {
  name: 'conclave',
  setup({ onResolve }) {
    const addresses = new Map(publicModules().map(({ name, code }) => [name, code]))
    onResolve({ filter: /^conclave(\/|$)/ }, ({ path }) => {
      const address = addresses.get(path)
      return address === undefined ? null : { path: address, external: true }
    })
  },
}

const LOADERS: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
}

function ownText(files: SourceFiles, prepared: (path: string, text: string) => string): Plugin {
  return {
    name: 'own-text',
    setup({ onLoad }) {
      onLoad({ filter: /\.[mc]?[jt]sx?$/, namespace: 'file' }, ({ path }) => {
        const text = isOwn(path) ? files.read(path) : undefined
        if (text === undefined) return null
        return { contents: prepared(path, text), loader: LOADERS[extname(path)] ?? 'js' }
      })
    },
  }
}

function bundleError(
  path: string,
  files: SourceFiles,
  { location, text }: BuildFailure['errors'][number],
): UsageError {
  const [, missing] = /^Could not resolve "(.*)"/.exec(text) ?? []
  const [problem, hint] =
    missing === undefined
      ? [`syntax error: ${text.replace(/\.$/, '')}.`, 'Correct it.']
      : missingImport(missing)
  if (location === null) return new UsageError(shownPath(path), problem, hint)
  const file = resolve(dirname(path), location.file)
  const place = placeIn(file, files.read(file) ?? '', location.line, location.column + 1)
  return usageErrorAt(place, problem, hint)
}

/** What is wrong with an import that cannot be resolved. */
export function missingImport(name: string): [problem: string, hint: string] {
  const isFile = /^[./]/.test(name)
  const meant = suggestionFor(name, ['conclave'])
  const remedy =
    meant === null ? `Check the name, or run npm install ${name}.` : `Did you mean ${meant}?`
  return [`cannot import ${quoted(name)}.`, isFile ? 'Check the path.' : remedy]
}
