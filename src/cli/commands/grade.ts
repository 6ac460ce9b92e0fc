import { algorithmNamed } from '../../algorithms/index.ts'
import { counted, enumerated, wrapped } from '../../core/text-format.ts'
import { REQUIREMENTS, readRequirements } from '../../experiment/grade/requirements.ts'
import { type Rubric, readProperties, readRubric } from '../../experiment/grade/rubric.ts'
import { decimal } from '../../options/reading.ts'
import { csvReport, jsonReport } from '../grade/data-report.ts'
import { fileReport } from '../grade/file-report.ts'
import { type FileGrade, gradeFiles } from '../grade/grade-files.ts'
import { feedbackPages, gradesPage } from '../grade/html-report.ts'
import { submissionsIn } from '../grade/submissions.ts'
import { tableReport } from '../grade/table-report.ts'
import { readJsonObject } from '../input/json-file.ts'
import { EXIT, exitCodesHelp, type Io, type Leave } from '../io.ts'
import { chosenExecutor } from '../jobs/chosen-executor.ts'
import { addExecutorFlags, type ExecutorFlags, ON_HELP } from '../jobs/executor-flags.ts'
import { coloursFor } from '../terminal/format.ts'
import {
  refuseUnwritable,
  refuseUnwritableFolder,
  writeFolder,
  writeWhole,
} from '../terminal/output-file.ts'
import { Verb } from '../verb.ts'

const MEMORY_MB = 512

const WORDS = Object.entries(REQUIREMENTS).map(([word, { says }]) => `${word} (${says})`)

const EXAMPLES = `
A file exports one algorithm; docs/language.md shows how to write one. In a folder
every code file is graded, and every folder in it that holds code. Every
interleaving of small networks is explored and random scenarios are simulated, in
the world that the file declares. If no error is found, the cost is measured and
compared with that of a known algorithm. Files run in a sandbox: docs/grading.md.

--properties 'exactly one leader at the end,at most one leader' counts these two alone,
so that the other nodes need not know who leads.

The words of --require: ${WORDS.join(', ')}.

${exitCodesHelp({
  done: 'every file is right, or no error was found in it',
  violated: 'some file is wrong',
  undecided: 'no file is wrong, but some are refused or have no verdict',
})}
${ON_HELP}

Examples:
  conclave grade my-election.ts
  conclave grade my-election.ts --reference lcr --json
  conclave grade submissions --require asynchronous,uniform --csv grades.csv
  conclave grade submissions --points rubric.json --html grades.html
  conclave grade submissions --feedback pages
  conclave grade submissions --on nats://10.0.0.1:4222`

interface Options extends ExecutorFlags {
  readonly reference?: string
  readonly require?: string
  readonly properties?: string
  readonly allowOwnProblem?: true
  readonly points?: string
  readonly seconds: string
  readonly csv?: string
  readonly html?: string
  readonly feedback?: string
  readonly json?: true
  readonly verbose?: true
  readonly types: boolean
}

export function gradeCommand(io: Io, leave: Leave): Verb {
  return addExecutorFlags(new Verb('grade'))
    .description('check and measure elections that somebody wrote')
    .argument('<files...>', 'TypeScript files that export an algorithm, or a folder of them')
    .group('rules')
    .short('reference', 'require', 'csv', 'html', 'feedback', 'json')
    .option(
      '--reference <algorithm>',
      'algorithm to compare with (default: one for the same network)',
    )
    .option('--require <words>', 'refuse easier worlds: asynchronous,uniform,... (see below)')
    .option('--properties <names>', 'the properties that count, with commas (default: all)')
    .option('--allow-own-problem', 'accept files that define the problem by which they are judged')
    .option('--points <file>', 'rubric with points for properties, costs and requirements')
    .option('--seconds <S>', 'stop a file after S seconds of processor time', '60')
    .group('output')
    .option('--csv <file>', 'write a table for spreadsheets; - for standard output')
    .option('--html <file>', 'write a page with all details')
    .option('--feedback <folder>', 'write a page for each file, for its author')
    .option('--json', 'print the result as JSON')
    .option('--verbose', 'say how the files were isolated')
    .about(EXAMPLES)
    .action(async (paths: string[], options: Options) => {
      const { reference, csv, html, feedback, json, allowOwnProblem = false } = options
      if (reference !== undefined) algorithmNamed(reference, '--reference')
      const require =
        options.require === undefined ? [] : readRequirements('--require', options.require)
      const properties =
        options.properties === undefined ? [] : readProperties('--properties', options.properties)
      const rubric = rubricOf(options.points)
      const seconds = secondsIn(options.seconds)
      const submissions = submissionsIn(paths)
      if (csv !== '-') refuseUnwritable(csv, '--csv')
      refuseUnwritable(html, '--html')
      refuseUnwritableFolder(feedback, '--feedback')
      const chosen = await chosenExecutor(options, io, {
        processes: true,
        code: 'in jobs',
        json: json === true,
      })
      const grades = await gradeFiles(
        submissions,
        {
          reference: reference ?? null,
          require,
          properties,
          allowOwnProblem,
          rubric,
          seconds,
          memoryMB: MEMORY_MB,
          types: options.types,
        },
        chosen,
      ).finally(() => chosen.executor.close())
      chosen.report.end()
      // The report first: it is there even if the disk is full.
      if (csv === '-') io.out(csvReport(grades))
      else io.out(json ? jsonReport(grades) : textReport(grades, options, io))
      if (csv !== undefined && csv !== '-') writeWhole(csv, csvReport(grades), '--csv')
      if (html !== undefined) writeWhole(html, gradesPage(grades, require), '--html')
      if (feedback !== undefined) writeFolder(feedback, feedbackPages(grades), '--feedback')
      // The files that could be graded are reported all the same.
      for (const { defect } of grades) if (defect !== null) throw defect
      leave(exitCode(grades))
    })
}

function secondsIn(text: string): number {
  return decimal('--seconds', text, 'a number of seconds above 0', 60, (s) => s > 0)
}

function rubricOf(path: string | undefined): Rubric | null {
  return path === undefined ? null : readRubric(path, readJsonObject(path))
}

function textReport(grades: readonly FileGrade[], { verbose }: Options, io: Io): string {
  const paint = coloursFor(io)
  const text = grades.length === 1 ? fileReport(grades[0], paint) : tableReport(grades, paint)
  if (!verbose) return text
  const layers = [...new Set(grades.flatMap(({ sandbox }) => sandbox))]
  const said = `Isolation of ${counted(grades.length, 'file')}: ${enumerated(layers)}.`
  return `${text}\n${wrapped(said, paint.width).join('\n')}\n`
}

function exitCode(grades: readonly FileGrade[]): number {
  const verdicts = grades.map(({ verdict }) => verdict)
  if (verdicts.includes('wrong')) return EXIT.violated
  const judged = verdicts.every((one) => one === 'right' || one === 'no error found')
  return judged ? EXIT.done : EXIT.undecided
}
