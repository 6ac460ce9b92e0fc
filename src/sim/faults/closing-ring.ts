import type { Topology } from '../../core/language/topology.ts'

/** A ring that closes over excluded nodes: links lead to the nearest node that is not excluded. */
export class ClosingRing implements Topology {
  readonly kind = 'ring'
  readonly firstLink = 0
  readonly name: string
  readonly n: number
  readonly links: number
  readonly channels: number
  private readonly excluded: Uint8Array

  constructor(private readonly whole: Topology) {
    this.name = whole.name
    this.n = whole.n
    this.links = whole.links
    this.channels = whole.channels
    this.excluded = new Uint8Array(whole.n)
  }

  exclude(node: number): void {
    this.excluded[node] = 1
  }

  readmit(node: number): void {
    this.excluded[node] = 0
  }

  degree(): number {
    return 2
  }

  /** Works also for a node that is alone, and for one that is excluded by a false suspicion. */
  neighbor(node: number, link: number): number {
    let next = this.whole.neighbor(node, link)
    while (this.excluded[next] === 1 && next !== node) next = this.whole.neighbor(next, link)
    return next
  }

  back(_node: number, link: number): number {
    return 1 - link
  }

  channel(node: number, link: number): number {
    return this.whole.channel(node, link)
  }
}
