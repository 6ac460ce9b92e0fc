import type ts from 'typescript'
import type { CodePlace, HandlerCoverage } from '../../core/language/world.ts'
import { shownPath } from '../source-place.ts'
import type { TypeScript } from '../typescript.ts'
import { type Addition, HIT, instrument } from './instrument.ts'

/** A piece of code that runs or not. */
interface CoveredPiece extends CodePlace {
  readonly number: number
  /** Its offset in the file. */
  readonly from: number
}

/** Pieces of a file that run one after the other, up to an offset. */
export interface CoveredSequence {
  readonly pieces: readonly CoveredPiece[]
  readonly end: number
  /** Equal for pieces of the same function. */
  readonly inFunction: string
}

/** By this name, code finds what it tells the number of each piece that runs. */
const SINK = 'conclave.hit'

/** What code with coverage needs, to be put before it. */
export const COVERED = `const ${HIT}=globalThis[Symbol.for('${SINK}')]??(()=>{});`

/** The coverage of code that was loaded, and the last one of each file by its absolute path. */
const byCode = new Map<string, HandlerCoverage>()
const byPath = new Map<string, HandlerCoverage>()

/** Makes the files of a program tell what runs: what is to be added to each. */
export class CoverageBuilder {
  readonly sequences: CoveredSequence[] = []
  private count = 0

  constructor(private readonly ts: TypeScript) {}

  add(path: string, file: ts.SourceFile): readonly Addition[] {
    const first = this.count
    const { added, pieces, sequences } = instrument(this.ts, file, first)
    this.count += pieces.length
    for (const { pieces: own, end, inFunction } of sequences) {
      const covered = own.map((piece): CoveredPiece => {
        const [from, to] = pieces[piece]
        const line = file.getLineAndCharacterOfPosition(from).line + 1
        const [text] = file.text.slice(from, to).split('\n')
        return { number: first + piece, from, file: path, line, text: text.trim() }
      })
      this.sequences.push({ pieces: covered, end, inFunction: `${path}:${inFunction}` })
    }
    return added
  }
}

/** Loads code with coverage: from then on it tells what runs. The same code is loaded once. */
export async function withCoverage<T>(
  { path, code }: { readonly path: string; readonly code: string },
  sequences: readonly CoveredSequence[],
  load: () => Promise<T>,
): Promise<T> {
  const running = new Set<number>()
  const known = byCode.get(code) ?? { running, deadCode: (ran) => deadCode(sequences, ran) }
  byCode.set(code, known)
  byPath.set(path, known)
  const place = globalThis as unknown as Record<symbol, unknown>
  place[Symbol.for(SINK)] = (piece: number) => known.running.add(piece)
  try {
    return await load()
  } finally {
    delete place[Symbol.for(SINK)]
  }
}

/** What tells the code of the file at an absolute path, if it was loaded with coverage. */
export function handlerCoverageOf(path: string): HandlerCoverage | undefined {
  return byPath.get(path)
}

/**
 * The beginnings of what never runs in functions that do run. What is in other code that never runs
 * is not named again, nor is a statement that only throws: nobody wants it to run.
 */
function deadCode(sequences: readonly CoveredSequence[], ran: ReadonlySet<number>): CodePlace[] {
  const runs = ({ number }: CoveredPiece) => ran.has(number)
  const entered = new Set(
    sequences.filter(({ pieces }) => pieces.some(runs)).map(({ inFunction }) => inFunction),
  )
  const dead: { readonly file: string; readonly from: number; readonly end: number }[] = []
  const places: CodePlace[] = []
  for (const { pieces, end, inFunction } of sequences) {
    const first = pieces.find((piece) => !runs(piece))
    if (first === undefined || !entered.has(inFunction)) continue
    const { file, from, line, text } = first
    if (dead.some((it) => it.file === file && it.from <= from && from < it.end)) continue
    dead.push({ file, from, end })
    if (!/^throw\b/.test(text)) places.push({ file: shownPath(file), line, text })
  }
  return places
}
