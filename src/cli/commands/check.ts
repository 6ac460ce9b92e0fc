import { Command } from 'commander'
import {
  anyFault,
  type CheckResult,
  check,
  type FaultRules,
  type Mode,
  type Rules,
  renewing,
  sampleRun,
} from '../../check/index.ts'
import { type Algorithm, Complaint } from '../../core/index.ts'
import { faultCount, modeText, readMode } from '../../replay/checker-rules.ts'
import { flagged } from '../../scenario/index.ts'
import { type Subject, subjectOf } from '../../scenario/subject.ts'
import { exploreAll } from '../check-all.ts'
import { documentOf } from '../check-document.ts'
import { addEffortFlags, type EffortFlags, effortOf } from '../check-effort.ts'
import { writeStory } from '../check-files.ts'
import { COVERAGE_HELP } from '../check-help.ts'
import { notesOn, notesReport } from '../check-notes.ts'
import { refuseAsynchrony, refuseTimes } from '../check-refusals.ts'
import { checkReport } from '../check-report.ts'
import { readWorst, type WorstReport, worstReport } from '../check-worst.ts'
import { cpuMs, explorationSpeed } from '../cpu-time.ts'
import { readText, refuseUnwritable } from '../files.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { paintFor } from '../paint.ts'
import { addScenarioFlags, givenOf } from '../scenario-flags.ts'
import { explorableOf } from '../user-algorithm.ts'

const FLAGS = [
  ...['topology', 'n', 'ids', 'wake', 'order', 'seed', 'set', 'allow-weaker'],
  ...['crash', 'detect', 'values', 'elect-by'],
]
const WORDS = {
  wake: 'who starts, at the beginning: all or 0,4 (default: any, at any moment)',
  order: 'fifo or any (default: fifo)',
  ids: '3,2,7 or increasing, decreasing, ...; all: every arrangement of 1..n (default: random)',
  crash: 'who is dead from the beginning: 7 or 2,7',
  detect: 'mode clocked: after how long a fault is noticed; off: never (default: 1)',
}
const BUDGETS = ['crashes', 'losses', 'duplicates', 'cuts', 'recoveries'] as const
const FAULTS: Readonly<Record<(typeof BUDGETS)[number], string>> = {
  crashes: 'any live node may die, at any moment and in the middle of its sends, so many times',
  losses: 'any message in flight may get lost, so many times',
  duplicates: 'any message in flight may be doubled, so many times',
  cuts: 'any link of a general graph may be cut for good, so many times',
  recoveries: 'any dead node may come back, so many times',
}

export interface Options extends Record<string, unknown>, EffortFlags {
  readonly ids?: string
  readonly wake?: string
  readonly mode?: string
  readonly reappear?: true
  readonly json?: true
  readonly svg?: string
  readonly trace?: string
}

export interface CheckReport extends CheckResult {
  readonly algorithm: string
  readonly topology: string
  readonly mode: string
  readonly order: string
  readonly wake: string
  /** Only where something may go wrong. */
  readonly faults?: FaultRules
  /** How to read the result, where that needs saying. */
  readonly notes?: readonly string[]
  /** Only where it was asked for. */
  readonly worst?: WorstReport
  readonly speed: { readonly cpuMs: number; readonly statesPerSecond: number }
}

export interface Explored {
  readonly subject: Subject
  readonly rules: Rules
  readonly result: CheckReport
}

const EXAMPLES = `
By default any non-empty set of nodes may wake by itself, each at any moment.
Modes: untimed, a timer may go off at any moment once it is set; patient, only when nothing is in
flight; clocked:D, whole units of time, every message takes 1 to D of them and timers are exact.
Faults: what may go wrong at any moment, each kind at most so many times. A crash or a cut is told
to each neighbour at any later moment; in mode clocked after the time that --detect says. On a
ring everybody is told of a crash: the ring closes, and the election starts again. All are told
the same in the same order, each at its own moment; who comes back knows all of it at once. After a
recovery an old leader may stand until it hears of the new one: in mode clocked as long as the
algorithm says, else until nothing more happens.
Aggregations: every node begins at most two exchanges (--set exchanges=2).
A definition (.ts) may export more to judge: export const properties = [{ name, when: 'always' or
'at the end', broken(situation) }], where broken tells what is wrong, or null where nothing is.

Examples:
  conclave check lcr -n 5
  conclave check hirschberg-sinclair --ids 3,1,4,2
  conclave check slow-fast --ids 2,1,3 --mode clocked:1
  conclave check lcr -n 4 --crashes 1
  conclave check bully -n 3 --crashes 1 --mode clocked:2
  conclave check gossip-average-naive --values 0,4,8
  conclave check peterson -n 4 --order any --allow-weaker --svg broken.svg
  conclave check lcr -n 3 --ids same --trace broken.jsonl
  conclave run --replay broken.jsonl`

export function checkCommand(io: Io, leave: Leave): Command {
  const command = new Command('check')
    .description('explore every interleaving of a small world')
    .argument('<algorithm>', 'a name from conclave list, or a definition (.ts)')
  addScenarioFlags(command, FLAGS, WORDS)
  for (const kind of BUDGETS) command.option(`--${kind} <count>`, `${FAULTS[kind]} (default: 0)`)
  command
    .option('--reappear', 'who comes back does so under the id of another node')
    .option(
      '--mode <mode>',
      'untimed, patient or clocked:D (default: untimed; clocked:1 for rounds)',
    )
  return addEffortFlags(command)
    .option('--worst <what>', 'messages or time: the exact worst and best case over all schedules')
    .option('--json', 'one JSON document')
    .option('--svg <file>', 'draw the counterexample, or a sample run where all holds')
    .option('--trace <file>', 'write it as JSON lines, for conclave run --replay')
    .addHelpText('after', EXAMPLES)
    .addHelpText('after', COVERAGE_HELP)
    .action(async (name: string, options: Options) => {
      refuseUnwritable(options.trace, '--trace')
      refuseUnwritable(options.svg, '--svg')
      const explored =
        options.ids === 'all'
          ? await exploreAll(name, options, explore, io)
          : await explore(name, options, io)
      if (explored === null) return leave(EXIT.interrupted)
      const { subject, rules, result } = explored
      const { scenario, world } = subject
      if (options.trace !== undefined || options.svg !== undefined) {
        const story = result.violated ?? sampleRun(world, rules, scenario.seed)
        writeStory({ scenario, world, rules, story, broken: brokenIn(result) }, options)
      }
      io.out(
        options.json
          ? `${JSON.stringify(documentOf(result))}\n`
          : checkReport(result, paintFor(io.colours)) + notesReport(result.notes),
      )
      leave(result.violated === null ? EXIT.done : EXIT.violated)
    })
}

/** Explores one world. */
export async function explore(
  name: string,
  options: Options,
  io: Io,
  measure = cpuMs,
): Promise<Explored> {
  const asked = options.mode === undefined ? null : readMode('--mode', options.mode)
  const modeFor = ({ needs }: Algorithm) =>
    asked ?? readMode('--mode', needs.time === 'rounds' ? 'clocked:1' : 'untimed')
  const what = await explorableOf(name)
  const delay = 'algorithm' in what ? delayOf(modeFor(what.algorithm), what.algorithm) : {}
  const given = { ...givenOf(options), ...delay }
  const found = subjectOf(what, given, flagged, (path) => readText(path, '--topology'))
  const { conditions, scenario } = found
  const mode = modeFor(found.world.algorithm)
  const faults = faultsOf(options, found)
  const world = renewing(found.world, faults)
  const subject = { ...found, world }
  const { needs } = world.algorithm
  const faulty = anyFault(faults)
  if (needs.time === 'rounds' && !(typeof mode === 'object' && mode.clocked === 1)) {
    refuseAsynchrony(name, options.mode ?? '', scenario['allow-weaker'] === true)
  }
  const fixed = options.wake !== undefined || needs.start === 'together'
  if (fixed) refuseTimes(conditions.starts.times, options.wake ?? 'all')
  else subject.refuseAnyStart()
  const worst = readWorst(options.worst)
  const { effort, done } = effortOf(options, scenario.seed, io)
  const before = measure()
  const wake = fixed ? [...conditions.starts.nodes] : 'any'
  const rules: Rules = { mode, order: scenario.order, wake, faults }
  const result = check(world, {
    ...rules,
    properties: subject.properties(faulty),
    fairRuns: true,
    ...effort,
  })
  done()
  const schedules = { world, rules, conditions, limits: effort.limits }
  const costs = worst && worstReport(schedules, worst, result.reason)
  const spent = measure() - before
  const notes = notesOn(result, world, mode, faults)
  return {
    subject,
    rules,
    result: {
      ...result,
      algorithm: name,
      topology: world.topology.name,
      mode: modeText(mode),
      order: scenario.order,
      wake: fixed ? scenario.wake : 'any',
      ...(faulty && { faults }),
      ...(notes.length > 0 && { notes }),
      ...(costs && { worst: costs }),
      speed: explorationSpeed(result.states, spent),
    },
  }
}

/** What algorithms that know how long a message may take are told. */
function delayOf(mode: Mode, { needs }: Algorithm): { delay?: string } {
  const bounded = typeof mode !== 'string' && needs.time === 'bounded delay'
  return bounded ? { delay: `uniform:1:${mode.clocked}` } : {}
}

function faultsOf(options: Options, { scenario, conditions, detect }: Subject): FaultRules {
  const { nodes, times } = conditions.crashes
  if (times.some((time) => time >= 0))
    throw new Complaint(
      '--crash',
      'the checker knows nodes that were never up, and lets any others die at any moment',
      `${scenario.crash} was given`,
      'Leave the times out, or use --crashes 1.',
    )
  const counts = BUDGETS.map((kind) => [kind, faultCount(`--${kind}`, options[kind])])
  return {
    ...Object.fromEntries(counts),
    reappear: options.reappear === true,
    detect,
    dead: [...nodes],
  }
}

/** What the counterexample breaks, and how. */
function brokenIn({ violated, properties }: CheckReport) {
  if (violated === null) return null
  const { property } = violated
  return {
    property,
    detail: properties.find(({ name }) => name === property)?.detail ?? '',
  }
}
