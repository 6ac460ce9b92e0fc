import type { Participation } from './aggregation-run.ts'
import { GONE, type Overlay } from './overlay.ts'

/** The connectivity of the overlay among the live nodes. */
export interface Percolation {
  /** The number of components: no node of one can pick a node of another. */
  readonly components: number
  /** The fraction of the live nodes in the largest component. */
  readonly largest: number
  /** The fraction of the contacts of live nodes that have crashed; 0 if no node is alive. */
  readonly deadContacts: number
}

/** Two live nodes are connected if one can pick the other, which must not be deaf. */
export function percolationOf(overlay: Overlay, population: Participation): Percolation {
  const { n, alive } = population
  if (overlay.complete) return completePercolation(population)
  const sets = new DisjointSets(n)
  let [contacts, dead] = [0, 0]
  for (let node = 0; node < n; node++) {
    if (!population.isAlive(node)) continue
    const count = overlay.contacts(node)
    contacts += count
    for (let index = 0; index < count; index++) {
      const other = overlay.contact(node, index)
      if (other === GONE || !population.isAlive(other)) dead++
      else if (!population.isDeaf(other)) sets.join(node, other)
    }
  }
  let [components, largest] = [0, 0]
  for (let node = 0; node < n; node++) {
    if (!population.isAlive(node) || sets.root(node) !== node) continue
    components++
    largest = Math.max(largest, sets.size(node))
  }
  return {
    components,
    largest: alive === 0 ? 0 : largest / alive,
    deadContacts: contacts === 0 ? 0 : dead / contacts,
  }
}

/** In a complete overlay one node that can be picked connects all. */
function completePercolation(population: Participation): Percolation {
  const { n, alive } = population
  let connected = population.complete
  for (let node = 0; node < n && !connected; node++)
    connected = population.isAlive(node) && !population.isDeaf(node)
  const components = connected ? Math.min(alive, 1) : alive
  const deadContacts = n === 1 || alive === 0 ? 0 : (n - alive) / (n - 1)
  return { components, largest: alive === 0 ? 0 : 1 / components, deadContacts }
}

/** Disjoint sets (union-find): parent by node; a root has the negative size of its set. */
class DisjointSets {
  private readonly parent: Int32Array

  constructor(n: number) {
    this.parent = new Int32Array(n).fill(-1)
  }

  root(node: number): number {
    const { parent } = this
    let top = node
    while (parent[top] >= 0) top = parent[top]
    for (let at = node; at !== top; ) {
      const next = parent[at]
      parent[at] = top
      at = next
    }
    return top
  }

  size(top: number): number {
    return -this.parent[top]
  }

  join(a: number, b: number): void {
    const { parent } = this
    const [x, y] = [this.root(a), this.root(b)]
    if (x === y) return
    const [large, small] = parent[x] <= parent[y] ? [x, y] : [y, x]
    parent[large] += parent[small]
    parent[small] = large
  }
}
