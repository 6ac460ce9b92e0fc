import { expect } from 'vitest'
import {
  alternatingSteps,
  catalogue,
  echoExtinction,
  franklin,
  hirschbergSinclair,
  lcr,
  leLann,
  peterson,
  treeAggregate,
  uniAlternate,
} from '../../src/algorithms/index.ts'
import { TransitionSystem } from '../../src/check/model/transition-system.ts'
import type { ModelOptions } from '../../src/check/options.ts'
import type { LocalClusterResult } from '../../src/cluster/index.ts'
import {
  type Algorithm,
  floorLog2,
  type Property,
  Random,
  type TraceEvent,
  type World,
} from '../../src/core/index.ts'
import { neededNetworks } from '../../src/core/language/validation/needed-networks.ts'
import { flagged, type Preparation, prepare, type ScenarioInput } from '../../src/scenario/index.ts'
import {
  simulationOf as begin,
  type Observers,
  type RunResult,
  resultOf,
  type Simulation,
} from '../../src/sim/index.ts'
import { alternatingCandidates, doublingMessages, lcrMessages, peakPhases } from './oracles.ts'

/** Algorithms with their names in front, as titles of tests want them. */
export function named(algorithms: readonly Algorithm[]): [string, Algorithm][] {
  return algorithms.map((algorithm) => [algorithm.name, algorithm])
}

/** The elections that come to an end. */
export const ending = catalogue.filter(({ quiet }) => quiet === null)

/** Those that run between members, whatever their number. */
export const clustered = ending.filter(
  ({ needs }) => needs.time !== 'rounds' && needs.topology !== 'hypercube',
)

/** The largest number of nodes up to n that the usual network of an algorithm can have. */
export function possibleSize({ needs }: Pick<Algorithm, 'needs'>, n: number): number {
  return neededNetworks[needs.topology].sized(n) === null ? 2 ** floorLog2(n) : n
}

/** Those that cannot break the symmetry of equal ids. */
export const symmetric = catalogue.filter(({ needs }) => needs.topology === 'ring' && !needs.coins)

/** The numbers 1 to n in an order that depends on the seed. */
export function shuffled(n: number, seed: number): number[] {
  return Array.from(Random.from(seed).permutation(n), (i) => i + 1)
}

/** A scenario made ready; fields as `conclave run` has them. */
export function preparation(algorithm: Algorithm, given: ScenarioInput = {}): Preparation {
  return prepare(given, algorithm, flagged)
}

/** A run at its beginning. Bodies are spoiled, so that an algorithm that keeps one shows itself. */
export function simulation(
  algorithm: Algorithm,
  given: ScenarioInput = {},
  watching: Observers = {},
): Simulation {
  const { world, conditions, properties } = preparation(algorithm, given)
  return begin(world, conditions, properties, { ...watching, spoilBodies: true })
}

/** One simulated election from beginning to end. */
export function simulate(
  algorithm: Algorithm,
  given: ScenarioInput = {},
  watching: Observers = {},
): RunResult {
  const run = simulation(algorithm, given, watching)
  return resultOf(run, run.finish())
}

type SendEvent = Extract<TraceEvent, { event: 'send' }>

/** The same with everything that happened. */
export function observe(algorithm: Algorithm, given: ScenarioInput = {}) {
  const events: TraceEvent[] = []
  const result = simulate(algorithm, given, { trace: (event) => events.push(event) })
  return {
    result,
    events,
    sends: events.filter((event): event is SendEvent => event.event === 'send'),
    /** Positions that started by themselves, with the moment. */
    starts: new Map(
      events.filter(({ event }) => event === 'wake').map(({ node, at }) => [node, at]),
    ),
  }
}

type Counts = Pick<RunResult['messages'], 'total' | 'byType'>

/** Messages without the announcement, as theory counts them. */
export function cost({ kinds }: Algorithm, messages: Counts): number {
  return kinds.reduce(
    (rest, { name, announces }) => rest - (announces ? messages.byType[name] : 0),
    messages.total,
  )
}

/** That count for a synchronous run, unless something else is given. */
export function electionMessages(algorithm: Algorithm, given: ScenarioInput): number {
  return cost(algorithm, simulate(algorithm, { timing: 'sync', ...given }).messages)
}

/** What some always send over links that keep the order, whatever the schedule and the starters. */
export const promised = new Map<Algorithm, (ids: readonly number[]) => number>([
  [lcr, lcrMessages],
  [hirschbergSinclair, doublingMessages],
  [peterson, (ids) => (2 * peakPhases(ids) - 1) * ids.length],
  [franklin, (ids) => 2 * peakPhases(ids) * ids.length],
  [alternatingSteps, (ids) => alternatingCandidates(ids).length * ids.length],
  [uniAlternate, (ids) => alternatingCandidates(ids).length * ids.length],
])

/** Fails if that promise is broken; the announcement goes round once besides. */
export function expectPromised(
  algorithm: Algorithm,
  ids: readonly number[],
  messages: Counts,
): void {
  const formula = promised.get(algorithm)
  if (formula === undefined) return
  expect(cost(algorithm, messages)).toBe(formula(ids))
  expect(messages.total).toBe(formula(ids) + ids.length)
}

/** The id that must win, given the ids and the initiators; null where it may be any. */
export function winner(
  algorithm: Algorithm,
  ids: readonly number[],
  starters: Iterable<number> = ids.keys(),
): number | null {
  const { needs, elects } = algorithm
  const started = Array.from(starters, (node) => ids[node])
  if (needs.ids === 'numbers') return Math.min(...started)
  if (algorithm === leLann) return Math.max(...started)
  if (algorithm === echoExtinction || algorithm === treeAggregate) return Math.max(...started)
  return elects === 'largest' && needs.ids !== undefined ? Math.max(...ids) : null
}

/** At the end the node with this id leads; if it is null, any one node. */
export function leads(id: number | null): Property {
  return {
    name: `${id ?? 'some node'} leads`,
    says: `The node with id ${id} leads when the run is quiet.`,
    when: 'at the end',
    broken: ({ leaders, state }) =>
      leaders.length === 1 && (id === null || state(leaders[0]).id === id) ? null : 'another does',
  }
}

/** What is wrong with the end of an election between members, in the eyes of some properties. */
export function violationsIn(
  { states, leaders }: LocalClusterResult,
  properties: readonly Property[],
): string[] {
  const situation = {
    n: states.length,
    state: (node: number) => states[node],
    alive: () => true,
    name: String,
    component: () => 0,
    leaders,
    deposed: [],
  }
  return properties.flatMap((property) => property.broken(situation) ?? [])
}

/** How many messages a run may take in all: the total of every path that the checker can go. */
export function possibleTotals(world: World, rules: ModelOptions): number[] {
  const system = new TransitionSystem(world, rules)
  const { vector } = system
  const totals = new Set<number>()
  const seen = new Set<string>()
  const todo: { cells: Uint32Array; sent: number }[] = []
  const meet = (sent: number) => {
    const key = `${sent}:${vector.cells.join()}`
    if (seen.has(key)) return
    seen.add(key)
    todo.push({ cells: vector.cells.slice(), sent })
    if (system.quiescent) totals.add(sent)
  }
  meet(0)
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { cells, sent } = next
    vector.cells.set(cells)
    vector.rehash()
    system.successors((move) => meet(sent + ('sent' in move ? move.sent.length : 0)))
  }
  return [...totals].sort((a, b) => a - b)
}
