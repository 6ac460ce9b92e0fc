import { createSystem, createVirtualTypeScriptEnvironment } from '@typescript/vfs'
import type ts from 'typescript'
import type { CompilerQuestion, Diagnosis, Reply } from './compiler-protocol.ts'
import { lineTable } from './source-map.ts'

/** All that a definition may import, as it was written. */
const PROGRAM = import.meta.glob<string>(
  [
    '../../../src/api/language.ts',
    '../../../src/{core,problems,algorithms}/**/*.ts',
    '!../../../src/**/*.test.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
)

let compiler: Promise<Compiler> | null = null

/** The first message is the address of TypeScript; all others are questions. */
self.onmessage = async ({ data }: MessageEvent<string | CompilerQuestion>) => {
  if (typeof data === 'string') compiler = load(data)
  else self.postMessage({ number: data.number, ...(await compiler!).answer(data) } as Reply)
}

async function load(address: string): Promise<Compiler> {
  const { ts, LIBRARY }: typeof import('./typescript.ts') = await import(/* @vite-ignore */ address)
  return new Compiler(ts, LIBRARY)
}

class Compiler {
  private readonly environment: ReturnType<typeof createVirtualTypeScriptEnvironment>
  private readonly service: ts.LanguageService

  constructor(
    private readonly ts: typeof import('typescript'),
    library: Readonly<Record<string, string>>,
  ) {
    const files = new Map<string, string>()
    for (const [name, text] of Object.entries(library)) files.set(`/${name}`, text)
    for (const [path, text] of Object.entries(PROGRAM))
      files.set(path.slice(path.indexOf('/src/')), text)
    // Its types are those of whichever compiler lies beside it, not of the one that is handed in.
    this.environment = createVirtualTypeScriptEnvironment(
      createSystem(files),
      [],
      ts as never,
      optionsOf(ts) as never,
    )
    this.service = this.environment.languageService as unknown as ts.LanguageService
  }

  answer(question: CompilerQuestion): object {
    const { path, source } = question
    const { ts, service } = this
    this.environment.createFile(path, source === '' ? ' ' : source)
    switch (question.what) {
      case 'compile':
        return { diagnoses: this.diagnosesOf(path), ...this.compiled(source) }
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

  private diagnosesOf(path: string): Diagnosis[] {
    const { ts, service } = this
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
  private compiled(source: string) {
    const { ts } = this
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
}

function optionsOf(ts: typeof import('typescript')): ts.CompilerOptions {
  return {
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
    paths: { conclave: ['/src/api/language.ts'] },
  }
}
