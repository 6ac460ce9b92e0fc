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
  validateWorstCase,
  withRestarts,
} from '../../check/index.ts'
import type { Algorithm } from '../../core/index.ts'
import type { CheckTarget } from '../../scenario/check-target.ts'
import { flagged } from '../../scenario/index.ts'
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
    if (this.worst) validateWorstCase(subject.world, rules, this.worst)
  }

  /** Reads the definition and the flags, and refuses what cannot be. */
  static async of(name: string, options: Options): Promise<Exploration> {
    const { target, model } = checkModel(await explorableOf(name), givenOf(options), options, {
      where: flagged,
      readFile: (path) => readText(path, '--topology'),
      modeFor: modeUnasked,
    })
    return new Exploration(name, options, target, model, new SystemCache())
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

/**
 * The one difference to `defaultMode`, which the command keeps for those who rely on it: bounded
 * delays are explored untimed unless --mode is given. The report then says what to try instead.
 */
function modeUnasked(algorithm: Algorithm): Mode {
  return algorithm.needs.time === 'bounded delay' ? 'untimed' : defaultMode(algorithm)
}
