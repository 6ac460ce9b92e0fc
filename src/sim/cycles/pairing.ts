import type { Random } from '../../core/random.ts'
import type { Overlay } from './overlay.ts'

/** How the pairs of a cycle are found, and so how fast everybody comes to agree. */
export const pairingOrders = ['fresh', 'fixed', 'pairs', 'matchings'] as const
export type PairingOrder = (typeof pairingOrders)[number]

/** Finds pairs of nodes that exchange: n of them are a cycle. */
export interface Pairing {
  /** Begins a cycle. */
  begin(): void
  /** Fills in the next pairs of the cycle; returns how many, 0 at its end. */
  fill(first: Int32Array, second: Int32Array): number
}

export function pairingOf(
  order: PairingOrder,
  n: number,
  overlay: Overlay,
  random: Random,
): Pairing {
  if (order === 'matchings') return new Matchings(n, random)
  if (order === 'pairs') return new RandomPairs(n, overlay, random)
  return new Rounds(n, overlay, random, order === 'fresh')
}

/** Every node picks a neighbour once in a cycle, in an order that is new each time or stays. */
class Rounds implements Pairing {
  private readonly order: Int32Array
  private done = 0

  constructor(
    private readonly n: number,
    private readonly overlay: Overlay,
    private readonly random: Random,
    private readonly fresh: boolean,
  ) {
    this.order = Int32Array.from(random.permutation(n))
  }

  begin(): void {
    this.done = 0
  }

  fill(first: Int32Array, second: Int32Array): number {
    const { n, order, random, overlay, fresh } = this
    const start = this.done
    const count = Math.min(n - start, first.length)
    const chosen = first.subarray(0, count)
    if (fresh) {
      random.fillBelow(n - start, chosen, 1)
      for (let i = 0; i < count; i++) {
        const other = start + i + chosen[i]
        const node = order[other]
        order[other] = order[start + i]
        order[start + i] = node
        chosen[i] = node
      }
    } else chosen.set(order.subarray(start, start + count))
    overlay.pick(chosen, second.subarray(0, count), random)
    this.done += count
    return count
  }
}

/** As many pairs as there are nodes, each with a random first node. */
class RandomPairs implements Pairing {
  private left = 0

  constructor(
    private readonly n: number,
    private readonly overlay: Overlay,
    private readonly random: Random,
  ) {}

  begin(): void {
    this.left = this.n
  }

  fill(first: Int32Array, second: Int32Array): number {
    const count = Math.min(first.length, this.left)
    const chosen = first.subarray(0, count)
    this.random.fillBelow(this.n, chosen)
    this.overlay.pick(chosen, second.subarray(0, count), this.random)
    this.left -= count
    return count
  }
}

/** Two perfect matchings that share no pair: everybody exchanges twice. For complete networks. */
class Matchings implements Pairing {
  private readonly order: Int32Array
  private done = 0

  constructor(
    private readonly n: number,
    private readonly random: Random,
  ) {
    this.order = Int32Array.from({ length: n }, (_, node) => node)
  }

  begin(): void {
    this.done = 0
    const { n, order, random } = this
    for (let at = n - 1; at > 0; at--) {
      const other = random.below(at + 1)
      const node = order[other]
      order[other] = order[at]
      order[at] = node
    }
  }

  /** First those at places 2i and 2i + 1, then those at 2i + 1 and 2i + 2. */
  fill(first: Int32Array, second: Int32Array): number {
    const { n, order } = this
    const half = n >> 1
    let count = 0
    while (count < first.length && this.done < 2 * half) {
      const place = 2 * (this.done % half) + (this.done < half ? 0 : 1)
      first[count] = order[place]
      second[count++] = order[(place + 1) % (2 * half)]
      this.done++
    }
    return count
  }
}
