import { Worker } from 'node:worker_threads'
import { Command } from 'commander'
import { algorithmNamed } from '../../algorithms/index.ts'
import { BUILT } from '../../core/built.ts'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import type { Grade } from '../../experiment/grade.ts'
import { decimal } from '../../scenario/fields/reading.ts'
import { gradeText } from '../experiment/grade-report.ts'
import type { GradeRequest } from '../experiment/grade-worker.ts'
import { isCode } from '../input/user-algorithm.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'

const EXAMPLES = `
The file exports one algorithm; docs/language.md shows how to write one. Every interleaving of small
networks is explored and random scenarios are simulated. If no fault is found, the cost is measured
and compared with that of a known algorithm.

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
  | { readonly error: ConstructorParameters<typeof UsageError> }

export function gradeCommand(io: Io, leave: Leave): Command {
  return new Command('grade')
    .description('check and measure an election that you wrote')
    .argument('<file.ts>', 'a TypeScript file that exports an algorithm')
    .option(
      '--reference <name>',
      'algorithm to compare it with (default: one for the same network)',
    )
    .option('--seconds <S>', 'stop after S seconds', '120')
    .option('--json', 'print the result as JSON')
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
      if ('error' in answer) throw new UsageError(...answer.error)
      const { name, grade } = answer
      io.out(
        json
          ? `${JSON.stringify({ name, ...grade })}\n`
          : gradeText(name, grade, coloursFor(io.colours)),
      )
      leave(grade.counterexample === null ? EXIT.done : EXIT.violated)
    })
}

/** The result of the thread; null if it does not end in time. */
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
    `${quoted(path)} is not a TypeScript file.`,
    'For algorithms of the catalogue use conclave check and conclave experiment.',
  )
}
