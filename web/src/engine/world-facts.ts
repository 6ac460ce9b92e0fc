import type { Algorithm, Topology } from '../../../src/core/index.ts'
import { linksOf } from '../../../src/core/language/topology.ts'
import { realIds, type World } from '../../../src/core/language/world.ts'
import { displayFacts } from '../../../src/core/trace/node-display.ts'
import type { PreparedRun } from '../../../src/scenario/run.ts'
import { timeUnit } from '../../../src/sim/conditions.ts'
import { endsSeparated } from '../../../src/sim/faults/closing-ring.ts'
import type { Conditions } from '../../../src/sim/index.ts'
import type { RunFacts } from '../recording/run-log.ts'
import { layoutOf } from './layout.ts'

/** The weights of more links than this could not be read. */
const MOST_WEIGHTS = 20_000

/** The facts of a world with ids and messages that the page needs. */
export function worldFacts(world: World, unit: RunFacts['unit']): RunFacts {
  const { algorithm, topology } = world
  return {
    ...networkFacts(algorithm.name, topology),
    ids: algorithm.needs.ids === undefined ? null : Float64Array.from(realIds(world)),
    unit,
    types: typesOf(algorithm),
    messageTypes: algorithm.kinds.length,
    fields: fieldsOf(algorithm),
    ...(algorithm.display && { display: displayFacts(algorithm) }),
    ...(world.weights && topology.links <= MOST_WEIGHTS && { weights: weightsOf(world) }),
    ...(world.names && world.values && { values: world.values }),
  }
}

/** The types of fields as text: types themselves are functions, which no message carries. */
function fieldsOf({ layout }: Algorithm): NonNullable<RunFacts['fields']> {
  const schemas = Object.entries(layout.own).map(([name, { schema }]) => [name, { schema }])
  return Object.fromEntries(schemas)
}

function weightsOf({ topology, weights = new Float64Array() }: World): Float64Array {
  const triples: number[] = []
  for (let node = 0; node < topology.n; node++)
    for (const link of linksOf(topology, node)) {
      const other = topology.neighbor(node, link)
      if (node < other) triples.push(node, other, weights[topology.channel(node, link)])
    }
  return Float64Array.from(triples)
}

/** The same with the links that are cut before the run begins. */
export function factsUnder(world: World, conditions: Conditions): RunFacts {
  const { faults } = conditions
  const absent = (faults?.events ?? []).flatMap((change) =>
    change.at < 0 && change.what === 'cut'
      ? endsSeparated(world.topology, change.partition).flatMap(([node, , to]) => [node, to])
      : [],
  )
  return { ...worldFacts(world, timeUnit(world, conditions)), absent: Int32Array.from(absent) }
}

/** The facts of a run; in cycles only the network. */
export function runFacts({ scenario, topology, ...prepared }: PreparedRun): RunFacts {
  const messages = prepared.messages()
  if (messages !== null) return factsUnder(messages.world, messages.conditions)
  const network = networkFacts(scenario.algorithm, topology)
  return { ...network, ids: null, unit: 'cycle', types: [], messageTypes: 0 }
}

/** Names of the messages, then of the timers. */
export function typesOf({ kinds, timers }: Algorithm): string[] {
  return [...kinds, ...timers].map(({ name }) => name)
}

export function networkFacts(algorithm: string, topology: Topology) {
  const { name, kind, n } = topology
  const edges = kind === 'graph' ? edgesOf(topology) : new Int32Array(0)
  const places = layoutOf(topology, edges)
  const walk = topology.trajectory && { walk: topology.trajectory }
  return { algorithm, topology: name, kind, n, edges, places, ...walk }
}

function edgesOf(topology: Topology): Int32Array {
  const pairs: number[] = []
  for (let node = 0; node < topology.n; node++)
    for (const link of linksOf(topology, node)) {
      const other = topology.neighbor(node, link)
      if (node < other) pairs.push(node, other)
    }
  return Int32Array.from(pairs)
}
