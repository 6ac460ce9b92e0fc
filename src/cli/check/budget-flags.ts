import { searchBudget } from '../../api/check-model.ts'
import type { CheckOptions, SearchProgress } from '../../check/index.ts'
import { grouped } from '../../core/text-format.ts'
import { flagged } from '../../scenario/index.ts'
import type { ProgressLine } from '../terminal/progress.ts'

/** The reduction, the budget and the random walks of an exploration. */
export interface BudgetFlags {
  readonly reduction: string
  readonly exact?: true
  readonly states: string
  readonly memory: string
  readonly seconds?: string
  readonly walk?: string | true
}

type BudgetOptions = Pick<CheckOptions, 'reduction' | 'exact' | 'limits' | 'walk' | 'onProgress'>

/** If neither a number nor a time is given. */
const WALKS = 1000

/** Reads the flags; the clock starts with the line of progress. */
export function budgetOf(
  flags: BudgetFlags,
  seed: number,
  line: ProgressLine,
  /** Which of several searches it is. */
  which = '',
): BudgetOptions {
  return {
    ...searchBudget(flags, seed, flagged, () => line.elapsedMs),
    onProgress: (progress) => line.show(() => `${which}${progressText(progress, line.elapsedMs)}`),
  }
}

const EXAMINED = {
  cycles: 'looking for cycles',
  fairness: 'looking for fair cycles',
  costs: 'computing costs',
} as const

function progressText(
  { states, depth, frontier, graph, examined }: SearchProgress,
  elapsedMs: number,
): string {
  const rate = grouped(Math.round((states / elapsedMs) * 1000))
  const counts = `${grouped(states)} states (${rate} per second)`
  if (examined !== undefined) return `${counts} in the graph of runs, ${EXAMINED[examined]}`
  const part = graph ? 'in the graph of runs' : `depth ${depth}`
  return `${counts}, ${part}, ${grouped(frontier)} in the queue`
}

/** Keeps the number of walks if only the pool sets a time limit. */
export function walksWithin({ walk, seconds }: BudgetFlags): Pick<BudgetFlags, 'walk'> {
  return walk === true && seconds === undefined ? { walk: String(WALKS) } : {}
}
