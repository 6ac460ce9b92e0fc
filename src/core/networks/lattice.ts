import type { Topology } from '../language/topology.ts'

const UP = 0
const LEFT = 1
const RIGHT = 2
const DOWN = 3

/** A rectangle; the node in row r and column c is at position r * columns + c. */
export function grid(rows: number, columns: number): Topology {
  return new Grid(rows, columns)
}

/** A grid whose rows and columns are rings. Its sides are at least 3. */
export function torus(rows: number, columns: number): Topology {
  return new Torus(rows, columns)
}

/** Positions that differ in one bit are linked; the link has the number of the bit. */
export function hypercube(dimensions: number): Topology {
  return new Hypercube(dimensions)
}

/** Links are numbered up, left, right, down; at the border missing ones are skipped. */
class Grid implements Topology {
  readonly kind = 'graph'
  readonly firstLink = 0
  readonly name: string
  readonly n: number
  readonly links: number
  readonly channels: number
  readonly diameter: number

  constructor(
    rows: number,
    private readonly columns: number,
  ) {
    this.name = `grid:${rows}x${columns}`
    this.n = rows * columns
    this.links = 2 * this.n - rows - columns
    this.channels = 4 * this.n
    this.diameter = rows + columns - 2
  }

  degree(node: number): number {
    return this.linkOf(node, DOWN) + (node + this.columns < this.n ? 1 : 0)
  }

  neighbor(node: number, link: number): number {
    const direction = this.direction(node, link)
    if (direction === UP) return node - this.columns
    if (direction === DOWN) return node + this.columns
    return direction === LEFT ? node - 1 : node + 1
  }

  back(node: number, link: number): number {
    return this.linkOf(this.neighbor(node, link), DOWN - this.direction(node, link))
  }

  channel(node: number, link: number): number {
    return 4 * node + link
  }

  private direction(node: number, link: number): number {
    const column = node % this.columns
    let direction = link
    if (node < this.columns) direction++
    if (direction >= LEFT && column === 0) direction++
    if (direction >= RIGHT && column === this.columns - 1) direction++
    return direction
  }

  private linkOf(node: number, direction: number): number {
    const column = node % this.columns
    let link = direction
    if (direction > UP && node < this.columns) link--
    if (direction > LEFT && column === 0) link--
    if (direction > RIGHT && column === this.columns - 1) link--
    return link
  }
}

/** Links are numbered up, left, right, down at every node. */
class Torus implements Topology {
  readonly kind = 'graph'
  readonly firstLink = 0
  readonly name: string
  readonly n: number
  readonly links: number
  readonly channels: number
  readonly diameter: number

  constructor(
    rows: number,
    private readonly columns: number,
  ) {
    this.name = `torus:${rows}x${columns}`
    this.n = rows * columns
    this.links = 2 * this.n
    this.channels = 4 * this.n
    this.diameter = Math.floor(rows / 2) + Math.floor(columns / 2)
  }

  degree(): number {
    return 4
  }

  neighbor(node: number, link: number): number {
    const { n, columns } = this
    if (link === UP) return node < columns ? node - columns + n : node - columns
    if (link === DOWN) return node + columns < n ? node + columns : node + columns - n
    const column = node % columns
    if (link === LEFT) return column === 0 ? node + columns - 1 : node - 1
    return column === columns - 1 ? node - columns + 1 : node + 1
  }

  back(_node: number, link: number): number {
    return DOWN - link
  }

  channel(node: number, link: number): number {
    return 4 * node + link
  }
}

class Hypercube implements Topology {
  readonly kind = 'graph'
  readonly firstLink = 0
  readonly name: string
  readonly n: number
  readonly links: number
  readonly channels: number
  readonly diameter: number

  constructor(readonly dimensions: number) {
    this.name = `hypercube:${dimensions}`
    this.n = 2 ** dimensions
    this.channels = dimensions * this.n
    this.links = this.channels / 2
    this.diameter = dimensions
  }

  degree(): number {
    return this.dimensions
  }

  neighbor(node: number, link: number): number {
    return node ^ (1 << link)
  }

  back(_node: number, link: number): number {
    return link
  }

  channel(node: number, link: number): number {
    return node * this.dimensions + link
  }
}
