import type { Figures, State } from '../../core/index.ts'
import { idOf, type World } from '../../core/language/world.ts'
import { counted, grouped } from '../../core/text-format.ts'
import { type ComputedValue, computedValues } from '../../problems/computed-values.ts'
import { factsForBounds } from '../../sim/bounds.ts'
import { largestDelay } from '../../sim/conditions.ts'
import type { RunEnd, RunResult, Simulation } from '../../sim/index.ts'
import { simulationOf } from '../../sim/meetings/meeting-simulation.ts'
import { resultOf } from '../../sim/result.ts'
import { LATEST } from '../../sim/stability.ts'
import { type RoundSymmetry, SymmetryLog } from '../../sim/symmetry.ts'
import type { Run, Watching, Yardsticks } from '../run.ts'
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
export interface ElectionRun extends Run<ElectionResult> {
  readonly simulation: Simulation
  readonly gossip: null
  /** Whether it ended because nothing was left to happen. */
  readonly isQuiet: boolean
  /** How it ended is told by whoever ran the simulation without `step`. */
  result(end?: RunEnd): ElectionResult
}

/** Sets up a prepared election. */
export function electionRun(
  {
    scenario,
    world,
    conditions,
    properties,
  }: Pick<Preparation, 'scenario' | 'world' | 'conditions' | 'properties'>,
  { properties: own = [], symmetry: compared = true, listed: _, ...observers }: Watching = {},
): ElectionRun {
  const symmetric = compared && scenario.ids === 'same' && conditions.synchronous
  const symmetry = symmetric ? new SymmetryLog() : null
  const simulation = simulationOf(world, conditions, [...properties, ...own], {
    ...observers,
    ...(symmetry && { moment: (round: number) => symmetry.look(round, simulation) }),
  })
  let ending: RunEnd | null = null
  return {
    simulation,
    gossip: null,
    cycles: [],
    step(events) {
      ending = simulation.run(events)
      return ending !== null
    },
    get isQuiet() {
      return ending === 'quiet'
    },
    look() {},
    estimate: () => Number.NaN,
    progress: () => progressText(simulation),
    share: shareDone(simulation),
    result: (end) => ({
      scenario: endlessScenario(scenario, simulation),
      ...resultOf(simulation, end ?? ending ?? 'limit'),
      ...findingsOf(simulation),
      ...(symmetry && { symmetry: symmetry.rounds }),
    }),
    yardsticks: ({ leader }) => yardsticksOf(simulation, leader?.id ?? null),
  }
}

/** Bounds count no announcements. */
function yardsticksOf(
  { algorithm, counters, world, conditions }: Simulation,
  leaderId: number | null,
): Yardsticks {
  const facts = { ...factsForBounds(world, conditions), leaderId }
  const lower = algorithm.theory.bounds.filter(
    ({ of, kind, when }) => of === 'messages' && kind === 'lower' && (when?.(facts) ?? true),
  )
  return {
    announced: algorithm.kinds.reduce(
      (sum, { announces, index }) => sum + (announces ? counters.sent[index] : 0),
      0,
    ),
    longest: largestDelay(conditions.delay),
    lower: lower.length === 0 ? null : Math.max(...lower.map(({ value }) => value(facts))),
  }
}

/** How much of a run is done: of its messages on average, where theory knows; else of its time. */
function shareDone(simulation: Simulation): () => number {
  const { algorithm, conditions, counters, n } = simulation
  let expected: number | null = null
  return () => {
    const announced = algorithm.kinds.some(({ announces }) => announces) ? n : 0
    expected ??= expectedMessages(simulation) + announced
    if (Number.isFinite(expected)) return counters.total / expected
    return simulation.now / conditions.until
  }
}

/** Infinity where nothing is known. */
function expectedMessages({ algorithm, world, conditions }: Simulation): number {
  const facts = factsForBounds(world, conditions)
  const average = algorithm.theory.bounds.find(
    ({ of, kind, when }) => of === 'messages' && kind === 'average' && (when?.(facts) ?? true),
  )
  return average?.value(facts) ?? Number.POSITIVE_INFINITY
}

function progressText({ counters, now, conditions, monitor, algorithm }: Simulation): string {
  if (algorithm.meet !== null)
    return `${grouped(now)} interactions, ${counted(monitor.leaders.length, 'leader')} left`
  const unit = conditions.synchronous ? 'round' : 'time'
  const leader = monitor.elected < 0 ? 'no leader yet' : 'a leader is elected'
  return `${grouped(counters.total)} messages, ${unit} ${grouped(now)}, ${leader}`
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
