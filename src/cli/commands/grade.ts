import { Worker } from 'node:worker_threads'
import { Command } from 'commander'
import { algorithmNamed } from '../../algorithms/index.ts'
import { UsageError } from '../../core/index.ts'
import { BUILT } from '../../experiment/built.ts'
import type { Grade } from '../../experiment/grade.ts'
import { decimal } from '../../scenario/fields/reading.ts'
import { gradeText } from '../experiment/grade-report.ts'
import type { GradeRequest } from '../experiment/grade-worker.ts'
import { isCode } from '../input/user-algorithm.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'

const EXAMPLES = `
The file exports one algorithm, written as docs/language.md shows. Every interleaving of small
networks is explored, random worlds are simulated, and if no fault is found its cost is measured
beside that of a known algorithm.

Examples:
  conclave grade my-election.ts
  conclave grade my-election.ts --reference lcr --json`

interface Options {
  readonly reference?: string
  readonly seconds: string
  readonly json?: true
}

type Answer =
  | { readonly name: string; readonly grade: Grade }
  | { readonly complaint: ConstructorParameters<typeof UsageError> }

export function gradeCommand(io: Io, leave: Leave): Command {
  return new Command('grade')
    .description('judge an election that somebody wrote')
    .argument('<file.ts>', 'a TypeScript file that exports an algorithm')
    .option('--reference <name>', 'the algorithm that it is compared with (default: a usual one)')
    .option('--seconds <S>', 'give up after so many seconds', '120')
    .option('--json', 'one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, { reference, seconds, json }: Options) => {
      refuseOther(path)
      if (reference !== undefined) algorithmNamed(reference, '--reference')
      const limit = decimal('--seconds', seconds, 'a number of seconds above 0', 60, (s) => s > 0)
      const answer = await askWorker({ path, reference: reference ?? null }, limit)
      if (answer === null) {
        const why = 'a handler may never end, or the world is too large'
        io.out(
          json
            ? `${JSON.stringify({ name: path, grade: null })}\n`
            : `${path}: no verdict after ${limit} s; ${why}\n`,
        )
        return leave(EXIT.violated)
      }
      if ('complaint' in answer) throw new UsageError(...answer.complaint)
      const { name, grade } = answer
      io.out(
        json
          ? `${JSON.stringify({ name, ...grade })}\n`
          : gradeText(name, grade, coloursFor(io.colours)),
      )
      leave(grade.counterexample === null ? EXIT.done : EXIT.violated)
    })
}

/** What the thread finds; null if it does not end in time. */
async function askWorker(order: GradeRequest, seconds: number): Promise<Answer | null> {
  const worker = new Worker(new URL('cli/experiment/grade-worker.js', BUILT), {
    workerData: order,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Answer | null>((resolve, reject) => {
      timer = setTimeout(() => resolve(null), seconds * 1000)
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function refuseOther(path: string): void {
  if (isCode(path)) return
  throw new UsageError(
    'grade',
    `a TypeScript file is needed, but ${JSON.stringify(path)} was given.`,
    'Algorithms of the catalogue are judged by conclave check and conclave experiment.',
  )
}
