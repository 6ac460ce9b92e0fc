import { type Aggregate, numbersOf } from '../core/language/aggregate.ts'
import type { Topology } from '../core/language/topology.ts'
import type { World } from '../core/language/world.ts'
import { bytesOf } from '../core/runtime/record-view.ts'
import type { Conditions } from '../sim/index.ts'

/** Bytes of a node that every election has: its id, when it starts, and whether it is alive. */
const EACH = 8 + 12 + 1
/** A record takes this much, and more for each field; collections in it are not counted. */
const [RECORD, FIELD] = [48, 16]
/** A timer of a node: when it is due, and its place in the queue. */
const TIMER = 16
/** A stored network, by node and by link. */
const [STORED_NODE, STORED_LINK] = [4, 16]

/** About how many bytes a run by messages takes, with one message per node in flight. */
export function messageRunBytes(
  { algorithm, topology, values }: World,
  { delay, fifo }: Conditions,
): number {
  const { layout, kinds, timers } = algorithm
  const fields = layout.columnGroups.flat().length
  const state = layout.fixed
    ? layout.columnGroups.reduce((sum, group) => sum + bytesOf(group), 0)
    : RECORD + FIELD * fields
  const numbers = 2 + Math.max(0, ...kinds.map(({ codec }) => codec.width))
  const integers = kinds.every(({ codec }) => codec.integers)
  // Buckets grow by doubling.
  const message = 2 * numbers * (integers ? 4 : 8)
  const node = EACH + state + message + TIMER * timers.length + (values ? 8 : 0)
  const ordered = fifo && delay.model !== 'constant' && topology.kind !== 'complete'
  return topology.n * node + (ordered ? 4 * topology.channels : 0) + networkBytes(topology)
}

/** About how many bytes gossip in cycles takes: values and numbers. */
export function cycleRunBytes(aggregate: Aggregate, topology: Topology, together: boolean): number {
  const numbers = numbersOf(aggregate) * (aggregate.row?.bytes ? 1 : 8)
  return topology.n * (8 + numbers * (together ? 2 : 1)) + networkBytes(topology)
}

/** Networks with a formula for their diameter are computed. */
function networkBytes({ diameter, n, links }: Topology): number {
  return diameter === undefined ? STORED_NODE * n + STORED_LINK * links : 0
}
