import type { DistanceSearch } from './distance-search.ts'

const SWEEPS = 4

/**
 * Searches from end to end: from a node with most links, then from a farthest one, and so on.
 * Returns the middle of the longest way found; null if some nodes are not reached.
 */
export function middleOfLongWay(
  search: DistanceSearch,
  searchFrom: (source: number) => number,
): number | null {
  let source = 0
  for (let v = 1; v < search.n; v++) if (search.degree(v) > search.degree(source)) source = v
  let middle = source
  let longest = 0
  for (let i = 0; i < SWEEPS; i++) {
    const length = searchFrom(source)
    if (search.reached < search.n) return null
    const [end] = Array.from(search.order.subarray(search.starts[length], search.n)).sort(
      (a, b) => search.degree(a) - search.degree(b),
    )
    if (i > 0 && length > longest) middle = middleBefore(search, end)
    longest = Math.max(longest, length)
    source = end
  }
  return middle
}

/** The node in the middle of a shortest way from a node back to the last source. */
function middleBefore(search: DistanceSearch, end: number): number {
  const { distance } = search
  let node = end
  while (distance[node] > distance[end] / 2)
    node = search.neighbors(node).find((other) => distance[other] < distance[node])!
  return node
}
