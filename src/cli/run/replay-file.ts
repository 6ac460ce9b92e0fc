import { UsageError } from '../../core/index.ts'
import { grouped } from '../../core/text-format.ts'
import { transcript } from '../../diagram/transcript.ts'
import type { Explorable } from '../../scenario/check-target.ts'
import { quoted } from '../../scenario/fields/reading.ts'
import { flagged, type ScenarioInput } from '../../scenario/index.ts'
import { replayChecked } from '../../trace/replay-check.ts'
import { TraceDiff } from '../../trace/trace-diff.ts'
import { readTrace, type TraceFile } from '../../trace/trace-file.ts'
import { settingOf, writeCounterexample } from '../check/counterexample-files.ts'
import { readText } from '../input/read-file.ts'
import { explorableOf } from '../input/user-properties.ts'
import type { Io } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import { replayJson, replayReport } from './replay-report.ts'
import { jobOf, runJob } from './run-job.ts'

interface Options {
  readonly json?: true
  readonly trace?: string
  readonly svg?: string
  readonly nodes?: true
}

/**
 * Makes the run of a trace again, compares every event and prints what came of it; says whether
 * all is well. Code is only run if it was named on the command line: a file that came from
 * somewhere must not choose what is executed.
 */
export async function replayFile(
  path: string,
  names: readonly string[],
  given: ScenarioInput,
  options: Options,
  io: Io,
): Promise<boolean> {
  refuseMore(names, given)
  const file = readTrace(readText(path, '--replay'), path)
  const what = await definitionOf(file, names[0], path)
  const where = (field: string) => `${path}: ${field}`
  const { scenario, explored, events } = file
  if (explored === null) {
    const again = ['conclave run', ...names, '--replay', path].join(' ')
    const comparison = new TraceDiff(path, events)
    const well = await runJob(jobOf(scenario, what, where, again), options, io, comparison)
    if (!options.json) io.out(`\n  ${grouped(events.length)} events, all as in ${path}\n`)
    return well
  }
  const read = (network: string) => readText(network, where('topology'))
  const replayed = replayChecked(file, explored, what, path, read)
  const { world, properties } = replayed
  const wrong = properties.filter(({ holds }) => holds === false)
  const first = wrong.find(({ name }) => name === explored.property) ?? wrong[0]
  const violation = first === undefined ? null : { property: first.name, detail: first.detail }
  const { trace, ...files } = options
  const explained = { scenario, world, model: explored.rules, run: replayed, violation }
  writeCounterexample(explained, trace === '-' ? files : options)
  if (trace === '-') io.out(`${transcript(replayed.events, settingOf(replayed, world))}\n\n`)
  io.out(
    options.json
      ? `${JSON.stringify(replayJson(explained, properties))}\n`
      : replayReport(explained, properties, path, coloursFor(io.colours)),
  )
  return properties.every(({ holds }) => holds === true)
}

/** What the trace is of: the name in its scenario, or the definition that was named besides. */
async function definitionOf(
  { scenario: { algorithm: name } }: TraceFile,
  given: string | undefined,
  path: string,
): Promise<Explorable> {
  const what = await explorableOf(given ?? name).catch((error) => {
    const own = given === undefined && error instanceof UsageError
    throw own ? unknownName(path, name) : error
  })
  const found = 'algorithm' in what ? what.algorithm.name : what.aggregation.name
  if (found === name) return what
  throw new UsageError(
    path,
    `the trace is of ${quoted(name)}, but ${given} defines ${quoted(found)}.`,
    'Name the definition that it was made with.',
  )
}

function unknownName(path: string, name: string): UsageError {
  return new UsageError(
    `${path}: algorithm`,
    `a name from conclave list is needed, but ${quoted(name)} is there.`,
    "Name somebody's own definition too: conclave run mine.ts --replay FILE.",
  )
}

function refuseMore(names: readonly string[], given: ScenarioInput): void {
  const [flag] = Object.keys(given)
  if (flag !== undefined)
    throw new UsageError(
      flagged(flag),
      'a trace has its own scenario, but it was given with --replay.',
      'Leave it out.',
    )
  if (names.length > 1)
    throw new UsageError(
      '--replay',
      `it goes with no other name than that of the definition, but ${names.join(' and ')} were given.`,
      'Leave the others out.',
    )
}
