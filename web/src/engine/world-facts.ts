import type { Aggregation } from '../../../src/algorithms/index.ts'
import type { Algorithm, Topology } from '../../../src/core/index.ts'
import { linksOf } from '../../../src/core/topology.ts'
import { realIds, type World } from '../../../src/core/world.ts'
import { placesOf } from './places.ts'
import type { WorldFacts } from './run-log.ts'

/** What the page needs to know of a world with ids and messages. */
export function factsOf(world: World, unit: WorldFacts['unit']): WorldFacts {
  const { algorithm, topology } = world
  return {
    ...networkFacts(algorithm.name, topology),
    ids: algorithm.needs.ids === undefined ? null : Float64Array.from(realIds(world)),
    unit,
    types: typesOf(algorithm),
    messageTypes: algorithm.kinds.length,
  }
}

/** Of a world in cycles there is only the network. */
export function cycleFacts({ name }: Aggregation, topology: Topology): WorldFacts {
  return { ...networkFacts(name, topology), ids: null, unit: 'cycle', types: [], messageTypes: 0 }
}

/** Names of the messages, then of the timers. */
export function typesOf({ kinds, alarms }: Algorithm): string[] {
  return [...kinds, ...alarms].map(({ name }) => name)
}

export function networkFacts(algorithm: string, topology: Topology) {
  const { name, kind, n } = topology
  const edges = kind === 'graph' ? edgesOf(topology) : new Int32Array(0)
  return { algorithm, topology: name, kind, n, edges, places: placesOf(topology, edges) }
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
