import type { Participation } from './aggregation-run.ts'
import { GONE, type Overlay } from './overlay.ts'

/** How far word can spread among those who are left. */
export interface Percolation {
  /** Parts of the network between which nobody can pick anybody. */
  readonly components: number
  /** The share of the live nodes that is in the largest of them. */
  readonly largest: number
  /** The share of the contacts of live nodes that are dead. */
  readonly deadContacts: number
}

/** Two are in one part if one can pick the other: both are alive, the picked one is not deaf. */
export function percolationOf(overlay: Overlay, population: Participation): Percolation {
  const { n, alive } = population
  if (overlay.complete) return everybody(population)
  const parts = new DisjointSets(n)
  let [contacts, dead] = [0, 0]
  for (let node = 0; node < n; node++) {
    if (!population.isAlive(node)) continue
    const count = overlay.contacts(node)
    contacts += count
    for (let place = 0; place < count; place++) {
      const other = overlay.contact(node, place)
      if (other === GONE || !population.isAlive(other)) dead++
      else if (!population.isDeaf(other)) parts.join(node, other)
    }
  }
  let [components, largest] = [0, 0]
  for (let node = 0; node < n; node++) {
    if (!population.isAlive(node) || parts.root(node) !== node) continue
    components++
    largest = Math.max(largest, parts.size(node))
  }
  return {
    components,
    largest: alive === 0 ? 0 : largest / alive,
    deadContacts: contacts === 0 ? 0 : dead / contacts,
  }
}

/** Where all are contacts of all, one who can be picked is enough. */
function everybody(population: Participation): Percolation {
  const { n, alive } = population
  let heard = population.complete
  for (let node = 0; node < n && !heard; node++)
    heard = population.isAlive(node) && !population.isDeaf(node)
  const components = heard ? Math.min(alive, 1) : alive
  const deadContacts = n === 1 ? 0 : (n - alive) / (n - 1)
  return { components, largest: alive === 0 ? 0 : 1 / components, deadContacts }
}

/** Which nodes are together: a forest in one column, where a root has its size, less than 0. */
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
