import { Command } from 'commander'
import {
  anyFault,
  type CheckResult,
  check,
  type FaultRules,
  type Mode,
  ringCloses,
} from '../../check/index.ts'
import { type Algorithm, Complaint } from '../../core/index.ts'
import { isRenewable, renewed } from '../../core/renewal.ts'
import { realIds, type World } from '../../core/world.ts'
import { spaceTime } from '../../diagram/space-time.ts'
import { decimal, integer } from '../../scenario/reading.ts'
import { notesOn, notesReport } from '../check-notes.ts'
import { checkReport } from '../check-report.ts'
import { type Subject, subjectOf } from '../check-subject.ts'
import { refuseUnwritable, writeWhole } from '../files.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { grouped, paintFor } from '../paint.ts'
import { addScenarioFlags, givenOf } from '../scenario-flags.ts'

const FLAGS = [
  ...['topology', 'n', 'ids', 'wake', 'order', 'seed', 'set', 'allow-weaker'],
  ...['crash', 'detect', 'values', 'elect-by'],
]
const WORDS = {
  wake: 'who starts, at the beginning: all or 0,4 (default: any, at any moment)',
  order: 'fifo or any (default: fifo)',
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
const QUIET_MS = 1000
/** Of one kind of fault; more than any small world bears. */
const MANY = 1000

interface Options extends Record<string, unknown> {
  readonly wake?: string
  readonly mode?: string
  readonly states: string
  readonly memory: string
  readonly reappear?: true
  readonly reduction: string
  readonly exact?: true
  readonly seconds?: string
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
  readonly speed: { readonly cpuMs: number; readonly statesPerSecond: number }
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

Examples:
  conclave check lcr -n 5
  conclave check hirschberg-sinclair --ids 3,1,4,2
  conclave check slow-fast --ids 2,1,3 --mode clocked:1
  conclave check lcr -n 4 --crashes 1
  conclave check bully -n 3 --crashes 1 --mode clocked:2
  conclave check gossip-average-naive --values 0,4,8
  conclave check peterson -n 4 --order any --allow-weaker --svg broken.svg`

export function checkCommand(io: Io, leave: Leave): Command {
  const command = new Command('check')
    .description('explore every interleaving of a small world')
    .argument('<algorithm>', 'a name from conclave list, or a definition (.ts)')
  addScenarioFlags(command, FLAGS, WORDS)
  for (const kind of BUDGETS) command.option(`--${kind} <count>`, `${FAULTS[kind]} (default: 0)`)
  return command
    .option('--reappear', 'who comes back does so under the id of another node')
    .option(
      '--mode <mode>',
      'untimed, patient or clocked:D (default: untimed; clocked:1 for rounds)',
    )
    .option('--reduction <how>', 'off, or auto: leave out orders that make no difference', 'auto')
    .option('--exact', 'keep every state whole, not a hash of 64 bits')
    .option('--states <count>', 'give up beyond so many states', '10000000')
    .option('--memory <MB>', 'give up beyond so much memory', '4000')
    .option('--seconds <S>', 'give up after so many seconds')
    .option('--json', 'one JSON document')
    .option('--svg <file>', 'draw the counterexample, if there is one')
    .option('--trace <file>', 'write the counterexample as JSON lines, if there is one')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, options: Options) => {
      refuseUnwritable(options.trace, '--trace')
      refuseUnwritable(options.svg, '--svg')
      const report = await explore(name, options, io)
      const { violated } = report.result
      if (violated !== null) writePictures(report, options)
      io.out(
        options.json
          ? `${JSON.stringify(documentOf(report.result))}\n`
          : checkReport(report.result, paintFor(io.colours)) + notesReport(report.result.notes),
      )
      leave(violated === null ? EXIT.done : EXIT.violated)
    })
}

async function explore(
  name: string,
  options: Options,
  io: Io,
): Promise<{ subject: Subject; result: CheckReport }> {
  const asked = options.mode === undefined ? null : modeOf(options.mode)
  const modeFor = ({ needs }: Algorithm) =>
    asked ?? modeOf(needs.time === 'rounds' ? 'clocked:1' : 'untimed')
  const subject = await subjectOf(name, givenOf(options), (algorithm) =>
    delayOf(modeFor(algorithm), algorithm),
  )
  const { conditions, scenario } = subject
  const mode = modeFor(subject.world.algorithm)
  const faults = faultsOf(options, subject)
  const world = renewing(subject.world, faults)
  const { needs } = world.algorithm
  const faulty = anyFault(faults)
  if (needs.time === 'rounds' && !(typeof mode === 'object' && mode.clocked === 1)) {
    refuseAsynchrony(name, options.mode ?? '', scenario['allow-weaker'] === true)
  }
  const fixed = options.wake !== undefined || needs.start === 'together'
  if (fixed) refuseTimes(conditions.starts.times, options.wake ?? 'all')
  else subject.refuseAnyStart()
  const seconds =
    options.seconds === undefined
      ? Number.POSITIVE_INFINITY
      : decimal('--seconds', options.seconds, 'a number of seconds above 0', 60, (s) => s > 0)
  const begun = Date.now()
  const before = process.cpuUsage()
  const result = check(world, {
    mode,
    order: scenario.order,
    wake: fixed ? [...conditions.starts.nodes] : 'any',
    properties: subject.properties(faulty),
    faults,
    reduction: reductionOf(options.reduction),
    exact: options.exact === true,
    limits: {
      states: integer('--states', options.states, 1, Number.MAX_SAFE_INTEGER),
      memoryMB: integer('--memory', options.memory, 1, 1_000_000),
      expired: () => Date.now() - begun > seconds * 1000,
    },
    onProgress: ({ states, depth, frontier }) => {
      if (!io.progress || Date.now() - begun < QUIET_MS) return
      io.err(`\r\x1b[K${grouped(states)} states, depth ${depth}, ${grouped(frontier)} to look at`)
    },
  })
  if (io.progress && Date.now() - begun >= QUIET_MS) io.err('\r\x1b[K')
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1000
  const notes = notesOn(result, world, mode, faults)
  return {
    subject,
    result: {
      ...result,
      algorithm: name,
      topology: world.topology.name,
      mode: typeof mode === 'string' ? mode : `clocked:${mode.clocked}`,
      order: scenario.order,
      wake: fixed ? scenario.wake : 'any',
      ...(faulty && { faults }),
      ...(notes.length > 0 && { notes }),
      speed: { cpuMs, statesPerSecond: Math.round((result.states / cpuMs) * 1000) },
    },
  }
}

function modeOf(text: string): Mode {
  if (text === 'untimed' || text === 'patient') return text
  if (text.startsWith('clocked:')) {
    return {
      clocked: integer('--mode', text.slice('clocked:'.length), 1, 1000, 'the D of clocked:D'),
    }
  }
  throw new Complaint(
    '--mode',
    'untimed, patient or clocked:D is needed',
    `${JSON.stringify(text)} was given`,
    'Write clocked:1 for synchronous rounds.',
  ).meaning(text, ['untimed', 'patient', 'clocked'])
}

function reductionOf(text: string): 'off' | 'auto' {
  if (text === 'off' || text === 'auto') return text
  throw new Complaint(
    '--reduction',
    'off or auto is needed',
    `${JSON.stringify(text)} was given`,
    'Leave it out for auto.',
  ).meaning(text, ['off', 'auto'])
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
  const counts = BUDGETS.map((kind) => [kind, integer(`--${kind}`, options[kind] ?? 0, 0, MANY)])
  return {
    ...Object.fromEntries(counts),
    reappear: options.reappear === true,
    detect,
    dead: [...nodes],
  }
}

/** As in `run`: where a ring closes over its dead, the election starts again. */
function renewing(world: World, faults: FaultRules): World {
  const { algorithm } = world
  const { crashes = 0, recoveries = 0 } = faults
  const told = ringCloses(world, faults) && crashes + recoveries > 0
  return told && isRenewable(algorithm) ? { ...world, algorithm: renewed(algorithm) } : world
}

function refuseAsynchrony(name: string, mode: string, allowed: boolean): void {
  if (allowed) return
  throw new Complaint(
    '--mode',
    `${name} needs synchronous rounds`,
    `${mode} was given`,
    'Use clocked:1, or add --allow-weaker to see it break.',
  )
}

function refuseTimes(times: Float64Array, wake: string): void {
  if (times.every((time) => time === 0)) return
  throw new Complaint(
    '--wake',
    'the checker wakes nodes at the beginning or at any moment',
    `${wake} was given`,
    'Leave the times out.',
  )
}

/** What `--json` prints: the events are only for pictures. */
function documentOf({ violated, ...rest }: CheckReport) {
  return {
    ...rest,
    violated: violated === null ? null : { property: violated.property, trace: violated.trace },
  }
}

function writePictures(
  { subject: { world, scenario }, result }: { subject: Subject; result: CheckReport },
  { svg, trace }: Options,
): void {
  const { violated } = result
  if (violated === null) return
  if (trace !== undefined) {
    const header = { event: 'scenario', scenario }
    const lines = [header, ...violated.events].map((event) => JSON.stringify(event))
    writeWhole(trace, `${lines.join('\n')}\n`, '--trace')
  }
  if (svg !== undefined) {
    const picture = spaceTime(violated.events, {
      title: `${result.algorithm} on ${result.topology}: "${violated.property}" is broken`,
      subtitle: `a shortest counterexample, ${violated.trace.length} steps`,
      n: world.topology.n,
      ...(world.algorithm.needs.ids && { ids: realIds(world) }),
      unit: violated.unit === 'round' ? 'round' : 'time',
      ring: world.topology.kind === 'ring',
    })
    writeWhole(svg, picture, '--svg')
  }
}
