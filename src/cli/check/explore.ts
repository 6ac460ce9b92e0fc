import { checkModel } from '../../api/check-model.ts'
import { type WorstReport, whyIncomplete, worstReport } from '../../api/worst-report.ts'
import {
  anyFault,
  type CheckOptions,
  type CheckResult,
  check,
  defaultMode,
  type FaultOptions,
  type Mode,
  type ModelOptions,
  modeText,
  type SearchThreads,
  SystemCache,
  search,
  validateOptions,
  validateWorstCase,
  type WalkOptions,
  type WalksMade,
  walksIn,
  withRestarts,
} from '../../check/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { textIn } from '../../experiment/study/input-files.ts'
import type { CheckTarget } from '../../scenario/check-target.ts'
import { word } from '../../scenario/fields/reading.ts'
import { noteNetwork } from '../input/file-networks.ts'
import { readText } from '../input/read-file.ts'
import { type FileOrigin, locatorOf, remarksOf } from '../input/scenario-file.ts'
import { givenOf } from '../input/scenario-flags.ts'
import { explorableOf } from '../input/user-properties.ts'
import type { Io } from '../io.ts'
import { cpuMs, explorationSpeed } from '../terminal/progress.ts'
import { type BudgetFlags, budgetOf } from './budget-flags.ts'
import { checkCommandLine, type FollowUp, followUps, givenSize } from './counterexample-report.ts'
import { notesOn, PAIRS } from './report.ts'

export interface Options extends Record<string, unknown>, BudgetFlags {
  readonly ids?: string
  readonly topology?: string
  readonly wake?: string
  readonly role?: string | readonly string[]
  readonly mode?: string
  readonly reappear?: true
  readonly oneWay?: true
  readonly drift?: string
  readonly draws?: string
  readonly bound?: readonly string[]
  readonly timeouts?: string
  readonly links?: string
  readonly json?: true
  readonly step?: true
  readonly svg?: string
  readonly trace?: string
  /** The scenario file that some of the options are from. */
  readonly file?: FileOrigin
}

export interface CheckReport extends CheckResult {
  readonly algorithm: string
  /** The scenario file, with its title and notes. */
  readonly file?: Omit<FileOrigin, 'taken'>
  readonly topology: string
  readonly mode: string
  readonly order: string
  readonly wake: string
  /** Only if faults are allowed. */
  readonly faults?: FaultOptions
  /** How to read the result. */
  readonly notes?: readonly string[]
  /** Where a property is violated: commands that show the counterexample again. */
  readonly again?: readonly FollowUp[]
  /** Only with `--worst`. */
  readonly worst?: WorstReport
  readonly speed: { readonly cpuMs: number; readonly statesPerSecond: number }
}

export interface ExploredWorld {
  readonly target: CheckTarget
  readonly model: ModelOptions
  readonly result: CheckReport
}

const ANY = 'any'

export const SILENT: Io = { out() {}, err() {}, colours: false, progress: false }

/**
 * Explores the world that the options describe. `walk` makes the random walks and `threads` help in
 * the search, if they are given.
 */
export async function explore(
  name: string,
  options: Options,
  io: Io,
  { walk, threads }: { readonly walk?: Walker; readonly threads?: SearchThreads } = {},
): Promise<ExploredWorld> {
  const exploration = await Exploration.of(name, options)
  noteNetwork(exploration.target.world.topology, io)
  exploration.threads = threads
  return exploration.run(options, io, walk)
}

/** Makes as many random walks as asked for, or until the time is over. */
export type Walker = (walks: number, deadline: number | null) => Promise<WalksMade>

/** One world to explore, built from the flags, with any permutation of its ids. */
export class Exploration {
  threads: SearchThreads | undefined
  private readonly worst: WorstReport['of'] | null

  private constructor(
    private readonly name: string,
    private readonly options: Options,
    readonly target: CheckTarget,
    private readonly model: ModelOptions,
    /** Transitions cached for one permutation are reused for others. */
    private readonly systems: SystemCache,
  ) {
    const { worst } = options
    this.worst =
      worst === undefined ? null : word<WorstReport['of']>('--worst', worst, ['messages', 'time'])
    if (this.worst) validateWorstCase(target.world, model, this.worst)
  }

  /** Reads the definition and the flags; throws usage errors. */
  static async of(
    name: string,
    options: Options,
    texts?: Readonly<Record<string, string>>,
  ): Promise<Exploration> {
    const where = locatorOf(options)
    const place = options.file === undefined ? 'algorithm' : `${options.file.path}: algorithm`
    const explorable = await explorableOf(name, { where: place })
    const { target, model } = checkModel(explorable, givenOf(options), options, {
      where,
      readFile: (path) =>
        texts === undefined ? readText(path, where('topology')) : textIn(texts, path),
      modeFor: modeWithoutFlag,
    })
    // Before the checker does, which does not know the flags.
    validateOptions(target.world, model, where)
    return new Exploration(name, options, target, model, new SystemCache())
  }

  /** The same world with another permutation of the ids. */
  withIds(ids: readonly number[]): Exploration {
    const { name, options, model, systems } = this
    const permuted = this.target.permuted(ids)
    const target = { ...permuted, world: withRestarts(permuted.world, model.faults ?? {}) }
    return new Exploration(name, options, target, model, systems)
  }

  /** Explores the world; the flags have the budget, which may be smaller by now. */
  search(flags: BudgetFlags, io: Io): SearchOutcome {
    const { options, done } = this.checkOptions(flags, io)
    const outcome = this.outcomeOf(check(this.target.world, options, this.systems), options)
    done()
    return outcome
  }

  /** The same with random walks that are made elsewhere. */
  private async searchAndWalk(flags: BudgetFlags, io: Io, walk: Walker): Promise<SearchOutcome> {
    const { seconds } = flags
    const deadline = seconds === undefined ? null : Date.now() + Number(seconds) * 1000
    const { options, done } = this.checkOptions(flags, io)
    const searched = search(this.target.world, options, this.systems)
    done()
    if ('states' in searched) return this.outcomeOf(searched, options)
    const made = await walk(options.walk!.walks, deadline)
    return this.outcomeOf(searched.afterWalks(made), options)
  }

  /** Makes walks with any numbers. */
  walker(flags: BudgetFlags): (walk: Omit<WalkOptions, 'random'>) => WalksMade {
    const { options } = this.checkOptions(flags, SILENT)
    const walks = walksIn(this.target.world, options)
    const { random } = options.walk!
    return (walk) => walks({ random, ...walk })
  }

  private checkOptions(flags: BudgetFlags, io: Io): { options: CheckOptions; done: () => void } {
    const { target, model } = this
    const { options: budget, done } = budgetOf(flags, target.scenario.seed, io)
    const properties = target.properties(anyFault(model.faults ?? {}))
    const threads = this.threads && { threads: this.threads }
    return { options: { ...model, properties, fairRuns: true, ...budget, ...threads }, done }
  }

  private outcomeOf(result: CheckResult, options: CheckOptions): SearchOutcome {
    const { world, conditions } = this.target
    const { reduction = 'auto', onProgress } = options
    const limits = { ...options.limits, ...(onProgress && { onProgress }) }
    const input = { world, model: this.model, conditions, limits, reduction }
    const worst = this.worst && worstReport(input, this.worst, whyIncomplete(result))
    return { result, worst }
  }

  private again(): readonly FollowUp[] {
    const { name, options } = this
    return followUps(name, options, checkCommandLine(name, options, givenSize(options)))
  }

  /** Explores the world and adds what the report needs. */
  async run(flags: BudgetFlags, io: Io, walk?: Walker): Promise<ExploredWorld> {
    const { name, options, target, model } = this
    const { world, scenario } = target
    const { mode, faults = {} } = model
    const before = cpuMs()
    const { result, worst } =
      walk === undefined ? this.search(flags, io) : await this.searchAndWalk(flags, io, walk)
    const usedMs = cpuMs() - before
    const notes = notesOn(result, world, mode, faults)
    return {
      target,
      model,
      result: {
        ...result,
        algorithm: name,
        ...(options.file && { file: remarksOf(options.file) }),
        topology: world.topology.name,
        mode: world.algorithm.meet === null ? modeText(mode) : PAIRS,
        order: model.order,
        wake: model.wake === ANY ? ANY : scenario.wake,
        ...(anyFault(faults) && { faults }),
        ...(notes.length > 0 && { notes }),
        ...(result.violated !== null && { again: this.again() }),
        ...(worst && { worst }),
        speed: explorationSpeed(result.states, usedMs),
      },
    }
  }
}

/** The result of the search, and the worst case if it was requested. */
interface SearchOutcome {
  readonly result: CheckResult
  readonly worst: WorstReport | null
}

/**
 * The only difference from `defaultMode`, kept for compatibility: without --mode, bounded delays
 * are explored untimed. The report then suggests a mode. Where nodes never fall silent that would
 * have no end.
 */
function modeWithoutFlag(algorithm: Algorithm): Mode {
  const { needs, quiet } = algorithm
  const ends = quiet !== 'never'
  return needs.time === 'bounded delay' && ends ? 'untimed' : defaultMode(algorithm)
}
