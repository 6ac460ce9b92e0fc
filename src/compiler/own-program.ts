import { dirname } from 'node:path'
import type ts from 'typescript'
import { publicModules } from './public-modules.ts'
import { isOfProgram, isOwn, type SourceFiles } from './source-files.ts'
import type { LoadedTypeScript, TypeScript } from './typescript.ts'

/** A file of the user and the files that it imports, parsed. */
export interface OwnProgram {
  readonly ts: TypeScript
  readonly program: ts.Program
  /** The files that the user wrote, the given one first. */
  readonly own: readonly ts.SourceFile[]
}

/** Where the declarations of JavaScript's own objects seem to lie. */
const LIBRARY_FOLDER = '/conclave-library'
const HOST_TYPES = `${LIBRARY_FOLDER}/host.d.ts`

/**
 * The declarations of the language and of conclave, once they are parsed: to parse them again for
 * the next file would take most of its time.
 */
const DECLARATIONS = new Map<string, ts.SourceFile>()

/**
 * What Node and browsers offer beside the language: its types are in a package that need not be
 * there. Definitions must not use it; documents of experiments may.
 */
const HOST = `
type ConsoleMethod = 'log' | 'error' | 'warn' | 'info' | 'debug' | 'table'
declare const console: Record<ConsoleMethod, (...data: unknown[]) => void>
declare const process: any
declare const performance: any
declare const crypto: any
declare const URL: any
declare const Buffer: any
declare const TextEncoder: any
declare const TextDecoder: any
declare const structuredClone: <T>(value: T) => T
declare const fetch: (...given: any[]) => Promise<any>
declare const setTimeout: (...given: any[]) => any
declare const setInterval: (...given: any[]) => any
declare const setImmediate: (...given: any[]) => any
declare const clearTimeout: (...given: any[]) => any
declare const clearInterval: (...given: any[]) => any
declare const queueMicrotask: (...given: any[]) => any
interface ImportMeta { readonly url: string; readonly dirname: string; readonly filename: string }
declare module 'node:*'
`

/**
 * Parses a file and what it imports. With types, the declarations of the language and of conclave
 * belong to the program; without, only what the user wrote.
 */
export function ownProgram(
  { ts, LIBRARY }: LoadedTypeScript,
  path: string,
  files: SourceFiles,
  types: boolean,
  isOwnFile = isOwn,
): OwnProgram {
  const options = optionsOf(ts, types)
  const read = (name: string) => {
    if (!name.startsWith(`${LIBRARY_FOLDER}/`)) return files.read(name)
    return name === HOST_TYPES ? HOST : LIBRARY[name.slice(LIBRARY_FOLDER.length + 1)]
  }
  const host: ts.CompilerHost = {
    getSourceFile: (name, language) => {
      const known = types ? DECLARATIONS.get(name) : undefined
      if (known !== undefined) return known
      const text = read(name)
      if (text === undefined) return undefined
      const file = ts.createSourceFile(name, text, language, true)
      const ours = name.startsWith(`${LIBRARY_FOLDER}/`) || isOfProgram(name)
      if (types && ours && file.isDeclarationFile) DECLARATIONS.set(name, file)
      return file
    },
    readFile: read,
    fileExists: (name) =>
      name.startsWith(LIBRARY_FOLDER) ? read(name) !== undefined : files.exists(name),
    directoryExists: (name) => files.hasFolder(name),
    getDirectories: () => [],
    realpath: (name) => files.realPath(name),
    getDefaultLibFileName: () => `${LIBRARY_FOLDER}/lib.es2023.d.ts`,
    getDefaultLibLocation: () => LIBRARY_FOLDER,
    getCurrentDirectory: () => dirname(path),
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => {},
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) =>
        types || text.startsWith('.')
          ? ts.resolveModuleName(text, from, options, host)
          : { resolvedModule: undefined },
      ),
  }
  const rootNames = types ? [path, HOST_TYPES] : [path]
  const program = ts.createProgram({ rootNames, options, host })
  const own = program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && isOwnFile(fileName))
  own.sort((a, b) => Number(b.fileName === path) - Number(a.fileName === path))
  return { ts, program, own }
}

/** The options are ours, not those of a tsconfig.json nearby: a file means the same everywhere. */
function optionsOf(ts: TypeScript, types: boolean): ts.CompilerOptions {
  return {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    types: [],
    strict: true,
    noEmit: true,
    allowJs: true,
    // What is reported about JavaScript is another matter: see `typeProblems`.
    checkJs: types,
    isolatedModules: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    ...(types
      ? {
          lib: ['lib.es2023.d.ts'],
          paths: Object.fromEntries(publicModules().map(({ name, types: at }) => [name, [at]])),
        }
      : { noLib: true }),
  }
}
