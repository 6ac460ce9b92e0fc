import { createSystem, createVirtualTypeScriptEnvironment } from '@typescript/vfs'
import ts from 'typescript'
import type { CompilerQuestion, Diagnosis, Reply } from './compiler-protocol.ts'
import { lineTable } from './source-map.ts'

/** The language itself, and all that a definition may import, as they were written. */
const LIBRARY = import.meta.glob<string>(
  '../../node_modules/typescript/lib/lib.{es5,es20*,decorators*}.d.ts',
  { query: '?raw', import: 'default', eager: true },
)
const PROGRAM = import.meta.glob<string>(
  [
    '../../../src/index.ts',
    '../../../src/{core,problems,algorithms}/**/*.ts',
    '!../../../src/**/*.test.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
)

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts'],
  types: [],
  strict: true,
  noImplicitOverride: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  paths: { conclave: ['/src/index.ts'] },
}

const files = new Map<string, string>()
for (const [path, text] of Object.entries(LIBRARY))
  files.set(`/${path.slice(path.lastIndexOf('/') + 1)}`, text)
for (const [path, text] of Object.entries(PROGRAM))
  files.set(path.slice(path.indexOf('/src/')), text)

// Its types are those of whichever compiler lies beside it, not of the one that is handed in.
const environment = createVirtualTypeScriptEnvironment(
  createSystem(files),
  [],
  ts as never,
  OPTIONS as never,
)
const service = environment.languageService as unknown as ts.LanguageService

self.onmessage = ({ data }: MessageEvent<CompilerQuestion>) => {
  const { path, source } = data
  environment.createFile(path, source === '' ? ' ' : source)
  self.postMessage({ number: data.number, ...answer(data) } as Reply)
}

function answer(question: CompilerQuestion): object {
  const { path, source } = question
  switch (question.what) {
    case 'compile':
      return { diagnoses: diagnosesOf(path), ...compiled(source) }
    case 'complete': {
      const found = service.getCompletionsAtPosition(path, question.position, {})
      const entries = found?.entries.slice(0, 200) ?? []
      return { completions: entries.map(({ name, kind }) => ({ name, kind })) }
    }
    case 'explain': {
      const info = service.getQuickInfoAtPosition(path, question.position)
      return {
        text: [info?.displayParts, info?.documentation]
          .map((parts) => ts.displayPartsToString(parts))
          .filter((part) => part !== '')
          .join('\n\n'),
      }
    }
  }
}

function diagnosesOf(path: string): Diagnosis[] {
  return [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)].map(
    ({ start = 0, length = 1, messageText, category }) => ({
      from: start,
      to: start + length,
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
      grave: category === ts.DiagnosticCategory.Error,
    }),
  )
}

/** What the engine runs, and from which line of the source each of its lines comes. */
function compiled(source: string) {
  const { outputText, sourceMapText = '{}' } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      sourceMap: true,
    },
  })
  const { mappings = '' } = JSON.parse(sourceMapText)
  return {
    compiled: outputText.replace(/\n\/\/# sourceMappingURL=.*/, ''),
    lines: lineTable(mappings),
  }
}
