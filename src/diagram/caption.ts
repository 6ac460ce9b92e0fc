/** What `at` counts: synchronous rounds, time, or the steps of a run without any clock. */
export type Unit = 'round' | 'time' | 'step'

/** What a picture or a transcript must know besides the events. */
export interface DiagramSetting {
  /** By position; left out where the nodes are anonymous. */
  readonly ids?: ArrayLike<number>
  readonly unit: Unit
}

/** A node by position and id: `p3(8)`. */
export function nodeName(node: number, ids?: ArrayLike<number>): string {
  return ids ? `p${node}(${ids[node]})` : `p${node}`
}
