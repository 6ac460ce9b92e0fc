import type { World } from '../../core/language/world.ts'
import { UsageError } from '../../core/usage-error.ts'
import { type ExplainedRun, explainRun } from '../counterexample/explain.ts'
import { reducedGraph, StateGraph } from '../liveness/state-graph.ts'

import { strongComponents } from '../liveness/strong-components.ts'
import { TransitionSystem } from '../model/transition-system.ts'
import { anyFault, type ModelOptions } from '../options.ts'
import { partialOrder, whyUnreducible } from '../reduction/partial-order.ts'
import { examineInTime, GraphWatch, type SearchBudget } from '../search/budget.ts'
import { CausalTime, type CostRange } from './causal-time.ts'
import {
  clockAtElection,
  clockAtLastReceive,
  messages,
  type PathCost,
  type PathMeasure,
  pathCosts,
} from './path-costs.ts'

/** The range of one cost over all schedules. */
export interface CostFigure {
  readonly name: string
  /** unbounded: there is no largest cost. null: no run has this cost. */
  readonly most: number | 'unbounded' | null
  readonly least: number | null
}

/** A run of the largest or the smallest cost; the steps from `loop`, counted from 1, repeat. */
export interface SampleRun extends ExplainedRun {
  readonly loop?: number
}

/** The exact worst and best case over all schedules. */
export interface WorstCase {
  readonly of: 'messages' | 'time'
  /** chains: causal chains of messages, each sent by the receiver of the one before. */
  readonly unit: 'messages' | 'chains' | 'clock'
  /** The number of states; for chains, states with different chain lengths are distinct. */
  readonly states: number
  /** Why the cost is unknown; then there are no figures. */
  readonly reason?: string
  /** The sample runs show the first one. */
  readonly figures: readonly CostFigure[]
  readonly samples: { readonly most: SampleRun; readonly least: SampleRun } | null
}

/** The model, what it may take, and whether partial-order reduction may be used. */
export interface WorstCaseOptions extends ModelOptions {
  readonly reduction?: 'off' | 'auto'
}

/**
 * Considers every schedule. Equivalent runs have the same messages, so that one of them is enough;
 * times are measured without reduction, since the order of steps counts for them.
 */
export function worstCase(
  world: World,
  options: WorstCaseOptions,
  limits: SearchBudget,
  of: WorstCase['of'],
  /** Why the exploration was incomplete; then nothing is computed. */
  unexplored?: string,
): WorstCase {
  validateWorstCase(world, options, of)
  const unknown = (reason: string): WorstCase => ({
    of,
    unit: unitOf(of, options),
    states: 0,
    reason,
    figures: [],
    samples: null,
  })
  if (unexplored !== undefined) return unknown(unexplored)
  return examineInTime(() => {
    if (of === 'messages') return worstMessages(world, options, limits)
    return typeof options.mode === 'string'
      ? worstCausalTime(world, options, limits)
      : worstClock(world, options, limits)
  }, unknown)
}

function unitOf(of: WorstCase['of'], { mode }: ModelOptions): WorstCase['unit'] {
  return of === 'messages' ? of : typeof mode === 'string' ? 'chains' : 'clock'
}

function worstMessages(world: World, options: WorstCaseOptions, limits: SearchBudget): WorstCase {
  const graph = endingRuns(world, options, limits) ?? wholeGraph(world, options, limits)
  const announces = world.algorithm.kinds.some((kind) => kind.announces)
  return extremalCosts({ of: 'messages', unit: 'messages' }, options, limits, [
    { name: 'messages', graph, measure: messages(true) },
    ...(announces ? [{ name: 'without the announcement', graph, measure: messages(false) }] : []),
  ])
}

function wholeGraph(world: World, options: ModelOptions, limits: SearchBudget): StateGraph {
  return new StateGraph(new TransitionSystem(world, options), limits)
}

/** The reduced graph if all runs end: it has one of all equivalent runs. Else null. */
function endingRuns(
  world: World,
  { reduction = 'off', ...options }: WorstCaseOptions,
  limits: SearchBudget,
): StateGraph | null {
  const system = new TransitionSystem(world, options)
  if (reduction === 'off' || whyUnreducible(system, []) !== null) return null
  const graph = reducedGraph(system, limits, partialOrder(system, [], { wake: 'every start' }))
  // Without the cycle proviso a cycle may hide a costly one.
  return graph.reason === null && hasCycle(graph, limits) ? null : graph
}

function hasCycle(graph: StateGraph, limits: SearchBudget): boolean {
  return strongComponents(graph, new GraphWatch(limits, graph).begin('cycles')).cyclic.length > 0
}

function worstClock(world: World, options: ModelOptions, limits: SearchBudget): WorstCase {
  const graph = new StateGraph(new TransitionSystem(world, options), limits)
  const system = new TransitionSystem(world, options)
  const untilElected = new StateGraph(system, limits, { expands: (hasLeader) => !hasLeader })
  return extremalCosts({ of: 'time', unit: 'clock' }, options, limits, [
    { name: 'last receipt', graph, measure: clockAtLastReceive },
    { name: 'elected', graph: untilElected, measure: clockAtElection },
  ])
}

interface CostQuestion {
  readonly name: string
  readonly graph: StateGraph
  readonly measure: PathMeasure
}

function extremalCosts(
  kind: Pick<WorstCase, 'of' | 'unit'>,
  options: ModelOptions,
  limits: SearchBudget,
  questions: readonly CostQuestion[],
): WorstCase {
  const states = Math.max(...questions.map(({ graph }) => graph.size))
  const reason = questions.map(({ graph }) => graph.reason).find((other) => other !== null)
  if (reason !== undefined && reason !== null)
    return { ...kind, states, reason, figures: [], samples: null }
  const answers = questions.map(({ name, graph, measure }) => ({
    name,
    graph,
    ...pathCosts(graph, measure, new GraphWatch(limits, graph)),
  }))
  const [{ graph, most, least }] = answers
  const sample = ({ transitions, cycle }: PathCost) =>
    sampleRunOf(transitions, cycle, options, graph.system)
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

function worstCausalTime(world: World, options: ModelOptions, limits: SearchBudget): WorstCase {
  const kind = { of: 'time', unit: 'chains' } as const
  const graph = new StateGraph(new TransitionSystem(world, options), limits)
  const unknown = { ...kind, states: graph.size, figures: [], samples: null }
  if (graph.reason !== null) return { ...unknown, reason: graph.reason }
  if (hasCycle(graph, limits)) return { ...unknown, reason: 'some runs do not end' }
  const system = new TransitionSystem(world, options)
  const causalTime = new CausalTime(system, limits)
  const { reason, elected, last, size: states } = causalTime
  if (reason !== null) return { ...unknown, states, reason }
  const sample = (state: number) =>
    sampleRunOf(causalTime.pathTo(state), undefined, options, system)
  return {
    ...kind,
    states,
    figures: [figureOf('last receipt', last), figureOf('elected', elected)],
    samples: last && { most: sample(last.most.state), least: sample(last.least.state) },
  }
}

function figureOf(name: string, range: CostRange | null): CostFigure {
  return { name, most: range?.most.cost ?? null, least: range?.least.cost ?? null }
}

function sampleRunOf(
  transitions: PathCost['transitions'],
  cycle: number | undefined,
  { mode, faults }: ModelOptions,
  { cache }: TransitionSystem,
): SampleRun {
  const run = explainRun(transitions, mode, cache, faults?.dead)
  return { ...run, ...(cycle !== undefined && { loop: run.trace.length - cycle + 1 }) }
}

/** Chain lengths are kept by position in a channel: they need FIFO order and no faults. */
export function validateWorstCase(
  { algorithm }: World,
  options: ModelOptions,
  of: WorstCase['of'],
): void {
  const { order, faults = {} } = options
  if (algorithm.meet !== null)
    throw new UsageError(
      `check ${algorithm.name}`,
      'nodes that meet send no messages, and a run may take any number of meetings.',
      'Omit the worst case; an experiment measures interactions.',
    )
  if (unitOf(of, options) !== 'chains' || (order === 'fifo' && !anyFault(faults))) return
  throw new UsageError(
    `check ${algorithm.name}`,
    `causal chains of messages can be measured only with FIFO order and without faults; ${order === 'any' ? 'messages may arrive in any order' : 'faults are allowed'}.`,
    'Omit that, or measure time in mode clocked:2.',
  )
}
