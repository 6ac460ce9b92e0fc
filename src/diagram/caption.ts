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

/** A round or time without the noise of binary fractions; thousands are set apart. */
export function momentText(at: number): string {
  const [whole, fraction] = String(Number(at < 1 ? at.toPrecision(4) : at.toFixed(4))).split('.')
  const grouped = grouping(whole)
  return fraction ? `${grouped}.${fraction}` : grouped
}

/** A whole number with its thousands set apart. */
export function grouping(whole: number | string): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
}
