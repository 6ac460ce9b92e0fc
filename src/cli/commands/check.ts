import { type FaultKind, overallVerdict, randomRun } from '../../check/index.ts'
import { UsageError } from '../../core/index.ts'
import { CHECK, EXPLORED_WORLD } from '../../options/check.ts'
import { THREADS } from '../../options/experiment.ts'
import { scenarioOptions } from '../../options/scenario.ts'
import {
  type CheckReport,
  Exploration,
  type ExploredWorld,
  explore,
  type Options,
} from '../check/explore.ts'
import { checkJson, checkReport, notesReport } from '../check/report.ts'
import { type RoleReports, roleChecksOf, rolesJson, rolesText } from '../check/roles.ts'
import { type FieldRules, readScenarioFile, withFields } from '../input/scenario-file.ts'
import { isScenarioFile } from '../input/user-algorithm.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import {
  addExecutorFlags,
  type ExecutorFlags,
  ON_HELP,
  withoutExecutorFlags,
} from '../jobs/executor-flags.ts'
import { ProcessorThreads, threadCount } from '../jobs/search-threads.ts'
import { coloursFor } from '../terminal/format.ts'
import { refuseJsonSteps, refuseOneFile, refuseUnwritable } from '../terminal/output-file.ts'
import { Verb } from '../verb.ts'

const WORLD = scenarioOptions([...EXPLORED_WORLD, 'role'], {
  n: { usual: '4; 3 for complete networks' },
  wake: {
    says: 'nodes that start at the beginning: all or 0,4; any: any nodes, at any time',
    usual: 'any',
  },
  order: {
    says: 'order of the messages on a link: fifo or any',
    usual: 'what the algorithm needs',
  },
  ids: {
    says: '3,2,7 or increasing, decreasing, ...; all: every permutation of 1..n',
    usual: 'all up to n = 5, else random',
  },
  crash: { says: 'nodes that are dead from the start: 7 or 2,7' },
  role: { says: 'an election of its own, checked separately: name or name=algorithm, repeatable' },
  detect: { says: 'delay of the failure detector in mode clocked; off: no detector' },
})

const EXAMPLES = `
Any nodes may start by themselves, each at any time; --wake says otherwise. Faults may occur at any
time, each kind at most as often as given. Exit code 3: nothing is violated, but not everything is
decided. docs/checking.md has all of this at length.

Modes:
  untimed     a timer may fire at any time once it is set
  patient     a timer fires only when no message is in flight
  clocked:D   a message takes 1 to D units of time, and timers are exact;
              clocked:any: 1 or more

What is explored:
  --ids all       every permutation of the ids 1 to n
  --draws K       runs in which no node makes more than K random choices
  --bound f=N     runs in which the state field f of no node exceeds N
  --links lossy   a message may arrive never, once or often, in any order
  --worst time    by the clock in mode clocked, else the longest causal chain
${ON_HELP}

Examples:
  conclave check lcr -n 5
  conclave check hirschberg-sinclair --ids 3,1,4,2
  conclave check lcr -n 6 --ids all
  conclave check lcr -n 9 --ids all --on nats://10.0.0.1:4222
  conclave check lcr -n 4 --crashes 1
  conclave check bully -n 3 --crashes 1 --mode clocked:2
  conclave check gossip-average-naive --values 0,4,8
  conclave check peterson -n 4 --order any --allow-weaker --svg broken.svg
  conclave check itai-rodeh -n 2 --draws 3
  conclave check chang-roberts -n 4 --worst messages
  conclave check mine.ts -n 3
  conclave check lecture.json --crashes 1
  conclave check lcr -n 3 --ids same --step`

export function checkCommand(io: Io, leave: Leave): Verb {
  const verb = new Verb('check')
    .description('explore every interleaving of a small network')
    .argument(
      '<algorithm>',
      'a name from conclave list, your own algorithm (.ts), or a scenario (.json)',
    )
    .declare(WORLD)
    .declare(CHECK)
  return addExecutorFlags(verb)
    .declare({ threads: THREADS })
    .group('output')
    .short('worst', 'json', 'step', 'svg', 'trace')
    .option('--worst <messages|time>', 'exact worst and best case over all schedules')
    .option('--json', 'one JSON document')
    .option('--step', 'go through the counterexample, or else a sample run, step by step')
    .option(
      '--svg <file>',
      'draw the counterexample, or else the worst case or a sample run; network:FILE: its last state',
    )
    .option('--trace <file>', 'write the same run as JSON lines, for conclave run --replay')
    .about(EXAMPLES)
    .action(async (argument: string, flags: Options & ExecutorFlags) => {
      const { place, rest } = withoutExecutorFlags(flags)
      leave(await runCheck(checkedBy(argument, rest, verb), place, io))
    })
}

/** Explores, once for each role, and prints and writes what was found; returns the exit code. */
async function runCheck(
  { name, options }: ReturnType<typeof checkedBy>,
  place: ExecutorFlags,
  io: Io,
): Promise<number> {
  refuseJsonSteps(options.step, options.json)
  const picture = options.svg?.replace(/^network:/, '')
  refuseOneFile(options.trace, picture)
  refuseUnwritable(options.trace, '--trace')
  refuseUnwritable(picture, '--svg')
  const checks = await roleChecksOf(name, options)
  const withoutRoles = checks[0].role === null
  const reports: [role: string, report: CheckReport][] = []
  const written: (() => Promise<void>)[] = []
  for (const { role, name, options } of checks) {
    const explored = await exploring(name, options, place, io)
    reports.push([role ?? '', explored.result])
    if (explored.interrupted) {
      io.out(textOf(reports, withoutRoles, options, io))
      return EXIT.interrupted
    }
    written.push(() => writeFiles(explored, options))
    if (options.step) await showSteps(explored, io)
  }
  // The report first: it is there even if the disk is full.
  io.out(textOf(reports, withoutRoles, options, io))
  for (const write of written) await write()
  return exitCode(reports.map(([, report]) => overallVerdict(report)))
}

/**
 * Explores one arrangement of the ids, or all. Other threads and machines share what may take long:
 * all arrangements, if that is said, and random walks.
 */
async function exploring(
  name: string,
  options: Options,
  place: ExecutorFlags,
  io: Io,
): Promise<ExploredWorld> {
  const { arrangements } = await Exploration.of(name, options)
  const all = options.ids === 'all' || arrangements !== null
  const shared = options.ids === 'all' || options.walk !== undefined || (all && place.on)
  const threads = new ProcessorThreads(threadCount(place))
  if (!all && !shared) {
    refuseAlone(place)
    return explore(name, options, io, { threads })
  }
  const { exploreAll } = await import('../check/all-permutations.ts')
  if (!shared) return exploreAll(name, options, io, null)
  const [{ executorForExploration }, { walkerOn }] = await Promise.all([
    import('../check/explored-permutations.ts'),
    import('../check/exploration-work.ts'),
  ])
  const study = await executorForExploration(name, options, place, io)
  try {
    const explored = all
      ? await exploreAll(name, options, io, study)
      : await explore(name, options, io, { walk: walkerOn(study), threads })
    study.report.end()
    return explored
  } finally {
    await study.executor.close()
  }
}

/** A single search is not divided. */
function refuseAlone({ on }: ExecutorFlags): void {
  if (on === undefined) return
  throw new UsageError(
    '--on',
    'workers explore all permutations or walk at random; a single search is one piece of work.',
    'Add --ids all or --walk, or leave it out.',
  )
}

/** Delays and limits belong to one run; all delays are explored. */
const ASIDE = ['title', 'notes', 'delay', 'until', 'max-messages', 'timing', 'coins']

const faultHint = (kind: FaultKind) => `Leave it out, and use --${kind} 1.`

/** Faults at fixed times: every moment is explored instead. */
const RULES: FieldRules = {
  command: 'check',
  aside: ASIDE,
  hints: {
    loss: faultHint('losses'),
    duplicate: faultHint('duplicates'),
    cut: faultHint('cuts'),
    recover: faultHint('recoveries'),
    partition: faultHint('partitions'),
    pause: faultHint('pauses'),
    drift: 'Leave it out, and use --drift 1.',
    ...Object.fromEntries(
      ['retire', 'suspect', 'tamper', 'mobility', 'again', 'disk'].map((field) => [
        field,
        'Leave it out, or use conclave run.',
      ]),
    ),
  },
}

/** The algorithm and the options of a check; a scenario file has both. */
function checkedBy(
  argument: string,
  flags: Options,
  verb: Verb,
): { readonly name: string; readonly options: Options } {
  if (!isScenarioFile(argument)) return { name: argument, options: flags }
  const file = readScenarioFile(argument)
  return { name: file.algorithm, options: withFields(flags, file, verb, RULES) }
}

/** Of several roles all must hold. */
function exitCode(verdicts: readonly (boolean | null)[]): number {
  if (verdicts.includes(false)) return EXIT.violated
  return verdicts.includes(null) ? EXIT.undecided : EXIT.done
}

function textOf(reports: RoleReports, withoutRoles: boolean, { json }: Options, io: Io): string {
  const [[, result]] = reports
  if (json) return `${JSON.stringify(withoutRoles ? checkJson(result) : rolesJson(reports))}\n`
  const paint = coloursFor(io)
  return withoutRoles
    ? checkReport(result, paint) + notesReport(result.notes)
    : rolesText(reports, paint)
}

/** Writes the run of an exploration into the requested files. */
async function writeFiles(explored: ExploredWorld, options: Options): Promise<void> {
  if (options.trace === undefined && options.svg === undefined) return
  const { target, model } = explored
  const { scenario, world } = target
  const { writeCounterexample } = await import('../check/counterexample-files.ts')
  writeCounterexample({ scenario, world, model, ...runToShow(explored) }, options)
}

/** Goes through the run of an exploration. */
async function showSteps(explored: ExploredWorld, io: Io): Promise<void> {
  const [{ explainedSteps }, { stepThrough }] = await Promise.all([
    import('../step/stepped-run.ts'),
    import('../step/stepper.ts'),
  ])
  const { world } = explored.target
  const { run, kind = 'a sample run', violation } = runToShow(explored)
  const shown = violation === null ? kind : `a counterexample to "${violation.property}"`
  const title = `${world.algorithm.name} on ${world.topology.name}, ${shown}`
  const end = violation === null ? 'The run ends here.' : `Violated: ${violation.detail}.`
  await stepThrough(explainedSteps(run, world, title, end), io)
}

/** The counterexample, or else a worst-case run, or else a random run. */
function runToShow({ target, model, result }: ExploredWorld) {
  const { scenario, world } = target
  const { violated, worst } = result
  const costly = violated === null && worst?.samples?.most
  const run = violated ?? (costly || randomRun(world, model, scenario.seed))
  const kind = costly ? { kind: `a run with the most ${worst!.of}` } : {}
  return { run, ...kind, violation: violationIn(result) }
}

/** The property that the counterexample violates, and how. */
function violationIn({ violated, properties }: CheckReport) {
  if (violated === null) return null
  const { property } = violated
  return {
    property,
    detail: properties.find(({ name }) => name === property)?.detail ?? '',
  }
}
