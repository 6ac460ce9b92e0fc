import { realIds, type World } from '../language/world.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Keys that compare like (value, id), the largest of them with the node that is to win. A key is a
 * rank, from `room` + 1 on: the numbers below are free for nodes that retire, and from then on lose
 * against all others.
 */
export function keysBy(
  ids: Float64Array,
  worth: (node: number) => number,
  smallestWins = false,
  room = 0,
): { readonly keys: Float64Array; readonly names: ReadonlyMap<number, number> } {
  const values = ids.map((_, node) => (smallestWins ? -worth(node) : worth(node)))
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

/**
 * The same world with nodes that are elected by what they are worth: any function of what a node
 * holds and of what is around it. The largest worth wins, and ids break ties.
 */
export function electedBy(world: World, worth: (node: number, world: World) => number): World {
  const { name, needs } = world.algorithm
  if (needs.ids !== 'unique') {
    throw new UsageError(
      'electedBy',
      `an algorithm that compares ids is needed, but ${name} ${needs.ids === 'numbers' ? 'computes with ids' : 'knows no ids'}.`,
      'Choose another algorithm.',
    )
  }
  const { keys, names } = keysBy(realIds(world), (node) => worthOf(node, worth(node, world)))
  return { ...world, ids: keys, names }
}

function worthOf(node: number, worth: number): number {
  if (!Number.isNaN(worth)) return worth
  throw new UsageError(
    'electedBy',
    `every node needs a worth that can be compared, but that of position ${node} is no number.`,
    'Give it a number.',
  )
}
