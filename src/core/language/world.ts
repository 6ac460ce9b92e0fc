import { ceilLog2 } from '../numbers.ts'
import type { State } from '../runtime/state.ts'
import type { Algorithm } from './algorithm.ts'
import type { Topology } from './topology.ts'
import type { Naming } from './value-types.ts'

/** An algorithm on a network: the input of the simulator and of the checker. */
export interface World {
  readonly algorithm: Algorithm
  readonly topology: Topology
  /**
   * By position: the ids that handlers see and compare. Where another attribute decides, these are
   * keys: ranks in the order of (attribute, id).
   */
  readonly ids: Float64Array
  /** The id behind each key, where there are keys. */
  readonly names?: ReadonlyMap<number, number>
  /** The values of the nodes, by position, where they have any. */
  readonly values?: Float64Array
  /** By position: the index among the nodes chosen to hold a 1; -1 for all other nodes. */
  readonly chosen?: Int32Array
  /** By position: 1 for deaf nodes, which are never picked to gossip with. */
  readonly deaf?: Uint8Array
  readonly params: Readonly<Record<string, number | string>>
  /** The weights of links, by channel, where there are any. */
  readonly weights?: Float64Array
  /** What a run begins with in place of the initial states, where that is not the usual. */
  readonly corrupted?: CorruptedStart
  /** Where the code of the algorithm tells which of it runs. */
  readonly coverage?: HandlerCoverage
}

/** A place in the code of a definition: its first line, from 1, and what stands there. */
export interface CodePlace {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Tells which code of a definition runs. */
export interface HandlerCoverage {
  /** The numbers of the pieces of code that have run since this was cleared. */
  readonly running: Set<number>
  /** The beginnings of what never runs in functions of which only these pieces run. */
  deadCode(ran: ReadonlySet<number>): readonly CodePlace[]
}

/** Any state at all, as the beginning of a run. */
export interface CorruptedStart {
  /** By position: values of fields, of the algorithm's own above all. */
  readonly fields: readonly Readonly<Record<string, unknown>>[]
  /** What is in flight, in the order of sending. */
  readonly messages: readonly CorruptedMessage[]
}

/** A message that nobody has sent; it comes from a node over one of its links. */
export interface CorruptedMessage {
  readonly node: number
  readonly link: number
  readonly kind: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The initial state of the node at a position: asleep. */
export function initialState(world: World, node: number): State {
  const { algorithm, ids, corrupted } = world
  // Converted to a small integer, which V8 stores without a heap number.
  const id = ids[node]
  const small = id | 0
  const state = algorithm.layout.create(small === id ? small : id, constantsOf(world, node))
  if (corrupted === undefined) return state
  // Collections are copied: several runs may begin with them.
  return Object.assign(state, algorithm.layout.copy({ ...state, ...corrupted.fields[node] }))
}

/** The constants of a node's state: the parameters, and its input where that is needed. */
export function constantsOf(world: World, node: number): Readonly<Record<string, number | string>> {
  const { params, values, chosen } = world
  if (!takesInputs(world)) return params
  return { ...params, value: values?.[node] ?? 0, chosen: chosen?.[node] ?? -1 }
}

/** The fields in which initial states differ, by position; all other fields are equal. */
export function perNodeFields(
  world: World,
): Readonly<Record<string, ArrayLike<number> | undefined>> {
  const { ids, values, chosen } = world
  return takesInputs(world) ? { id: ids, value: values, chosen } : { id: ids }
}

function takesInputs({ algorithm }: World): boolean {
  return algorithm.needs.knows?.includes('inputs') === true
}

/** The real id of a node, from the id or key that handlers compare. */
export function idOf({ names }: World, key: number): number {
  return names?.get(key) ?? key
}

/** The real ids of all nodes, by position. */
export function realIds(world: World): Float64Array {
  return world.names === undefined ? world.ids : world.ids.map((key) => idOf(world, key))
}

/** Maps keys to real ids; undefined where there are no keys. */
export function namingIn(world: World): Naming | undefined {
  return world.names && ((key) => idOf(world, key))
}

/** Maps the values of a node's state for results: keys to real ids, and links if nodes have ids. */
export function resultNaming(world: World, node: number): Naming {
  const { algorithm, topology, ids } = world
  const name = (key: number) => idOf(world, key)
  if (algorithm.needs.ids === undefined) return name
  const link = (number: number) => name(ids[topology.neighbor(node, number)])
  return Object.assign(name, { link })
}

/** A link in a state that is shown: the position of the neighbour. */
export interface ShownLink {
  readonly neighbour: number
}

/** Maps the values of a node's state for people: keys to real ids, links to neighbours. */
export function shownNaming(world: World, node: number): Naming {
  const link = (number: number): ShownLink => ({ neighbour: world.topology.neighbor(node, number) })
  return Object.assign((key: number) => idOf(world, key), { link })
}

/** The bits of an id in this world. */
export function uidBits(world: World): number {
  return ceilLog2(largestOf(realIds(world)) + 1)
}

/** Math.max with a million arguments would overflow the stack, and `reduce` is slow. */
export function largestOf(ids: Float64Array): number {
  let most = ids[0]
  for (let i = 1; i < ids.length; i++) most = Math.max(most, ids[i])
  return most
}

export function smallest(ids: Float64Array): number {
  let least = ids[0]
  for (let i = 1; i < ids.length; i++) least = Math.min(least, ids[i])
  return least
}
