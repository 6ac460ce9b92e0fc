import type { Algorithm } from '../language/algorithm.ts'
import { flag } from '../language/value-types.ts'
import { realIds, type World } from '../language/world.ts'
import { UsageError } from '../usage-error.ts'
import { type State, StateLayout } from './state.ts'

/**
 * Keys that compare like (priority, id); the node with the largest key wins. A key is a rank, from
 * `room` + 1 on: the numbers below are reserved for nodes that retire, which then lose against all
 * others.
 */
export function keysBy(
  ids: Float64Array,
  priority: (node: number) => number,
  smallestWins = false,
  room = 0,
): { readonly keys: Float64Array; readonly names: ReadonlyMap<number, number> } {
  const values = ids.map((_, node) => (smallestWins ? -priority(node) : priority(node)))
  const order = Uint32Array.from(ids, (_, node) => node)
  order.sort((a, b) => values[a] - values[b] || ids[a] - ids[b])
  const keys = new Float64Array(ids.length)
  const names = new Map<number, number>()
  for (const [rank, node] of order.entries()) {
    keys[node] = room + rank + 1
    names.set(keys[node], ids[node])
  }
  return { keys, names }
}

const made = new WeakMap<Algorithm, Algorithm>()

/** The algorithm that elects the largest key where an attribute decides; else it is refused. */
export function electingLargest(where: string, algorithm: Algorithm): Algorithm {
  const { name, needs, elects, byAttribute } = algorithm
  if (elects === 'largest') return algorithm
  if (byAttribute !== null) {
    // Cached, since the code of its states is generated.
    const make = byAttribute === 'initiators' ? largestInitiator : byAttribute
    const known = made.get(algorithm) ?? make(algorithm)
    made.set(algorithm, known)
    return known
  }
  const trees = { tree: 'tree', hypercube: 'hyper-elect' } as const
  const other = { ring: 'lcr', complete: 'bully', any: 'wireless', ...trees }[needs.topology]
  throw new UsageError(
    where,
    `nodes cannot be elected by attributes: the leader of ${name} need not be the best node.`,
    `Choose an algorithm that elects the best one, such as ${other}.`,
  )
}

/** Only nodes that start by themselves take part. They remember it, so that it can be judged. */
function largestInitiator(original: Algorithm): Algorithm {
  const { layout, params, start } = original
  return {
    ...original,
    elects: 'largest',
    byAttribute: null,
    candidate: ({ initiator }: State) => initiator === true,
    layout: new StateLayout(
      { ...layout.own, initiator: flag },
      layout.hasIds,
      Object.keys(params),
      [],
      layout.kept,
    ) as Algorithm['layout'],
    start(my, net) {
      my.initiator = true
      start(my, net)
    },
  }
}

/**
 * The same world with nodes that are elected by priority: any function of a node and the world. The
 * largest priority wins, and ids break ties.
 */
export function electedBy(world: World, priority: (node: number, world: World) => number): World {
  const { name, needs } = world.algorithm
  if (needs.ids !== 'unique') {
    throw new UsageError(
      'electedBy',
      `needs an algorithm that only compares ids, but ${name} ${needs.ids === 'numbers' ? 'computes with ids' : 'has no ids'}.`,
      'Choose another algorithm.',
    )
  }
  const { keys, names } = keysBy(realIds(world), (node) =>
    checkedPriority(node, priority(node, world)),
  )
  const algorithm = electingLargest('electedBy', world.algorithm)
  return { ...world, algorithm, ids: keys, names }
}

function checkedPriority(node: number, priority: number): number {
  if (!Number.isNaN(priority)) return priority
  throw new UsageError(
    'electedBy',
    `the priority of position ${node} is not a number.`,
    'Return a number for every node.',
  )
}
