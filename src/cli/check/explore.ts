import { idsIn, limitsIn, PAIRS } from '../../api/arrangements.ts'
import { type CheckedWorld, checkModel } from '../../api/check-model.ts'
import { type WorstReport, whyIncomplete, worstReport } from '../../api/worst-report.ts'
import {
  anyFault,
  type CheckOptions,
  type CheckResult,
  type Counterexample,
  checkBeforeWalks,
  checkWorld,
  type FaultOptions,
  type IdPermutations,
  type ModelOptions,
  modeText,
  type SearchThreads,
  SystemCache,
  validateOptions,
  validateWorstCase,
  type WalkOptions,
  type WalksMade,
  walksIn,
} from '../../check/index.ts'
import type { HandlerCoverage } from '../../core/language/world.ts'
import { textIn } from '../../jobs/input-files.ts'
import { word } from '../../options/reading.ts'
import { scenarioInput } from '../../options/scenario.ts'
import type { CheckTarget } from '../../scenario/check-target.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { noteNetwork } from '../input/file-networks.ts'
import { readText } from '../input/read-file.ts'
import { type FileOrigin, locatorOf, remarksOf } from '../input/scenario-file.ts'
import { coverageOfFile } from '../input/user-algorithm.ts'
import { explorableOf } from '../input/user-properties.ts'
import type { Io } from '../io.ts'
import { cpuMs, explorationSpeed, ProgressLine } from '../terminal/progress.ts'
import { type BudgetFlags, budgetOf } from './budget-flags.ts'
import { checkCommandLine, type FollowUp, followUps, givenSize } from './counterexample-report.ts'
import { exploreUntilInterrupted, INTERRUPTED_REASON } from './interrupted-search.ts'
import { notesOn } from './report.ts'

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
  /** Every arrangement of the ids 1 to n, or these by position; empty if nodes have no ids. */
  readonly ids: 'all' | readonly number[]
  /** The number of arrangements that were explored. */
  readonly arrangements: number
  /** The limits within which it was explored: `{ term: 2 }`. */
  readonly explored: Readonly<Record<string, number>>
  readonly violated: (Counterexample & { readonly ids: readonly number[] }) | null
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
  /** After Ctrl-C the result is what was explored until then. */
  readonly interrupted: boolean
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

/** Makes as many random walks as asked for, or until the time is over; null after Ctrl-C. */
export type Walker = (walks: number, deadline: number | null) => Promise<WalksMade | null>

const NO_WALKS: WalksMade = {
  walks: 0,
  steps: 0,
  longest: 0,
  violating: null,
  cut: true,
  tolerated: [],
  limits: { draws: false, bounds: false, timeouts: false },
}

/** One world to explore, built from the flags, with any permutation of its ids. */
export class Exploration {
  threads: SearchThreads | undefined
  private readonly worst: WorstReport['of'] | null

  private constructor(
    private readonly name: string,
    private readonly options: Options,
    private readonly checked: CheckedWorld,
    /** Transitions cached for one permutation are reused for others. */
    private readonly systems: SystemCache,
    private readonly coverage: HandlerCoverage | undefined,
  ) {
    const { worst } = options
    this.worst =
      worst === undefined ? null : word<WorstReport['of']>('--worst', worst, ['messages', 'time'])
    const { target, model } = checked
    if (this.worst) validateWorstCase(target.world, model, this.worst)
  }

  get target(): CheckTarget {
    return this.checked.target
  }

  /** Null: only the ids of the target. */
  get arrangements(): IdPermutations | null {
    return this.checked.arrangements
  }

  /** Reads the definition and the flags; throws usage errors. */
  static async of(
    name: string,
    options: Options,
    texts?: Readonly<Record<string, string>>,
  ): Promise<Exploration> {
    const where = locatorOf(options)
    const place = options.file === undefined ? 'algorithm' : `${options.file.path}: algorithm`
    const explorable = await explorableOf(name, { where: place, covered: true })
    const coverage = await coverageOfFile(name)
    const readFile = (path: string) =>
      texts === undefined ? readText(path, where('topology')) : textIn(texts, path)
    const modelOf = (given: ScenarioInput) =>
      checkModel(explorable, given, options, { where, readFile })
    const given = scenarioInput(options)
    const usual = modelOf(given)
    // Without a clock the time is that of chains of messages, which need links in order.
    const inOrder =
      options.worst === 'time' && given.order === undefined && usual.model.mode === 'untimed'
    const checked = inOrder ? modelOf({ ...given, order: 'fifo' }) : usual
    // Before the checker does, which does not know the flags.
    validateOptions(checked.target.world, checked.model, where)
    const target = withCoverage(checked.target, coverage)
    return new Exploration(name, options, { ...checked, target }, new SystemCache(), coverage)
  }

  /** The same world with another permutation of the ids. */
  withIds(ids: readonly number[]): Exploration {
    const { name, options, checked, systems, coverage } = this
    const target = withCoverage(checked.target.permuted(ids), coverage)
    return new Exploration(name, options, { ...checked, target }, systems, coverage)
  }

  /** Explores the world; the flags have the budget, which may be smaller by now. */
  search(flags: BudgetFlags, line = new ProgressLine(SILENT), which = ''): SearchOutcome {
    const { world } = this.target
    const options = this.checkOptions(flags, line, which)
    const outcome = exploreUntilInterrupted(world, options, (told) =>
      this.outcomeOf(checkWorld(world, told, this.systems), told),
    )
    line.clear()
    return { worst: null, ...outcome }
  }

  /** The same with random walks that are made elsewhere. */
  private async searchAndWalk(
    flags: BudgetFlags,
    line: ProgressLine,
    walk: Walker,
  ): Promise<SearchOutcome> {
    const { world } = this.target
    const { seconds } = flags
    const deadline = seconds === undefined ? null : Date.now() + Number(seconds) * 1000
    const options = this.checkOptions(flags, line)
    const searched = exploreUntilInterrupted(world, options, (told) => {
      const found = checkBeforeWalks(world, told, this.systems)
      return 'states' in found ? this.outcomeOf(found, told) : { found }
    })
    line.clear()
    if (!('found' in searched)) return { worst: null, ...searched }
    const { found } = searched
    const made = await walk(options.walk!.walks, deadline)
    if (made !== null) return this.outcomeOf(found.afterWalks(made), options)
    return { result: { ...found.afterWalks(NO_WALKS), reason: INTERRUPTED_REASON }, worst: null }
  }

  /** Makes walks with any numbers. */
  walker(flags: BudgetFlags): (walk: Omit<WalkOptions, 'random'>) => WalksMade {
    const options = this.checkOptions(flags, new ProgressLine(SILENT))
    const walks = walksIn(this.target.world, options)
    const { random } = options.walk!
    return (walk) => walks({ random, ...walk })
  }

  private checkOptions(flags: BudgetFlags, line: ProgressLine, which = ''): CheckOptions {
    const { target, model } = this.checked
    const budget = budgetOf(flags, target.scenario.seed, line, which)
    const properties = target.properties(anyFault(model.faults ?? {}))
    const threads = this.threads && { threads: this.threads }
    return { ...model, properties, fairRuns: true, ...budget, ...threads }
  }

  private outcomeOf(result: CheckResult, options: CheckOptions): SearchOutcome {
    const { target, model } = this.checked
    const { world, conditions } = target
    const { reduction = 'auto', onProgress } = options
    const limits = { ...options.limits, ...(onProgress && { onProgress }) }
    const input = { world, model, conditions, limits, reduction }
    const worst = this.worst && worstReport(input, this.worst, whyIncomplete(result))
    return { result, worst }
  }

  private again(): readonly FollowUp[] {
    const { name, options } = this
    return followUps(name, options, checkCommandLine(name, options, givenSize(options)))
  }

  /** Explores the world and adds what the report needs. */
  async run(flags: BudgetFlags, io: Io, walk?: Walker): Promise<ExploredWorld> {
    const { name, options } = this
    const { target, model } = this.checked
    const { world, scenario } = target
    const { mode, faults = {} } = model
    const ids = idsIn(world)
    const before = cpuMs()
    const line = new ProgressLine(io)
    const { result, worst } =
      walk === undefined ? this.search(flags, line) : await this.searchAndWalk(flags, line, walk)
    const usedMs = cpuMs() - before
    const notes = notesOn(result, world, mode, faults)
    return {
      target,
      model,
      interrupted: result.reason === INTERRUPTED_REASON,
      result: {
        ...result,
        algorithm: name,
        ...(options.file && { file: remarksOf(options.file) }),
        topology: world.topology.name,
        mode: world.algorithm.meet === null ? modeText(mode) : PAIRS,
        order: model.order,
        wake: model.wake === ANY ? ANY : scenario.wake,
        ids,
        arrangements: 1,
        explored: limitsIn(world, model),
        violated: result.violated && { ...result.violated, ids },
        ...(anyFault(faults) && { faults }),
        ...(notes.length > 0 && { notes }),
        ...(result.violated !== null && { again: this.again() }),
        ...(worst && { worst }),
        speed: explorationSpeed(result.states, usedMs),
      },
    }
  }
}

function withCoverage(target: CheckTarget, coverage: HandlerCoverage | undefined): CheckTarget {
  return coverage === undefined ? target : { ...target, world: { ...target.world, coverage } }
}

/** The result of the search, and the worst case if it was requested. */
interface SearchOutcome {
  readonly result: CheckResult
  readonly worst: WorstReport | null
}
