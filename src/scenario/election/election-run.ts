import type { Figures, State } from '../../core/index.ts'
import { idOf, type World } from '../../core/language/world.ts'
import { type ComputedValue, computedValues } from '../../problems/findings.ts'
import {
  type Observers,
  type RunEnd,
  type RunResult,
  resultOf,
  type Simulation,
  simulate,
} from '../../sim/index.ts'
import { type RoundSymmetry, SymmetryLog } from '../../sim/symmetry.ts'
import type { Scenario } from '../scenario.ts'
import type { Preparation } from './prepare-election.ts'

/** The result of a prepared run: what `run --json` prints, but for the speed. */
export interface ElectionResult extends RunResult, Partial<AggregateFindings> {
  readonly scenario: Scenario
  /** With equal ids: how alike the nodes are after each round in which something happened. */
  readonly symmetry?: readonly RoundSymmetry[]
}

/** What nodes have found out about the values of all, beside what is true. */
export interface AggregateFindings {
  /** Of all live nodes, whether they can reach each other or not. */
  readonly truth: Figures
  /** What the one leader knows; null if there is none or there are several. */
  readonly known: Figures | null
  /** One for each part of the network whose live nodes can reach each other. */
  readonly components: readonly ComponentFindings[]
}

/** The same for the live nodes that can reach each other. */
export interface ComponentFindings extends Omit<ComputedValue, 'source'> {
  readonly source: { readonly node: number; readonly id: number } | null
}

/** A run that has not begun, and how its result is read when it has ended. */
export interface ElectionRun {
  readonly simulation: Simulation
  result(end: RunEnd): ElectionResult
}

/** Sets a prepared scenario up; the caller runs the simulation, at its own pace. */
export function electionRun(
  { scenario, world, conditions, properties }: Preparation,
  observers: Observers = {},
): ElectionRun {
  const symmetry = new SymmetryLog()
  const symmetric = scenario.ids === 'same' && conditions.synchronous
  const simulation = simulate(world, conditions, properties, {
    ...observers,
    ...(symmetric && { moment: (round: number) => symmetry.look(round, simulation) }),
  })
  return {
    simulation,
    result: (end) => ({
      scenario,
      ...resultOf(simulation, end),
      ...findingsOf(simulation),
      ...(symmetric && { symmetry: symmetry.rounds }),
    }),
  }
}

/** The part of a result that only runs have whose nodes find something out. */
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
