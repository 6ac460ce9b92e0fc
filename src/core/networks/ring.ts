import { left } from '../language/net.ts'
import type { Topology } from '../language/topology.ts'

/**
 * A ring: the left link leads to the next position, where it is the right link. It has n links for
 * every n: a single node is linked to itself, two nodes are linked twice.
 */
export function ring(n: number): Topology {
  return new Ring(n)
}

class Ring implements Topology {
  readonly kind = 'ring'
  readonly firstLink = 0
  readonly name: string
  readonly links: number
  readonly channels: number
  readonly diameter: number
  private readonly last: number

  constructor(readonly n: number) {
    this.name = `ring:${n}`
    this.links = n
    this.channels = 2 * n
    this.diameter = Math.floor(n / 2)
    this.last = n - 1
  }

  degree(): number {
    return 2
  }

  neighbor(node: number, link: number): number {
    if (link === left) return node === this.last ? 0 : node + 1
    return node === 0 ? this.last : node - 1
  }

  back(_node: number, link: number): number {
    return 1 - link
  }

  /** All left channels, then all right ones: one-way algorithms touch half of the memory. */
  channel(node: number, link: number): number {
    return link === left ? node : this.n + node
  }
}
