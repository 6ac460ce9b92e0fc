import type { Topology } from '../language/topology.ts'
import type { Random } from '../runtime/random.ts'
import { LinkPermutation } from './link-permutation.ts'

/**
 * A complete network. With sense of direction link d leads d positions along the cycle and is link
 * n - d at its other end; shuffled, link numbers carry no information.
 */
export function complete(n: number, { shuffled }: { shuffled?: Random } = {}): Topology {
  return shuffled ? new ShuffledComplete(n, new LinkPermutation(n - 1, shuffled)) : new Complete(n)
}

class Complete implements Topology {
  readonly kind = 'complete'
  readonly firstLink = 1
  readonly name: string
  readonly links: number
  readonly channels: number
  readonly diameter: number
  protected readonly others: number

  constructor(readonly n: number) {
    this.name = `complete:${n}`
    this.others = n - 1
    this.channels = n * (n - 1)
    this.links = this.channels / 2
    this.diameter = Math.min(1, n - 1)
  }

  degree(): number {
    return this.others
  }

  neighbor(node: number, link: number): number {
    const end = node + link
    return end < this.n ? end : end - this.n
  }

  back(_node: number, link: number): number {
    return this.n - link
  }

  channel(node: number, link: number): number {
    return node * this.others + link - 1
  }
}

/** Every node numbers its links by a pseudo-random permutation, which needs no table. */
class ShuffledComplete extends Complete {
  constructor(
    n: number,
    private readonly shuffle: LinkPermutation,
  ) {
    super(n)
  }

  override neighbor(node: number, link: number): number {
    return super.neighbor(node, this.shuffle.apply(node, link - 1) + 1)
  }

  override back(node: number, link: number): number {
    const distance = this.shuffle.apply(node, link - 1) + 1
    return this.shuffle.invert(super.neighbor(node, distance), this.others - distance) + 1
  }
}
