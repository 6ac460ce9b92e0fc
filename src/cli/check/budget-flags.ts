import type { Command } from 'commander'
import { searchBudget } from '../../api/check-model.ts'
import type { CheckOptions, SearchProgress } from '../../check/index.ts'
import { grouped } from '../../core/text-format.ts'
import { flagged } from '../../scenario/index.ts'
import type { Io } from '../io.ts'
import { ProgressLine } from '../terminal/progress.ts'

/** How an exploration goes about it, and what it may take. */
export interface BudgetFlags {
  readonly reduction: string
  readonly exact?: true
  readonly states: string
  readonly memory: string
  readonly seconds?: string
  readonly walk?: string | true
}

type Effort = Pick<CheckOptions, 'reduction' | 'exact' | 'limits' | 'walk' | 'onProgress'>

/** Where neither a number nor a time is given. */
const WALKS = 1000

export function addBudgetFlags(command: Command): Command {
  return command
    .option('--reduction <how>', 'off, or auto: leave out orders that make no difference', 'auto')
    .option('--exact', 'keep every state whole, not a hash of 64 bits')
    .option('--states <count>', 'give up beyond so many states', '10000000')
    .option('--memory <MB>', 'give up beyond so much memory', '4000')
    .option('--seconds <S>', 'give up after so many seconds')
    .option('--walk [count]', `after giving up, so many random walks (default: ${WALKS})`)
}

/** What the flags ask for; the clock starts now. `done` takes the last line of progress back. */
export function budgetOf(
  flags: BudgetFlags,
  seed: number,
  io: Io,
): { effort: Effort; done: () => void } {
  const line = new ProgressLine(io)
  return {
    effort: {
      ...searchBudget(flags, seed, flagged, () => line.elapsedMs),
      onProgress: (progress) => line.show(() => progressText(progress, line.elapsedMs)),
    },
    done: () => line.clear(),
  }
}

function progressText({ states, depth, frontier }: SearchProgress, elapsedMs: number): string {
  const rate = grouped(Math.round((states / elapsedMs) * 1000))
  return `${grouped(states)} states (${rate} per second), depth ${depth}, ${grouped(frontier)} in the queue`
}

/** The same walks where a time is given besides that nobody asked for. */
export function walksWithin({ walk, seconds }: BudgetFlags): Pick<BudgetFlags, 'walk'> {
  return walk === true && seconds === undefined ? { walk: String(WALKS) } : {}
}
