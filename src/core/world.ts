import type { Algorithm } from './algorithm.ts'
import { ceilLog2 } from './logarithm.ts'
import type { State } from './state.ts'
import type { Topology } from './topology.ts'

/** An algorithm on a network: what the simulator, the checker and a cluster have in common. */
export interface World {
  readonly algorithm: Algorithm
  readonly topology: Topology
  /** By position. Anonymous nodes do not see theirs. */
  readonly ids: Float64Array
  readonly params: Readonly<Record<string, number | string>>
  /** What each direction of each link costs, by channel, where that matters. */
  readonly weights?: Float64Array
}

/** The node at a position before anything has happened: asleep. */
export function sleeper({ algorithm, ids, params }: World, node: number): State {
  // A small integer takes no memory of its own; read from a column it would pass for a float64.
  const id = ids[node]
  const small = id | 0
  return algorithm.form.create(small === id ? small : id, params)
}

/** The bits that an identifier takes in this world. */
export function uidBits({ ids }: World): number {
  return ceilLog2(largest(ids) + 1)
}

/** Math.max with a million arguments would overflow the stack. */
export function largest(ids: Float64Array): number {
  return ids.reduce((a, b) => Math.max(a, b))
}

export function smallest(ids: Float64Array): number {
  return ids.reduce((a, b) => Math.min(a, b))
}
