import type { RunLog } from '../../recording/run-log.ts'

export const LANE_ORDERS = {
  position: 'by position',
  id: 'by id',
  activity: 'by first event',
} as const

export type LaneSorting = keyof typeof LANE_ORDERS

/** Which nodes have a line in the diagram, from top to bottom. */
export class LaneOrder {
  private readonly lanes: Int32Array

  constructor(
    readonly nodes: readonly number[],
    n: number,
  ) {
    this.lanes = new Int32Array(n).fill(-1)
    for (const [lane, node] of nodes.entries()) this.lanes[node] = lane
  }

  static ofAll(n: number): LaneOrder {
    return new LaneOrder(
      Array.from({ length: n }, (_, node) => node),
      n,
    )
  }

  shows(node: number): boolean {
    return this.lanes[node] >= 0
  }

  laneOf(node: number): number {
    return this.lanes[node]
  }
}

/** The lines of a run in an order, without those of hidden nodes. */
export function laneOrder(
  log: RunLog,
  sorting: LaneSorting,
  hidden: ReadonlySet<number>,
): LaneOrder {
  const { n } = log.world
  const keys = sorting === 'position' ? null : sorting === 'id' ? idsOf(log) : firstEventsOf(log)
  const nodes = Array.from({ length: n }, (_, node) => node).filter((node) => !hidden.has(node))
  // Sorting is stable: nodes with equal keys stay in the order of their positions.
  if (keys !== null) nodes.sort((a, b) => keys[a] - keys[b])
  return new LaneOrder(nodes, n)
}

/** The largest id is at the top. */
function idsOf({ world: { n, ids } }: RunLog): readonly number[] {
  return Array.from({ length: n }, (_, node) => (ids === null ? node : -ids[node]))
}

/** The first step of each node. */
function firstEventsOf(log: RunLog): readonly number[] {
  const first = new Array<number>(log.world.n).fill(Number.MAX_SAFE_INTEGER)
  for (let step = log.steps - 1; step >= 0; step--) first[log.nodeOf(step)] = step
  return first
}
