import { createSystem, createVirtualTypeScriptEnvironment } from '@typescript/vfs'
import type ts from 'typescript'
import { useEvidenceOf } from '../../../src/compiler/checks/id-evidence.ts'
import { instrument } from '../../../src/compiler/coverage/instrument.ts'
import { GUARD, guardLoops } from '../../../src/compiler/loop-guard.ts'
import { segmentsOf } from '../../../src/compiler/source-map.ts'
import {
  type UseEvidence,
  unreadSource,
} from '../../../src/core/language/validation/only-compared.ts'
import type { CompilerQuestion, Diagnosis, Reply } from './compiler-protocol.ts'
import { standaloneSource } from './standalone-source.ts'

/** The source of every module that a definition may import. */
const PROGRAM = import.meta.glob<string>(
  ['../../../src/{core,problems,algorithms}/**/*.ts', '!../../../src/**/*.test.ts'],
  { query: '?raw', import: 'default', eager: true },
)

/** The same by their paths from the root of the repository. */
const SOURCES = new Map(
  Object.entries(PROGRAM).map(([path, text]) => [path.slice(path.indexOf('/src/')), text]),
)

/** What an own definition imports as `conclave`. */
const CONCLAVE = `export * from './src/problems/index.ts'
export { gossip } from './src/algorithms/gossip/own-aggregation.ts'
`

let compiler: Promise<Compiler> | null = null

/** The first message is the address of TypeScript; every other one is a question. */
self.onmessage = async ({ data }: MessageEvent<string | CompilerQuestion>) => {
  if (typeof data === 'string') compiler = load(data)
  else self.postMessage({ number: data.number, ...(await compiler!).answer(data) } as Reply)
}

async function load(address: string): Promise<Compiler> {
  const { ts, LIBRARY }: typeof import('./typescript/index.ts') = await import(
    /* @vite-ignore */ address
  )
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
    for (const [path, text] of SOURCES) files.set(path, text)
    files.set('/conclave.ts', CONCLAVE)
    // Its types are those of the compiler in its own folder, not of the one that is handed in.
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
        return {
          diagnoses: this.diagnosesOf(path),
          use: this.useOf(path),
          ...this.compiled(source),
        }
      case 'cover': {
        const { text, ...parts } = instrument(ts, this.parsed(source))
        return { ...parts, compiled: this.compiled(text).compiled }
      }
      case 'standalone':
        return { standalone: standaloneSource(ts, path, source, SOURCES) }
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

  private useOf(path: string): UseEvidence {
    const program = this.service.getProgram()
    const file = program?.getSourceFile(path)
    if (program === undefined || file === undefined) return unreadSource(path, 'it was not read')
    return useEvidenceOf({ ts: this.ts, program, own: [file] }, (_, text, at) => {
      const before = text.slice(0, at).split('\n')
      return `line ${before.length}`
    })
  }

  private parsed(source: string): ts.SourceFile {
    const { ts } = this
    return ts.createSourceFile('own.ts', source, ts.ScriptTarget.ES2022, true)
  }

  /** The compiled code, and for each of its lines the line of the source. */
  private compiled(source: string) {
    const { ts } = this
    // The guard stops handlers that do not return; it keeps the lines.
    const { text } = guardLoops(ts, this.parsed(source))
    const { outputText, sourceMapText = '{}' } = ts.transpileModule(text, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.CommonJS,
        sourceMap: true,
      },
    })
    const { mappings = '' } = JSON.parse(sourceMapText)
    return {
      compiled: GUARD + outputText.replace(/\n\/\/# sourceMappingURL=.*/, ''),
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
    paths: { conclave: ['/conclave.ts'] },
  }
}

/**
 * For each line of the output the line of the source, both from 0: that of its first segment. Lines
 * without one have that of the line before.
 */
function lineTable(mappings: string): number[] {
  const table: number[] = []
  for (const [first] of segmentsOf(mappings)) table.push(first?.line ?? table.at(-1) ?? 0)
  return table
}
