import { modeText } from '../../check/index.ts'
import { UsageError, type Verdict } from '../../core/index.ts'
import { realIds, type World } from '../../core/language/world.ts'
import { counted, enumerated, grouped, quoted } from '../../core/text-format.ts'
import { messageText, valueText } from '../../core/trace/event-words.ts'
import { transcript } from '../../diagram/transcript.ts'
import type { Explorable } from '../../scenario/check-target.ts'
import { flagged, type ScenarioInput } from '../../scenario/index.ts'
import type { TracedInduction } from '../../trace/given-start.ts'
import { replayChecked } from '../../trace/replay-check.ts'
import { TraceDiff } from '../../trace/trace-diff.ts'
import { readTraceFile, type TraceFile } from '../../trace/trace-file.ts'
import {
  type ExplainedFiles,
  settingOf,
  writeCounterexample,
} from '../check/counterexample-files.ts'
import { loopInWords, stepLines } from '../check/counterexample-report.ts'
import { readText } from '../input/read-file.ts'
import { explorableOf } from '../input/user-properties.ts'
import type { Io } from '../io.ts'
import { type Colours, coloursFor, paragraph, verdictLines } from '../terminal/format.ts'
import type { RunOptions } from './run-files.ts'
import { jobOf, runJob } from './run-job.ts'

/**
 * Replays a trace, compares every event and prints a report; returns whether all properties hold.
 * Code runs only if it is named on the command line: a file of unknown origin must not choose what
 * is executed.
 */
export async function replayFile(
  path: string,
  names: readonly string[],
  given: ScenarioInput,
  options: RunOptions,
  io: Io,
): Promise<boolean> {
  refuseOtherInput(names, given)
  const file = readTraceFile(readText(path, '--replay'), path)
  const what = await definitionOf(file, names[0], path)
  const where = (field: string) => `${path}: ${field}`
  const { scenario, explored, events } = file
  if (explored === null) {
    const command = ['conclave run', ...names, '--replay', path].join(' ')
    const recorded = new TraceDiff(path, events)
    const well = await runJob(
      await jobOf(scenario, { what: what.definition }, where, command),
      options,
      io,
      recorded,
    )
    if (!options.json) io.out(`\n  ${grouped(events.length)} events, identical to ${path}\n`)
    return well
  }
  const read = (network: string) => readText(network, where('topology'))
  const replayed = replayChecked(file, explored, what, path, read)
  const { world, properties } = replayed
  const wrong = properties.filter(({ holds }) => holds === false)
  const first = wrong.find(({ name }) => name === explored.property) ?? wrong[0]
  const violation = first === undefined ? null : { property: first.name, detail: first.detail }
  const { trace, ...files } = options
  const { rules: model, induction } = explored
  const run = { scenario, world, model, run: replayed, violation }
  const explained = { ...run, ...(induction && { induction }) }
  writeCounterexample(explained, trace === '-' ? files : options)
  if (options.step) {
    const [{ explainedSteps }, { stepThrough }] = await Promise.all([
      import('../step/stepped-run.ts'),
      import('../step/stepper.ts'),
    ])
    const title = `${world.algorithm.name} on ${world.topology.name}`
    await stepThrough(explainedSteps(replayed, world, title, endOf(explained)), io)
  }
  if (trace === '-') io.out(`${transcript(replayed.events, settingOf(replayed, world))}\n\n`)
  io.out(
    options.json
      ? `${JSON.stringify(replayJson(explained, properties))}\n`
      : replayReport(explained, properties, path, coloursFor(io)),
  )
  return properties.every(({ holds }) => holds === true)
}

/** What is said after the last step. */
function endOf({ violation, induction }: ExplainedFiles): string {
  if (violation === null) return 'The run ends here.'
  return `${induction === undefined ? 'Violated' : 'Broken'}: ${violation.property}.`
}

/** The definition that the trace names, or the one named on the command line. */
async function definitionOf(
  { scenario: { algorithm: name } }: TraceFile,
  given: string | undefined,
  path: string,
): Promise<Explorable> {
  const what = await explorableOf(given ?? name).catch((error) => {
    const own = given === undefined && error instanceof UsageError
    throw own ? unknownName(path, name) : error
  })
  const found = what.definition.name
  if (found === name) return what
  throw new UsageError(
    path,
    `the trace is of ${quoted(name)}, but ${given} defines ${quoted(found)}.`,
    'Name the file of the definition that wrote the trace.',
  )
}

function unknownName(path: string, name: string): UsageError {
  return new UsageError(
    `${path}: algorithm`,
    `there is no algorithm ${quoted(name)} in the catalogue.`,
    'Name the file of its definition: conclave run mine.ts --replay FILE.',
  )
}

function refuseOtherInput(names: readonly string[], given: ScenarioInput): void {
  const [flag] = Object.keys(given)
  if (flag !== undefined)
    throw new UsageError(
      flagged(flag),
      'cannot be combined with --replay: a trace has its own scenario.',
      'Leave it out.',
    )
  if (names.length > 1)
    throw new UsageError(
      '--replay',
      `takes at most one definition, but ${names.join(' and ')} were given.`,
      'Leave out all but one.',
    )
}

/** A replayed run of the checker as one JSON document, with the fields of check. */
function replayJson(
  { scenario, model, run, violation, induction }: ExplainedFiles,
  properties: readonly Verdict[],
) {
  const { events, trace, loop } = run
  const lasso = loop === undefined ? {} : { loop }
  return {
    scenario,
    ...model,
    mode: modeText(model.mode),
    ...induction,
    replayed: { steps: trace.length, events: events.length },
    properties,
    violated: violation === null ? null : { property: violation.property, trace, ...lasso },
    ...(violation === null && { trace }),
  }
}

/** The text report of a replayed run of the checker. */
function replayReport(
  explained: ExplainedFiles,
  properties: readonly Verdict[],
  path: string,
  paint: Colours,
): string {
  const { world, model, run, violation, induction } = explained
  const { algorithm, topology } = world
  const { loop } = run
  const { length } = run.trace
  const counts = `${counted(length, 'step')} and ${counted(run.events.length, 'event')}`
  const lines = [
    induction === undefined
      ? headline(violation?.property ?? null, properties, paint)
      : inductionHeadline(violation !== null, length, properties, paint),
    paint.dim(`  ${algorithm.name} on ${topology.name}, ${modeText(model.mode)}, ${model.order}`),
    `  ${counts}, identical to ${path}`,
    '',
    ...verdictLines(properties, paint),
    '',
    ...(induction === undefined ? [] : startLines(induction, world, paint)),
    ...(length === 0 ? [] : stepSection()),
  ]
  return `${lines.join('\n')}\n`

  function stepSection(): string[] {
    const title = loop === undefined ? 'Step by step' : `Step by step; ${loopInWords(loop, length)}`
    return [`${title}:`, ...stepLines(run, paint)]
  }
}

/** A counterexample to induction is no run: it says what one step does, from any configuration. */
function inductionHeadline(
  isBroken: boolean,
  steps: number,
  [{ name }]: readonly Verdict[],
  paint: Colours,
): string {
  const [text, colour] = isBroken
    ? [`${steps === 0 ? 'Broken at the beginning' : 'One step breaks it'} again`, paint.yellow]
    : ['The step does not break it any more', paint.green]
  return colour(paint.bold(`${text}: ${name}`))
}

/** The configuration in which a run begins, if not in the initial state. */
function startLines(
  { start: { states, messages }, cti }: TracedInduction,
  world: World,
  paint: Colours,
): string[] {
  type Values = Readonly<Record<string, unknown>>
  const open = (all: Values, known: Values) => {
    const names = Object.keys(all).filter((name) => !(name in known))
    return names.length === 0 ? '' : ` (${enumerated(names)} may be anything)`
  }
  const ids = realIds(world)
  const lines = [
    ...states.map((state, node) => {
      const fields = Object.entries(state).map(([name, value]) => `${name} ${valueText(value)}`)
      const name = `Position ${node} (id ${ids[node]})`
      return `${name}: ${fields.join(', ')}${open({ id: 0, ...state }, cti.nodes[node])}`
    }),
    ...messages.map((message, i) => {
      const { node, from } = message
      const way = `from position ${from} to position ${node}`
      return `In flight ${way}: ${messageText(message)}${open(message.body, cti.messages[i].body)}`
    }),
  ]
  return [
    'It begins here; whether a run gets there, it does not say:',
    ...lines.flatMap((line) => paragraph(line, paint.width, '  ', '    ')),
    '',
  ]
}

function headline(property: string | null, properties: readonly Verdict[], paint: Colours): string {
  if (property !== null) return paint.red(paint.bold(`Violated again: ${property}`))
  const open = properties.some(({ holds }) => holds === null)
  if (open) return paint.yellow(paint.bold('No violation, but not every property is decided'))
  return paint.green(paint.bold('Every property holds in this run'))
}
