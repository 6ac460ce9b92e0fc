import { type Rules, System } from '../src/check/system.ts'
import { type Algorithm, type Property, Random, type TraceEvent, type World } from '../src/core/index.ts'
import { flagged, type Given, type Preparation, prepare } from '../src/scenario/index.ts'
import { type RunResult, resultOf, Simulation, type Watching } from '../src/sim/index.ts'

/** The numbers 1 to n in an order that depends on the seed. */
export function shuffled(n: number, seed: number): number[] {
  return Array.from(Random.from(seed).permutation(n), (i) => i + 1)
}

/** A scenario made ready; fields as `conclave run` has them. */
export function preparation(algorithm: Algorithm, given: Given = {}): Preparation {
  return prepare(given, algorithm, flagged)
}

/** A run at its beginning. Bodies are spoiled, so that an algorithm that keeps one shows itself. */
export function simulation(
  algorithm: Algorithm,
  given: Given = {},
  watching: Watching = {},
): Simulation {
  const { world, conditions, properties } = preparation(algorithm, given)
  return new Simulation(world, conditions, properties, { ...watching, spoilBodies: true })
}

/** One simulated election from beginning to end. */
export function simulate(
  algorithm: Algorithm,
  given: Given = {},
  watching: Watching = {},
): RunResult {
  const run = simulation(algorithm, given, watching)
  return resultOf(run, run.run()!)
}

export type SendEvent = Extract<TraceEvent, { event: 'send' }>

/** The same with everything that happened. */
export function observe(algorithm: Algorithm, given: Given = {}) {
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

/** Messages without the announcement, as theory counts them. */
export function cost({ kinds }: Algorithm, messages: RunResult['messages']): number {
  return kinds.reduce(
    (rest, { name, announces }) => rest - (announces ? messages.byType[name] : 0),
    messages.total,
  )
}

/** The id that must win: the largest; or, where ids are numbers to compute with, the smallest. */
export function winner({ needs }: Algorithm, ids: readonly number[]): number {
  return needs.ids === 'numbers' ? Math.min(...ids) : Math.max(...ids)
}

/** At the end the node with this id leads. */
export function leads(id: number): Property {
  return {
    name: `${id} leads`,
    says: `The node with id ${id} leads when the run is quiet.`,
    when: 'at the end',
    broken: ({ leaders, state }) =>
      leaders.length === 1 && state(leaders[0]).id === id ? null : 'another does',
  }
}

/** How many messages a run may take in all: the total of every path that the explorer can go. */
export function possibleTotals(world: World, rules: Rules): number[] {
  const system = new System(world, rules)
  const { vector } = system
  const totals = new Set<number>()
  const seen = new Set<string>()
  const todo: { cells: Uint32Array; sent: number }[] = []
  const meet = (sent: number) => {
    const key = `${sent}:${vector.cells.join()}`
    if (seen.has(key)) return
    seen.add(key)
    todo.push({ cells: vector.cells.slice(), sent })
    if (system.quiet) totals.add(sent)
  }
  meet(0)
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { cells, sent } = next
    vector.cells.set(cells)
    vector.loaded()
    system.moves((move) => meet(sent + (move.event === 'tick' ? 0 : move.sent.length)))
  }
  return [...totals].sort((a, b) => a - b)
}
