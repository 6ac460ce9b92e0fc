import { checkModel } from '../../api/check-model.ts'
import {
  anyFault,
  type CheckResult,
  check,
  defaultMode,
  type FaultOptions,
  type Mode,
  type ModelOptions,
  modeText,
  SystemCache,
  validateOptions,
  validateWorstCase,
  withRestarts,
} from '../../check/index.ts'
import type { Algorithm } from '../../core/index.ts'
import type { CheckTarget } from '../../scenario/check-target.ts'
import { noteNetwork } from '../input/file-networks.ts'
import { readText } from '../input/read-file.ts'
import { type FileOrigin, locatorOf, remarksOf } from '../input/scenario-file.ts'
import { givenOf } from '../input/scenario-flags.ts'
import { explorableOf } from '../input/user-properties.ts'
import type { Io } from '../io.ts'
import { cpuMs, explorationSpeed } from '../terminal/progress.ts'
import { type BudgetFlags, budgetOf } from './budget-flags.ts'
import { checkCommandLine, type FollowUp, followUps, givenSize } from './counterexample-report.ts'
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

/** Explores the world that the options describe. */
export async function explore(name: string, options: Options, io: Io): Promise<ExploredWorld> {
  const exploration = await Exploration.of(name, options)
  noteNetwork(exploration.target.world.topology, io)
  return exploration.run(options, io)
}

/** One world to explore, built from the flags, with any permutation of its ids. */
export class Exploration {
  private readonly worst: WorstReport['of'] | null

  private constructor(
    private readonly name: string,
    private readonly options: Options,
    readonly target: CheckTarget,
    private readonly model: ModelOptions,
    /** Transitions cached for one permutation are reused for others. */
    private readonly systems: SystemCache,
  ) {
    this.worst = readWorst(options.worst)
    if (this.worst) validateWorstCase(target.world, model, this.worst)
  }

  /** Reads the definition and the flags; throws usage errors. */
  static async of(name: string, options: Options): Promise<Exploration> {
    const where = locatorOf(options)
    const place = options.file === undefined ? 'algorithm' : `${options.file.path}: algorithm`
    const explorable = await explorableOf(name, { where: place })
    const { target, model } = checkModel(explorable, givenOf(options), options, {
      where,
      readFile: (path) => readText(path, where('topology')),
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
    const { target, model, worst: of } = this
    const { world, conditions, scenario } = target
    const { options: budget, done } = budgetOf(flags, scenario.seed, io)
    const properties = target.properties(anyFault(model.faults ?? {}))
    const checkOptions = { ...model, properties, fairRuns: true, ...budget }
    const result = check(world, checkOptions, this.systems)
    done()
    const input = { world, model, conditions, limits: budget.limits }
    const worst = of && worstReport(input, of, whyIncomplete(result))
    return { result, worst }
  }

  private again(): readonly FollowUp[] {
    const { name, options } = this
    return followUps(name, options, checkCommandLine(name, options, givenSize(options)))
  }

  /** Explores the world and adds what the report needs. */
  run(flags: BudgetFlags, io: Io): ExploredWorld {
    const { name, options, target, model } = this
    const { world, scenario } = target
    const { mode, faults = {} } = model
    const before = cpuMs()
    const { result, worst } = this.search(flags, io)
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
        mode: modeText(mode),
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

/** Why not all runs were explored. */
function whyIncomplete({ reason, draws, bounds, timeouts }: CheckResult): string | undefined {
  if (draws?.enough === false)
    return `some runs need more than ${draws.most} random choices of a node`
  if (bounds?.enough === false) return 'some runs exceed the bound of a state field'
  if (timeouts?.enough === false) return 'not every random delay was tried'
  return reason
}

/**
 * The only difference from `defaultMode`, kept for compatibility: without --mode, bounded delays
 * are explored untimed. The report then suggests a mode.
 */
function modeWithoutFlag(algorithm: Algorithm): Mode {
  return algorithm.needs.time === 'bounded delay' ? 'untimed' : defaultMode(algorithm)
}
