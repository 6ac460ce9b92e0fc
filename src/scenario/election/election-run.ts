import type { Figures, State } from '../../core/index.ts'
import { idOf, type World } from '../../core/language/world.ts'
import { type ComputedValue, computedValues } from '../../problems/computed-values.ts'
import type { Observers, RunEnd, RunResult, Simulation } from '../../sim/index.ts'
import { simulationOf } from '../../sim/meetings/meeting-simulation.ts'
import { resultOf } from '../../sim/result.ts'
import { LATEST } from '../../sim/stability.ts'
import { type RoundSymmetry, SymmetryLog } from '../../sim/symmetry.ts'
import type { Scenario } from '../scenario.ts'
import type { Preparation } from './prepare-election.ts'

/** The result of an election: what `run --json` prints, without the speed. */
export interface ElectionResult extends RunResult, Partial<AggregateFindings> {
  readonly scenario: Scenario
  /** With equal ids: the symmetry of the nodes after each round with an event. */
  readonly symmetry?: readonly RoundSymmetry[]
}

/** The aggregates that nodes have computed, and the true ones. */
export interface AggregateFindings {
  /** Over all live nodes, connected or not. */
  readonly truth: Figures
  /** What the leader has computed; null unless there is exactly one leader. */
  readonly known: Figures | null
  /** One entry per connected component of live nodes. */
  readonly components: readonly ComponentFindings[]
}

/** The aggregates within one component. */
export interface ComponentFindings extends Omit<ComputedValue, 'source'> {
  readonly source: { readonly node: number; readonly id: number } | null
}

/** An election before its first event, and how to read its result after its end. */
export interface ElectionRun {
  readonly simulation: Simulation
  result(end: RunEnd): ElectionResult
}

/** Sets up a prepared election; the caller runs the simulation. */
export function electionRun(
  { scenario, world, conditions, properties }: Preparation,
  observers: Observers = {},
): ElectionRun {
  const symmetry = new SymmetryLog()
  const symmetric = scenario.ids === 'same' && conditions.synchronous
  const simulation = simulationOf(world, conditions, properties, {
    ...observers,
    ...(symmetric && { moment: (round: number) => symmetry.look(round, simulation) }),
  })
  return {
    simulation,
    result: (end) => ({
      scenario: endlessScenario(scenario, simulation),
      ...resultOf(simulation, end),
      ...findingsOf(simulation),
      ...(symmetric && { symmetry: symmetry.rounds }),
    }),
  }
}

/**
 * The scenario of a run that never falls silent, with what is known only once it has run: the
 * values of its parameters, and its end.
 */
function endlessScenario(scenario: Scenario, simulation: Simulation): Scenario {
  const { algorithm, params } = simulation.world
  if (algorithm.quiet !== 'never') return scenario
  const values = Object.keys(algorithm.params).map((name) => [name, params[name]])
  const { limitReached, timeLimit, conditions } = simulation
  const ended = !limitReached && timeLimit.end < LATEST && algorithm.meet === null
  return {
    ...scenario,
    set: Object.fromEntries(values),
    ...(ended && { until: timeLimit.end + (conditions.synchronous ? 1 : 0) }),
  }
}

/** The part of a result that exists only if nodes compute an aggregate. */
function findingsOf({ world, monitor, states }: Simulation): AggregateFindings | null {
  const { finds } = world.algorithm
  if (finds === null) return null
  const all = states.all()
  const alive = (_: State, node: number) => monitor.alive(node)
  const values = all.filter(alive).map(({ value }) => value as number)
  const components = computedValues(monitor, finds).map((finding) => named(finding, all, world))
  const [only] = components.filter(({ source }) => source !== null)
  return {
    truth: finds.truth(Float64Array.from(values)),
    known: monitor.leaders.length === 1 ? (only?.known ?? null) : null,
    components,
  }
}

function named(
  { source, ...rest }: ComputedValue,
  states: readonly State[],
  world: World,
): ComponentFindings {
  const { nodes, known, truth } = rest
  const of = source === null ? null : { node: source, id: idOf(world, states[source].id ?? 0) }
  return { nodes, source: of, known, truth }
}
