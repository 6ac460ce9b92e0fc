import { signal } from '@preact/signals'
import type { InstrumentedSource } from '../../../src/compiler/coverage/instrument.ts'
import type { EngineAnswer } from '../engine/protocol.ts'
import { startEngine } from '../model/engine.ts'
import type { ShownRun } from '../model/run.ts'
import { integerColumn } from '../recording/columns.ts'

/** A source, its pieces, and the instrumented code that tells which of them run. */
export interface CoveredSource extends Omit<InstrumentedSource, 'text'> {
  readonly source: string
  readonly compiled: string
}

/** The same with its path; its pieces are numbered from `base` on in the coverage of a run. */
export interface CoveredFile extends CoveredSource {
  readonly path: string
  readonly base: number
}

/** The code of a run, the file of its definition first, and what of it runs in each step. */
export class CodeCoverage {
  /** The number of steps whose code is known. */
  readonly known = signal(0)
  private readonly steps = integerColumn()
  private readonly sets: ReadonlySet<number>[] = []
  /** All pieces that run in some step. */
  readonly ever = new Set<number>()

  constructor(
    readonly files: readonly CoveredFile[],
    /** Whether the files contain the code of the definition alone, written by the user. */
    readonly isOwn: boolean,
  ) {}

  readonly take = (answer: EngineAnswer): void => {
    if (answer.what !== 'coverage') return
    for (const set of answer.sets) {
      this.sets.push(new Set(set))
      for (const piece of set) this.ever.add(piece)
    }
    this.steps.append(answer.steps)
    this.known.value = this.steps.length
  }

  /** The pieces that run in a step; null where that is not known. */
  ran(step: number): ReadonlySet<number> | null {
    return step < 0 || step >= this.steps.length ? null : this.sets[this.steps.at(step)]
  }
}

const coverages = new WeakMap<ShownRun, Promise<CodeCoverage>>()

/** The coverage of a run, which is simulated again for it when this is asked first. */
export function coverageOf(run: ShownRun): Promise<CodeCoverage> {
  const known = coverages.get(run) ?? begin(run)
  coverages.set(run, known)
  return known
}

async function begin(run: ShownRun): Promise<CodeCoverage> {
  const { scenario, code, recording } = run
  const { default: catalogue } = await import('virtual:catalogue-code')
  const own = code && (await instrumented(code.path, code.source))
  const name = scenario.algorithm ?? recording?.world.algorithm
  const main = own ? own.path : mainFile(catalogue, String(name))
  const all = { ...catalogue, ...(own && { [own.path]: own }) }
  const files = numbered(main, all)
  const coverage = new CodeCoverage(files, own !== null)
  if (recording === null)
    startEngine({ ...run.subject, modules: files, want: 'coverage' }, coverage.take)
  return coverage
}

/** Files in the order in which they are shown: that of the definition first. */
function numbered(main: string, all: Readonly<Record<string, CoveredSource>>): CoveredFile[] {
  let base = 0
  return Object.entries(all)
    .sort(([a], [b]) => Number(b === main) - Number(a === main))
    .map(([path, file]) => {
      const one = { ...file, path, base }
      base += file.pieces.length
      return one
    })
}

/** The file of a definition in the catalogue; aggregations are made by one function. */
function mainFile(catalogue: Readonly<Record<string, CoveredSource>>, name: string): string {
  const [path] =
    Object.entries(catalogue).find(([, { source }]) => source.includes(`  name: '${name}',`)) ?? []
  return path ?? '/src/algorithms/gossip/gossip.ts'
}

/** The compiler is large, and only own definitions need it. */
async function instrumented(path: string, source: string): Promise<CoveredFile> {
  const { cover } = await import('../editor/compile.ts')
  return { ...(await cover(path, source)), source, path, base: 0 }
}
