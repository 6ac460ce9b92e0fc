import type { BuildOptions, Plugin } from 'esbuild'
import type { CompiledFile } from '../../compiler/compiled-file.ts'

/** The parameter of a script: what it imports. */
export const PARAMETER = '__conclave__'
const RESULT = '__exports__'

export const SCRIPT_SETTINGS = {
  bundle: true,
  write: false,
  outfile: 'bundle.js',
  sourcemap: 'external',
  sourcesContent: false,
  format: 'iife',
  globalName: RESULT,
  platform: 'neutral',
  target: 'node20',
  charset: 'utf8',
  // A dynamic import becomes a call of require, which no script has.
  supported: { 'dynamic-import': false },
  tsconfigRaw: {},
  logLevel: 'silent',
} as const satisfies BuildOptions

/**
 * Makes a script of the module that an own file was compiled to: a function of what the file
 * imports, which returns its exports. A script has no other way to a module. The plugins resolve
 * the imports.
 */
export async function asScript(compiled: CompiledFile, plugins: Plugin[]): Promise<CompiledFile> {
  const { build } = await import('esbuild')
  // The map of the first step is read with the code, so that the second one continues it.
  const map = {
    version: 3,
    names: [],
    mappings: compiled.mappings,
    sources: compiled.sources.map((_, i) => `own-${i}.js`),
  }
  const inline = Buffer.from(JSON.stringify(map)).toString('base64')
  const { outputFiles } = await build({
    ...SCRIPT_SETTINGS,
    absWorkingDir: '/',
    stdin: {
      contents: `${compiled.code}\n//# sourceMappingURL=data:application/json;base64,${inline}`,
      resolveDir: '/',
      loader: 'js',
    },
    plugins,
  })
  const [code, written] = outputFiles[0].path.endsWith('.map')
    ? [outputFiles[1].text, outputFiles[0].text]
    : [outputFiles[0].text, outputFiles[1].text]
  const { mappings, sources } = JSON.parse(written) as { mappings: string; sources: string[] }
  return {
    ...compiled,
    code: `(function (${PARAMETER}) { "use strict";\n${code}\nreturn ${RESULT} })`,
    // The code begins a line further down.
    mappings: `;${mappings}`,
    sources: sources.map((name) => {
      const [, i] = /own-(\d+)\.js$/.exec(name) ?? []
      return compiled.sources[Number(i)] ?? { path: name, text: '', insertions: [] }
    }),
  }
}
