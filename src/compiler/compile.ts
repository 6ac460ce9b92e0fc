import { unreadSource } from '../core/language/validation/only-compared.ts'
import { bundled } from './bundle.ts'
import { numbersIn } from './checks/definition-code.ts'
import { syntaxProblems, typeProblems } from './checks/diagnostics.ts'
import { rulesBroken } from './checks/handler-rules.ts'
import { idEvidenceIn, useEvidenceOf } from './checks/id-evidence.ts'
import type { CompiledFile, OwnSource } from './compiled-file.ts'
import { COVERED, CoverageBuilder } from './coverage/code-coverage.ts'
import { GUARD, guardLoops } from './loop-guard.ts'
import { type OwnProgram, ownProgram } from './own-program.ts'
import { SourceFiles } from './source-files.ts'
import { placeText, shownPath, usageErrorOf } from './source-place.ts'
import { loadTypeScript } from './typescript.ts'

export interface Compilation {
  readonly compiled: CompiledFile
  /** Every file that it depends on, with the hash of its content. */
  readonly inputs: readonly [path: string, hash: string][]
}

/** Compiles a file; mistakes are refused with their places. */
export async function compileFile(
  path: string,
  types: boolean,
  covered: boolean,
): Promise<Compilation> {
  const files = new SourceFiles()
  const own = ownProgram(await loadTypeScript(), path, files, types)
  refuseMistakes(own, types)
  const sources = new Map<string, OwnSource>()
  const coverage = covered ? new CoverageBuilder(own.ts) : null
  const guarded = (at: string, text: string) => {
    const file = own.program.getSourceFile(at) ?? parsed(own, at, text)
    const { text: contents, insertions } = guardLoops(own.ts, file, coverage?.add(at, file))
    sources.set(at, { path: at, text, insertions })
    return contents
  }
  const bundle = await bundled(path, files, guarded, covered ? GUARD + COVERED : GUARD)
  const use = types
    ? useEvidenceOf(own, placeText)
    : unreadSource(shownPath(path), 'its types were not checked')
  const compiled: CompiledFile = {
    path,
    code: bundle.code,
    mappings: bundle.mappings,
    sources: bundle.sources.map((at) => sources.get(at) ?? { path: at, text: '', insertions: [] }),
    typed: types,
    ids: idEvidenceIn(use),
    use,
    numbers: numbersIn(own),
    ...(coverage && { coverage: coverage.sequences }),
  }
  const seen = own.program.getSourceFiles().map(({ fileName }) => fileName)
  return { compiled, inputs: files.inputs([...bundle.inputs, ...seen]) }
}

/** A file that only the bundler has found. */
function parsed({ ts }: OwnProgram, path: string, text: string) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
}

function refuseMistakes(own: OwnProgram, types: boolean): void {
  const unparsed = syntaxProblems(own)
  // Whatever follows the first one may be its consequence.
  if (unparsed.length > 0) throw usageErrorOf(unparsed.slice(0, 1))
  const broken = rulesBroken(own)
  const places = new Set(broken.map(({ place: { file, line } }) => `${file}:${line}`))
  // A broken rule says more than the types about the same line.
  const wrong = types ? typeProblems(own) : []
  // If needs cannot be read, what it declares is not known.
  const isRead = broken.every(({ problem }) => !problem.startsWith('needs has no member'))
  const others = wrong.filter(
    ({ place: { file, line }, problem }) =>
      !places.has(`${file}:${line}`) && (isRead || !problem.startsWith('needs does not declare')),
  )
  const problems = [...broken, ...others]
  if (problems.length > 0) throw usageErrorOf(problems)
}
