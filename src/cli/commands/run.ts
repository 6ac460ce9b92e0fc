import { findEntry, loadDefinition } from '../../algorithms/catalogue.ts'
import { UsageError } from '../../core/index.ts'
import { enumerated } from '../../core/text-format.ts'
import { SCENARIO, scenarioInput } from '../../options/scenario.ts'
import { commandLine, flagged } from '../../scenario/command-line.ts'
import type { FieldLocator, ScenarioInput } from '../../scenario/scenario.ts'
import { isScenarioFile, referencedDefinition } from '../input/user-algorithm.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { jobOf, type RunJob, runJob } from '../run/run-job.ts'
import { widthOf } from '../terminal/format.ts'
import { refuseJsonSteps, refuseOneFile } from '../terminal/output-file.ts'
import { Verb } from '../verb.ts'

interface Options extends Record<string, unknown> {
  readonly json?: true
  readonly trace?: string
  readonly svg?: string
  readonly at?: string
  readonly nodes?: true
  readonly replay?: string
  readonly step?: true
}

const EXAMPLES = `
Times of --suspect, --partition, --cut and --pause: 3@10..20 is the interval from 10 to 20
(exclusive), 3@10 starts at 10 and never ends, 3@..20 starts at the beginning, 3 is the whole run.
Where links are FIFO, a message of --tamper overtakes no other; the result says if no message has
the number.
--step: Enter, Space or an arrow key is the next step, b or an arrow key the one before, g and G the
first and the last, q ends it. Where input or output is no terminal, all steps are printed.
--replay needs no other flags; for the trace of your own algorithm, name its file too. Every event
must occur again as it is written: a trace that differs is refused with exit code 2.

Examples:
  conclave run lcr --ids 3,2,7,8,5,4,1,6 --timing sync
  conclave run chang-roberts -n 1000000 --delay uniform:1:10
  conclave run hirschberg-sinclair -n 8 --svg run.svg
  conclave run ghs -t geometric:20:0.35 --svg network:tree.svg --at 12
  conclave run peterson --ids 1,5,3,7,2,6,4,8 --trace -
  conclave run lcr -n 4 --step
  conclave run bully -n 5 --wake all --tamper drop:9@0.5 --trace -
  conclave run lcr --values 5,9,2,9 --ids 1,2,3,4
  conclave run lcr -n 8 --role monitor --role printer=peterson
  conclave run gossip-average -n 1000 --until 20
  conclave run first.json second.json --json
  conclave run --replay run.jsonl
  conclave run mine.ts --role monitor=other.ts#second
  conclave run mine.ts --replay broken.jsonl --svg broken.svg`

export async function runCommand(io: Io, leave: Leave, words: readonly string[]): Promise<Verb> {
  const parameters = await parametersHelp(words, io)
  return new Verb('run')
    .description('simulate elections and aggregations')
    .argument(
      '[algorithm|file...]',
      'a name from conclave list, your own algorithm (.ts), or scenarios (.json)',
    )
    .declare(SCENARIO)
    .group('output')
    .short('json', 'trace', 'svg', 'step')
    .option('--json', 'print each result as one line of JSON')
    .option('--trace <file>', 'write all events as lines of JSON; - prints a transcript')
    .option(
      '--svg <file>',
      'write a space-time diagram, or the convergence of a gossip; network:FILE draws the network',
    )
    .option('--at <time>', 'moment of the picture of the network (default: the end)')
    .option('--replay <file>', 're-execute a trace step by step and compare it')
    .option('--nodes', 'list all nodes, with message counts per node and link')
    .option('--step', 'go through the run step by step, forwards and backwards')
    .about(parameters + EXAMPLES)
    .action(async (names: string[], options: Options) => {
      const given = scenarioInput(options)
      refuseMixtures(names, options)
      if (options.replay !== undefined) {
        const { replayFile } = await import('../run/replay-file.ts')
        const well = await replayFile(options.replay, names, given, options, io)
        return leave(well ? EXIT.done : EXIT.violated)
      }
      const jobs = await Promise.all(
        names.map((name) =>
          isScenarioFile(name) ? fromFile(name, given) : fromFlags(name, given),
        ),
      )
      let code: number = EXIT.done
      for (const job of jobs) if (!(await runJob(job, options, io))) code = EXIT.violated
      leave(code)
    })
}

/** `run bully --help` lists the parameters of bully. */
async function parametersHelp(words: readonly string[], io: Io): Promise<string> {
  const name = words.find((word) => findEntry(word) !== undefined)
  if (name === undefined || !words.includes('--help')) return ''
  const [{ parameterLines }, { parametersOf }] = await Promise.all([
    import('../input/parameters.ts'),
    import('../../scenario/prepare.ts'),
  ])
  const parameters = parametersOf(await loadDefinition(name))
  const lines = parameterLines(parameters, widthOf(io) - 2).map((line) => `  ${line}`)
  return [`Parameters of ${name} (--set name=value):`, ...lines, ''].join('\n')
}

async function fromFlags(reference: string, given: ScenarioInput): Promise<RunJob> {
  return jobFrom(reference, given, flagged, commandLine('run', reference, given))
}

/** A scenario from a file; flags on the command line override its fields. */
async function fromFile(path: string, flags: ScenarioInput): Promise<RunJob> {
  const { locatorIn, readScenarioFile } = await import('../input/scenario-file.ts')
  const file = readScenarioFile(path)
  const given = { ...file.fields, ...flags }
  return jobFrom(file.algorithm, given, locatorIn(file, flags), commandLine('run', path, flags))
}

async function jobFrom(
  reference: string,
  given: ScenarioInput,
  where: FieldLocator,
  command: string,
): Promise<RunJob> {
  const what = await referencedDefinition(reference, { where: placeOf(where) })
  return jobOf(given, { what, reference }, where, command)
}

/** Where the algorithm is named: its flag would be the first argument. */
function placeOf(where: FieldLocator): string {
  return where === flagged ? 'algorithm' : where('algorithm')
}

function refuseMixtures(
  names: readonly string[],
  { json, trace, svg, at, replay, step }: Options,
): void {
  if (at !== undefined && !svg?.startsWith('network:')) {
    throw new UsageError(
      '--at',
      'is the moment of a picture of the network, but none is asked for.',
      'Add --svg network:FILE.',
    )
  }
  if (names.length === 0 && replay === undefined) {
    throw new UsageError(
      'conclave run',
      'the argument <algorithm|file...> is missing.',
      'See conclave run --help.',
    )
  }
  if (names.length > 1 && !names.every(isScenarioFile)) {
    throw new UsageError(
      'run',
      `${enumerated(names)} cannot be combined: several arguments must all be scenario files.`,
      'Run one algorithm at a time.',
    )
  }
  if (json && trace === '-') {
    throw new UsageError(
      '--trace',
      'the transcript (-) cannot be combined with --json.',
      'Name a file, or leave --json out.',
    )
  }
  refuseJsonSteps(step, json)
  if (names.length > 1 && step) {
    throw new UsageError(
      '--step',
      `works only with a single run; ${names.length} files were given.`,
      'Run them one by one.',
    )
  }
  refuseOneFile(trace, svg?.replace(/^network:/, ''))
  if (names.length > 1 && (trace !== undefined || svg !== undefined)) {
    throw new UsageError(
      trace === undefined ? '--svg' : '--trace',
      `works only with a single run; ${names.length} files were given.`,
      'Run them one by one.',
    )
  }
}
