import type { Topology } from '../language/topology.ts'

/** Nodes in a row. */
export function path(n: number): Topology {
  return new Tree(`path:${n}`, n, 1)
}

/** All other nodes are linked to position 0 only. */
export function star(n: number): Topology {
  return new Tree(`star:${n}`, n, n)
}

/**
 * Positions in breadth-first order; every node but the last parent has `arity` children or none.
 */
export function tree(n: number, arity: number): Topology {
  return new Tree(`tree:${n}:${arity}`, n, arity)
}

/**
 * The link to the parent comes first, then those to the children by position. A path is a tree of
 * arity 1; a star is a tree whose root is the parent of all other nodes.
 */
class Tree implements Topology {
  readonly kind = 'graph'
  readonly firstLink = 0
  readonly links: number
  readonly channels: number
  readonly diameter: number
  private readonly arity: number

  constructor(
    readonly name: string,
    readonly n: number,
    arity: number,
  ) {
    this.links = n - 1
    this.channels = 2 * (n - 1)
    this.arity = Math.min(arity, n)
    this.diameter = this.arity === 1 ? n - 1 : longestPath(n, this.arity)
  }

  degree(node: number): number {
    const children = Math.max(0, Math.min(this.arity, this.n - 1 - node * this.arity))
    return node === 0 ? children : children + 1
  }

  neighbor(node: number, link: number): number {
    if (node === 0) return link + 1
    return link === 0 ? this.parent(node) : node * this.arity + link
  }

  back(node: number, link: number): number {
    if (node === 0 || link > 0) return 0
    const parent = this.parent(node)
    const rank = node - 1 - parent * this.arity
    return parent === 0 ? rank : rank + 1
  }

  /** The channels from children to parents come first, then those from parents to children. */
  channel(node: number, link: number): number {
    if (node > 0 && link === 0) return node - 1
    return this.links + this.neighbor(node, link) - 1
  }

  private parent(node: number): number {
    return Math.floor((node - 1) / this.arity)
  }
}

/**
 * The longest path of a tree whose root has several children, if there are several: from the lowest
 * level below the first child to the lowest level below another.
 */
function longestPath(n: number, arity: number): number {
  let above = 0
  let height = 0
  let width = 1
  for (let level = 1; above + width < n; level++) {
    above += width
    width *= arity
    height = level
  }
  return n - above > width / arity ? 2 * height : Math.max(0, 2 * height - 1)
}
