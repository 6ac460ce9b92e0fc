/** The unit of `at`: synchronous rounds, time, meetings, or steps where there is no clock. */
export type Unit = 'round' | 'time' | 'interaction' | 'step'

/** The setting of a run, besides its events. */
export interface DiagramSetting {
  /** By position; left out where the nodes are anonymous. */
  readonly ids?: ArrayLike<number>
  readonly unit: Unit
}

/** A node by position and id: `p3(8)`. */
export function laneName(node: number, ids?: ArrayLike<number>): string {
  return ids ? `p${node}(${ids[node]})` : `p${node}`
}
