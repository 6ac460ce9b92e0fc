import type { Command } from 'commander'
import type { CheckOptions, SearchProgress } from '../../check/index.ts'
import { Random, UsageError } from '../../core/index.ts'
import { grouped } from '../../core/text-format.ts'
import { decimal, integer } from '../../scenario/fields/reading.ts'
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
const MOST_WALKS = 1_000_000_000

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
  const given = flags.seconds
  const seconds =
    given === undefined
      ? Number.POSITIVE_INFINITY
      : decimal('--seconds', given, 'a number of seconds above 0', 60, (s) => s > 0)
  const walks = walksOf(flags, seconds)
  // Half of the time is for the walks, where there are to be some.
  const searching = walks === null ? seconds : seconds / 2
  return {
    effort: {
      reduction: reductionOf(flags.reduction),
      exact: flags.exact === true,
      limits: {
        states: integer('--states', flags.states, 1, Number.MAX_SAFE_INTEGER),
        memoryMB: integer('--memory', flags.memory, 1, 1_000_000),
        expired: () => line.elapsedMs > searching * 1000,
      },
      ...(walks !== null && {
        walk: {
          random: Random.from(seed).split('walks'),
          walks,
          expired: () => line.elapsedMs > seconds * 1000,
        },
      }),
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

/** How many walks; null where none are asked for. */
function walksOf({ walk }: BudgetFlags, seconds: number): number | null {
  if (walk === undefined) return null
  if (walk !== true) return integer('--walk', walk, 1, MOST_WALKS)
  return seconds === Number.POSITIVE_INFINITY ? WALKS : MOST_WALKS
}

function reductionOf(text: string): 'off' | 'auto' {
  if (text === 'off' || text === 'auto') return text
  throw new UsageError(
    '--reduction',
    `off or auto is needed, but ${JSON.stringify(text)} was given.`,
    'Leave it out for auto.',
  ).withCandidates(text, ['off', 'auto'])
}
