import {
  anyFault,
  type CheckResult,
  type CostFigure,
  type ModelOptions,
  type SampleRun,
  type SearchBudget,
  type WorstCase,
  worstCase,
} from '../check/index.ts'
import { type Bound, isUpperBound, type NetworkFacts } from '../core/language/theory.ts'
import type { World } from '../core/language/world.ts'
import { type Conditions, factsForBounds } from '../sim/index.ts'

/** A proven bound compared with the exact cost. */
export interface ExactBound {
  readonly kind: 'worst' | 'best'
  readonly formula: string
  readonly value: number
  readonly within: boolean
  /** Whether some run has exactly this cost. */
  readonly reached: boolean
}

/** A run of the largest or smallest cost; with its ids if all permutations were explored. */
export interface CostlyRun extends SampleRun {
  readonly ids?: readonly number[]
}

export interface WorstReport extends WorstCase {
  readonly samples: { readonly most: CostlyRun; readonly least: CostlyRun } | null
  /** In units of the clock: bounds on time count largest delays. */
  readonly largestDelay?: number
  /** For messages without the announcement, or for the time of the election. */
  readonly bounds: readonly ExactBound[]
}

interface WorstCaseInput {
  readonly world: World
  readonly model: ModelOptions
  readonly conditions: Conditions
  readonly limits: SearchBudget
  readonly reduction?: 'off' | 'auto'
}

/** The exact worst and best case and the proven bounds; empty if not all runs were explored. */
export function worstReport(
  { world, model, conditions, limits, reduction = 'auto' }: WorstCaseInput,
  of: WorstCase['of'],
  unexplored?: string,
): WorstReport {
  const worst = worstCase(world, { ...model, reduction }, limits, of, unexplored)
  const figure = worst.figures.at(-1)
  if (figure === undefined || !isProven(world, model)) return { ...worst, bounds: [] }
  // In mode clocked bounds count in units of the largest delay.
  const maxDelay = typeof model.mode === 'string' ? 1 : model.mode.clocked
  const scale = of === 'time' ? maxDelay : 1
  const facts = possibleFacts(world, model, conditions)
  const bounds = (['worst', 'best'] as const)
    .flatMap((kind) => boundOver(world, of, kind, facts))
    .map((bound) => compared(bound, figure, scale))
  return { ...worst, ...(worst.unit === 'clock' && { largestDelay: maxDelay }), bounds }
}

/** Why not all runs were explored. */
export function whyIncomplete({
  reason,
  draws,
  bounds,
  timeouts,
}: CheckResult): string | undefined {
  if (draws?.enough === false)
    return `some runs need more than ${draws.most} random choices of a node`
  if (bounds?.enough === false) return 'some runs exceed the bound of a state field'
  if (timeouts?.enough === false) return 'not every random delay was tried'
  return reason
}

/** Bounds are proven without faults, for different ids, in a model that the algorithm needs. */
function isProven({ algorithm, ids }: World, { mode, order, faults }: ModelOptions): boolean {
  const { needs } = algorithm
  const equal = ids.length > 1 && ids[0] === ids[1]
  const rounds = typeof mode !== 'string' && mode.clocked === 1
  const timed = needs.time === undefined || (needs.time === 'rounds' ? rounds : mode !== 'untimed')
  return !anyFault(faults ?? {}) && !equal && timed && !(needs.order === 'fifo' && order === 'any')
}

/** All possible facts: if any nodes may start, each number of starters. */
function possibleFacts(
  world: World,
  { wake }: ModelOptions,
  conditions: Conditions,
): NetworkFacts[] {
  const facts = factsForBounds(world, conditions)
  if (wake !== 'any') return [facts]
  return Array.from({ length: facts.n }, (_, i) => ({
    ...facts,
    starters: i + 1,
    together: false,
    smallestStarter: facts.smallestId,
  }))
}

/** The bound that holds in all cases: the weakest of the strongest bounds of each case. */
function boundOver(
  { algorithm }: World,
  of: WorstCase['of'],
  kind: ExactBound['kind'],
  cases: readonly NetworkFacts[],
): { kind: ExactBound['kind']; formula: string; value: number }[] {
  const weaker = kind === 'worst' ? Math.max : Math.min
  const stronger = kind === 'worst' ? Math.min : Math.max
  const bounds = algorithm.theory.bounds.filter(
    (bound) => bound.of === of && (kind === 'worst' ? isUpperBound(bound) : bound.kind === kind),
  )
  const perCase = cases.map((facts) => {
    const proven = bounds
      .filter((bound: Bound) => bound.when?.(facts) ?? true)
      .map((bound) => ({ formula: bound.formula, value: bound.value(facts) }))
    const strongest = stronger(...proven.map(({ value }) => value))
    return proven.find(({ value }) => value === strongest)
  })
  if (perCase.length === 0 || perCase.some((bound) => bound === undefined)) return []
  const weakest = weaker(...perCase.map((bound) => bound!.value))
  return [{ kind, ...perCase.find((bound) => bound!.value === weakest)! }]
}

function compared(
  { kind, formula, value }: Pick<ExactBound, 'kind' | 'formula' | 'value'>,
  { most, least }: CostFigure,
  scale: number,
): ExactBound {
  const figure = kind === 'worst' ? most : least
  const cost = figure === 'unbounded' ? Number.POSITIVE_INFINITY : (figure ?? value * scale) / scale
  const within = kind === 'worst' ? cost <= value : cost >= value
  return { kind, formula, value, within, reached: cost === value && figure !== null }
}
