import type { World } from '../../core/language/world.ts'
import { UsageError } from '../../core/usage-error.ts'
import { type ExplainedRun, explainRun } from '../counterexample/explain.ts'
import { StateGraph } from '../liveness/state-graph.ts'
import { strongComponents } from '../liveness/strong-components.ts'
import { TransitionSystem } from '../model/transition-system.ts'
import { anyFault, type ModelOptions } from '../options.ts'
import type { SearchBudget } from '../search/budget.ts'
import { CausalTime, type Range } from './causal-time.ts'
import {
  clockAtLastReceipt,
  clockWhenLed,
  messages,
  type PathCost,
  type PathMeasure,
  pathCosts,
} from './path-costs.ts'

/** One thing that runs cost, over all schedules. */
export interface CostFigure {
  readonly name: string
  /** unbounded: runs can cost as much as one likes. null: no run is measured. */
  readonly most: number | 'unbounded' | null
  readonly least: number | null
}

/** A run of the most or the least cost; the steps from `loop` on, from 1, go round. */
export interface SampleRun extends ExplainedRun {
  readonly loop?: number
}

/** The exact worst and best case over all schedules. */
export interface WorstCase {
  readonly of: 'messages' | 'time'
  /** chains: messages one after the other, each sent by the receiver of the one before. */
  readonly unit: 'messages' | 'chains' | 'clock'
  /** How many states it took; where chains are counted, these are told apart by their lengths. */
  readonly states: number
  /** Why nothing is known; then there are no figures. */
  readonly reason?: string
  /** The first is the one that the sample runs show. */
  readonly figures: readonly CostFigure[]
  readonly samples: { readonly most: SampleRun; readonly least: SampleRun } | null
}

/** Looks at every schedule, without any reduction. */
export function worstCase(
  world: World,
  rules: ModelOptions,
  limits: SearchBudget,
  of: WorstCase['of'],
  /** Why it is not worth looking. */
  unexplored?: string,
): WorstCase {
  refuseUnmeasurable(world, rules, of)
  if (unexplored !== undefined)
    return {
      of,
      unit: unitOf(of, rules),
      states: 0,
      reason: unexplored,
      figures: [],
      samples: null,
    }
  if (of === 'messages') return worstMessages(world, rules, limits)
  return typeof rules.mode === 'string'
    ? worstChains(world, rules, limits)
    : worstClock(world, rules, limits)
}

function unitOf(of: WorstCase['of'], { mode }: ModelOptions): WorstCase['unit'] {
  return of === 'messages' ? of : typeof mode === 'string' ? 'chains' : 'clock'
}

function worstMessages(world: World, rules: ModelOptions, limits: SearchBudget): WorstCase {
  const graph = new StateGraph(new TransitionSystem(world, rules), limits)
  const announces = world.algorithm.kinds.some((kind) => kind.announces)
  return measured({ of: 'messages', unit: 'messages' }, rules, [
    { name: 'messages', graph, measure: messages(true) },
    ...(announces ? [{ name: 'without the announcement', graph, measure: messages(false) }] : []),
  ])
}

function worstClock(world: World, rules: ModelOptions, limits: SearchBudget): WorstCase {
  const graph = new StateGraph(new TransitionSystem(world, rules), limits)
  const system = new TransitionSystem(world, rules)
  const until: StateGraph = new StateGraph(system, limits, { beyond: (led) => !led })
  return measured({ of: 'time', unit: 'clock' }, rules, [
    { name: 'last receipt', graph, measure: clockAtLastReceipt },
    { name: 'elected', graph: until, measure: clockWhenLed },
  ])
}

interface Question {
  readonly name: string
  readonly graph: StateGraph
  readonly measure: PathMeasure
}

function measured(
  kind: Pick<WorstCase, 'of' | 'unit'>,
  rules: ModelOptions,
  questions: readonly Question[],
): WorstCase {
  const states = Math.max(...questions.map(({ graph }) => graph.size))
  const reason = questions.map(({ graph }) => graph.reason).find((why) => why !== null)
  if (reason !== undefined && reason !== null)
    return { ...kind, states, reason, figures: [], samples: null }
  const answers = questions.map(({ name, graph, measure }) => ({
    name,
    graph,
    ...pathCosts(graph, measure),
  }))
  const [{ graph, most, least }] = answers
  const sample = ({ moves, round }: PathCost) => storyOf(moves, round, rules, graph.system)
  return {
    ...kind,
    states,
    figures: answers.map(({ name, most, least }) => ({
      name,
      most: most.cost === Number.POSITIVE_INFINITY ? 'unbounded' : most.cost,
      least: least.cost,
    })),
    samples: { most: sample(most), least: sample(least) },
  }
}

function worstChains(world: World, rules: ModelOptions, limits: SearchBudget): WorstCase {
  const kind = { of: 'time', unit: 'chains' } as const
  const graph = new StateGraph(new TransitionSystem(world, rules), limits)
  const nothing = { ...kind, states: graph.size, figures: [], samples: null }
  if (graph.reason !== null) return { ...nothing, reason: graph.reason }
  if (strongComponents(graph).loops.length > 0)
    return { ...nothing, reason: 'some runs go round for ever' }
  const system = new TransitionSystem(world, rules)
  const chains = new CausalTime(system, limits)
  const { reason, elected, last } = chains
  if (reason !== null) return { ...nothing, states: chains.size, reason }
  const sample = (state: number) => storyOf(chains.movesTo(state), undefined, rules, system)
  return {
    ...kind,
    states: chains.size,
    figures: [figureOf('last receipt', last), figureOf('elected', elected)],
    samples: last && { most: sample(last.most.state), least: sample(last.least.state) },
  }
}

function figureOf(name: string, range: Range | null): CostFigure {
  return { name, most: range?.most.cost ?? null, least: range?.least.cost ?? null }
}

function storyOf(
  moves: PathCost['moves'],
  round: number | undefined,
  { mode, faults }: ModelOptions,
  { effects }: TransitionSystem,
): SampleRun {
  const story = explainRun(moves, mode, effects, faults?.dead)
  return { ...story, ...(round !== undefined && { loop: story.trace.length - round + 1 }) }
}

/** Chains are followed by the places of messages in their channels, which must not change. */
export function refuseUnmeasurable(
  { algorithm }: World,
  rules: ModelOptions,
  of: WorstCase['of'],
): void {
  const { order, faults = {} } = rules
  if (unitOf(of, rules) !== 'chains' || (order === 'fifo' && !anyFault(faults))) return
  throw new UsageError(
    `check ${algorithm.name}`,
    `chains of messages are followed through links that keep the order, without faults, but ${order === 'any' ? 'messages may overtake each other' : 'something may go wrong'}.`,
    'Leave that out, or count time with --mode clocked:2.',
  )
}
