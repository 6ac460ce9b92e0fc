import type { Topology } from '../language/topology.ts'

/**
 * For every node the number of its component among the live nodes, from 0 on; -1 for crashed nodes.
 * Links between separated nodes do not count.
 */
export function components(
  topology: Topology,
  alive: (node: number) => boolean,
  separated: ((a: number, b: number) => boolean) | null = null,
): Int32Array {
  const { n } = topology
  const labels = new Int32Array(n).fill(-1)
  if (topology.kind === 'complete' && separated === null) {
    // All live nodes are linked; following all links would take n^2 steps.
    for (let v = 0; v < n; v++) if (alive(v)) labels[v] = 0
    return labels
  }
  const found = new Int32Array(n)
  let components = 0
  for (let start = 0; start < n; start++) {
    if (labels[start] >= 0 || !alive(start)) continue
    const label = components++
    labels[start] = label
    found[0] = start
    for (let seen = 0, known = 1; seen < known; seen++) {
      const node = found[seen]
      const end = topology.firstLink + topology.degree(node)
      for (let link = topology.firstLink; link < end; link++) {
        const neighbor = topology.neighbor(node, link)
        if (labels[neighbor] >= 0 || !alive(neighbor)) continue
        if (separated?.(node, neighbor)) continue
        labels[neighbor] = label
        found[known++] = neighbor
      }
    }
  }
  return labels
}

export function isConnected(topology: Topology): boolean {
  // A formula for the diameter is given only where the network is connected.
  if (topology.kind !== 'graph' || topology.diameter !== undefined) return true
  return components(topology, () => true).every((label) => label === 0)
}
