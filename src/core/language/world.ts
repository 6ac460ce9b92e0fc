import type { State } from '../runtime/state.ts'
import type { Algorithm } from './algorithm.ts'
import { ceilLog2 } from './logarithm.ts'
import type { Topology } from './topology.ts'
import type { Naming } from './value-types.ts'

/** An algorithm on a network: what the simulator, the checker and a cluster have in common. */
export interface World {
  readonly algorithm: Algorithm
  readonly topology: Topology
  /**
   * By position; what handlers see and compare. Where something else than the id decides, these are
   * keys: ranks in the order of what is compared, the id last.
   */
  readonly ids: Float64Array
  /** The id behind each key, where there are keys. */
  readonly names?: ReadonlyMap<number, number>
  /** What the nodes hold, by position, where they hold something. */
  readonly values?: Float64Array
  /** By position: its number among those chosen to hold a 1, from 0 on; -1 for all others. */
  readonly chosen?: Int32Array
  /** By position: 1 for nodes that nobody ever picks to gossip with, where there are such. */
  readonly deaf?: Uint8Array
  readonly params: Readonly<Record<string, number | string>>
  /** What each direction of each link costs, by channel, where that matters. */
  readonly weights?: Float64Array
}

/** The node at a position before anything has happened: asleep. */
export function initialState(world: World, node: number): State {
  const { algorithm, ids } = world
  // A small integer takes no memory of its own; read from a column it would pass for a float64.
  const id = ids[node]
  const small = id | 0
  return algorithm.layout.create(small === id ? small : id, constantsOf(world, node))
}

/** What the state of a node is made with: the parameters, and its input where that counts. */
export function constantsOf(world: World, node: number): Readonly<Record<string, number | string>> {
  const { params, values, chosen } = world
  if (!takesInputs(world)) return params
  return { ...params, value: values?.[node] ?? 0, chosen: chosen?.[node] ?? -1 }
}

/** By field and position, how sleepers differ; a field that is left out is the same in all. */
export function perNodeFields(
  world: World,
): Readonly<Record<string, ArrayLike<number> | undefined>> {
  const { ids, values, chosen } = world
  return takesInputs(world) ? { id: ids, value: values, chosen } : { id: ids }
}

function takesInputs({ algorithm }: World): boolean {
  return algorithm.needs.knows?.includes('inputs') === true
}

/** The id that people know a node by, from the id or key that handlers compare. */
export function idOf({ names }: World, key: number): number {
  return names?.get(key) ?? key
}

/** The same for all nodes, by position. */
export function realIds(world: World): Float64Array {
  return world.names === undefined ? world.ids : world.ids.map((key) => idOf(world, key))
}

/** How ids in states and messages are shown; undefined where they are the ids themselves. */
export function namingIn(world: World): Naming | undefined {
  return world.names && ((key) => idOf(world, key))
}

/** The bits that an identifier takes in this world, whatever it is compared by. */
export function uidBits(world: World): number {
  return ceilLog2(largest(realIds(world)) + 1)
}

/** Math.max with a million arguments would overflow the stack. */
export function largest(ids: Float64Array): number {
  return ids.reduce((a, b) => Math.max(a, b))
}

export function smallest(ids: Float64Array): number {
  return ids.reduce((a, b) => Math.min(a, b))
}
