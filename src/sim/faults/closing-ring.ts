import type { Topology } from '../../core/language/topology.ts'

/** A ring that closes over nodes: its links lead to the nearest node that has not been left out. */
export class ClosingRing implements Topology {
  readonly kind = 'ring'
  readonly firstLink = 0
  readonly name: string
  readonly n: number
  readonly links: number
  readonly channels: number
  private readonly out: Uint8Array

  constructor(private readonly whole: Topology) {
    this.name = whole.name
    this.n = whole.n
    this.links = whole.links
    this.channels = whole.channels
    this.out = new Uint8Array(whole.n)
  }

  leaveOut(node: number): void {
    this.out[node] = 1
  }

  takeIn(node: number): void {
    this.out[node] = 0
  }

  degree(): number {
    return 2
  }

  /** A node that is alone, or has been left out itself by mistake, finds its way all the same. */
  neighbor(node: number, link: number): number {
    let next = this.whole.neighbor(node, link)
    while (this.out[next] === 1 && next !== node) next = this.whole.neighbor(next, link)
    return next
  }

  back(_node: number, link: number): number {
    return 1 - link
  }

  channel(node: number, link: number): number {
    return this.whole.channel(node, link)
  }
}
