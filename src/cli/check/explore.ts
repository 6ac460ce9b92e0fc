import {
  anyFault,
  boundedDelay,
  type CheckResult,
  check,
  defaultMode,
  FAULT_KINDS,
  type FaultOptions,
  type Mode,
  type ModelOptions,
  modeText,
  refuseUnmeasurable,
  SystemCache,
  withRestarts,
} from '../../check/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { type CheckTarget, checkTargetOf, type Explorable } from '../../scenario/check-target.ts'
import { integer } from '../../scenario/fields/reading.ts'
import { flagged } from '../../scenario/index.ts'
import { faultCount, readMode } from '../../trace/check-options-text.ts'
import { readText } from '../input/read-file.ts'
import { givenOf } from '../input/scenario-flags.ts'
import { explorableOf } from '../input/user-properties.ts'
import type { Io } from '../io.ts'
import { cpuMs, explorationSpeed } from '../terminal/progress.ts'
import { type BudgetFlags, budgetOf } from './budget-flags.ts'
import { notesOn } from './report.ts'
import { readWorst, type WorstReport, worstReport } from './worst-case.ts'

export interface Options extends Record<string, unknown>, BudgetFlags {
  readonly ids?: string
  readonly topology?: string
  readonly wake?: string
  readonly role?: string | readonly string[]
  readonly mode?: string
  readonly reappear?: true
  readonly draws?: string
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
  readonly faults?: FaultOptions
  /** How to read the result, where that needs saying. */
  readonly notes?: readonly string[]
  /** Only where it was asked for. */
  readonly worst?: WorstReport
  readonly speed: { readonly cpuMs: number; readonly statesPerSecond: number }
}

export interface ExploredWorld {
  readonly subject: CheckTarget
  readonly rules: ModelOptions
  readonly result: CheckReport
}

const ANY = 'any'

/** Of one node; more would never be reached. */
const MOST_DRAWS = 1_000_000

export const SILENT: Io = { out() {}, err() {}, colours: false, progress: false }

/** Explores the world that the options describe. */
export async function explore(name: string, options: Options, io: Io): Promise<ExploredWorld> {
  return (await Exploration.of(name, options)).run(options, io)
}

/** One world to explore, as the flags describe it, and orders of its ids. */
export class Exploration {
  private readonly worst: WorstReport['of'] | null

  private constructor(
    private readonly name: string,
    private readonly options: Options,
    readonly subject: CheckTarget,
    private readonly rules: ModelOptions,
    /** What is found out in one order helps to explore others. */
    private readonly systems: SystemCache,
  ) {
    this.worst = readWorst(options.worst)
    if (this.worst) refuseUnmeasurable(subject.world, rules, this.worst)
  }

  /** Reads the definition and the flags, and refuses what cannot be. */
  static async of(name: string, options: Options): Promise<Exploration> {
    const { subject, rules } = describedBy(name, options, await explorableOf(name))
    return new Exploration(name, options, subject, rules, new SystemCache())
  }

  /** The same world with the same ids in another order. */
  arranged(ids: readonly number[]): Exploration {
    const { name, options, rules, systems } = this
    const arranged = this.subject.arranged(ids)
    const subject = { ...arranged, world: withRestarts(arranged.world, rules.faults ?? {}) }
    return new Exploration(name, options, subject, rules, systems)
  }

  /** The flags say again what it may take, which may be less by now. */
  look(flags: BudgetFlags, io: Io): Looked {
    const { subject, rules, worst: of } = this
    const { world, conditions, scenario } = subject
    const { effort, done } = budgetOf(flags, scenario.seed, io)
    const properties = subject.properties(anyFault(rules.faults ?? {}))
    const asked = { ...rules, properties, fairRuns: true, ...effort }
    const result = check(world, asked, this.systems)
    done()
    const schedules = { world, rules, conditions, limits: effort.limits }
    const worst = of && worstReport(schedules, of, unexploredIn(result))
    return { result, worst }
  }

  /** The same, with all that is reported of it. */
  run(flags: BudgetFlags, io: Io): ExploredWorld {
    const { name, subject, rules } = this
    const { world, scenario } = subject
    const { mode, faults = {} } = rules
    const before = cpuMs()
    const { result, worst } = this.look(flags, io)
    const spent = cpuMs() - before
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
        wake: rules.wake === ANY ? ANY : scenario.wake,
        ...(anyFault(faults) && { faults }),
        ...(notes.length > 0 && { notes }),
        ...(worst && { worst }),
        speed: explorationSpeed(result.states, spent),
      },
    }
  }
}

/** What was found, and what it costs where that was asked for. */
interface Looked {
  readonly result: CheckResult
  readonly worst: WorstReport | null
}

/** Why nothing can be said of all runs. */
function unexploredIn({ reason, draws }: CheckResult): string | undefined {
  return draws?.enough === false ? `some runs take more than ${draws.most} draws of a node` : reason
}

function describedBy(name: string, options: Options, what: Explorable) {
  const asked = options.mode === undefined ? null : readMode('--mode', options.mode)
  const modeFor = (algorithm: Algorithm) => asked ?? modeUnasked(algorithm)
  const delay = 'algorithm' in what ? boundedDelay(what.algorithm, modeFor(what.algorithm)) : {}
  // Any at any moment is what else only the lack of --wake asks for; scenarios do not know it.
  const anybody = options.wake === ANY
  const { wake: named, ...flags } = givenOf(options)
  const given = { ...flags, ...(!anybody && named !== undefined && { wake: named }), ...delay }
  const found = checkTargetOf(what, given, flagged, (path) => readText(path, '--topology'))
  const { conditions, scenario } = found
  const mode = modeFor(found.world.algorithm)
  const faults = faultsOf(options, found)
  const world = withRestarts(found.world, faults)
  const { needs } = world.algorithm
  if (needs.time === 'rounds' && !(typeof mode === 'object' && mode.clocked === 1)) {
    refuseAsynchrony(name, options.mode ?? '', scenario['allow-weaker'] === true)
  }
  if (anybody && needs.start === 'together')
    refuseLateStart(name, scenario['allow-weaker'] === true)
  const fixed = !anybody && (options.wake !== undefined || needs.start === 'together')
  if (fixed) refuseTimes(conditions.starts.times, options.wake ?? 'all')
  else found.refuseAnyStart()
  const wake = fixed ? [...conditions.starts.nodes] : ANY
  const draws =
    options.draws === undefined ? {} : { draws: integer('--draws', options.draws, 1, MOST_DRAWS) }
  const rules: ModelOptions = { mode, order: scenario.order, wake, faults, ...draws }
  return { subject: { ...found, world }, rules }
}

/**
 * The one difference to `defaultMode`, which the command keeps for those who rely on it: bounded
 * delays are explored untimed unless --mode is given. The report then says what to try instead.
 */
function modeUnasked(algorithm: Algorithm): Mode {
  return algorithm.needs.time === 'bounded delay' ? 'untimed' : defaultMode(algorithm)
}

function faultsOf(options: Options, { scenario, conditions, detect }: CheckTarget): FaultOptions {
  const { nodes, times } = conditions.crashes
  if (times.some((time) => time >= 0))
    throw new UsageError(
      '--crash',
      `the checker knows nodes that were never up, and lets any others die at any moment, but ${scenario.crash} was given.`,
      'Leave the times out, or use --crashes 1.',
    )
  const counts = FAULT_KINDS.map((kind) => [kind, faultCount(`--${kind}`, options[kind])])
  return {
    ...Object.fromEntries(counts),
    reappear: options.reappear === true,
    detect,
    dead: [...nodes],
  }
}

function refuseAsynchrony(name: string, mode: string, allowed: boolean): void {
  if (allowed) return
  throw new UsageError(
    '--mode',
    `${name} needs synchronous rounds, but ${mode} was given.`,
    'Use clocked:1, or add --allow-weaker to see it break.',
  )
}

function refuseLateStart(name: string, allowed: boolean): void {
  if (allowed) return
  throw new UsageError(
    '--wake',
    `${name} needs all nodes to start at the beginning, but any was given.`,
    'Use --wake all, or add --allow-weaker to see it break.',
  )
}

function refuseTimes(times: Float64Array, wake: string): void {
  if (times.every((time) => time === 0)) return
  throw new UsageError(
    '--wake',
    `the checker wakes nodes at the beginning or at any moment, but ${wake} was given.`,
    'Leave the times out.',
  )
}
