import type { Random } from '../../core/runtime/random.ts'
import type { Overlay } from './overlay.ts'
import { RandomOrder } from './random-order.ts'

/** How the pairs of a cycle are chosen, which decides how fast estimates converge. */
export const pairingOrders = ['fresh', 'fixed', 'pairs', 'matchings', 'together'] as const
export type PairingOrder = (typeof pairingOrders)[number]

/** Chooses pairs of nodes that exchange: n pairs per cycle. */
export interface Pairing {
  /** Begins a cycle. */
  begin(): void
  /** Fills in the next pairs of the cycle; returns their number, 0 at the end. */
  fill(first: Int32Array, second: Int32Array): number
}

export function pairingOf(
  order: PairingOrder,
  n: number,
  overlay: Overlay,
  random: Random,
  mayCall?: (node: number) => boolean,
): Pairing {
  if (order === 'together') return new Together(n, overlay, random, mayCall)
  if (order === 'matchings') return new Matchings(n, random)
  if (order === 'pairs') return new RandomPairs(n, overlay, random)
  return new Rounds(n, overlay, random, order === 'fresh')
}

/** Every node picks a peer once per cycle, in a fresh or a fixed random order. */
class Rounds implements Pairing {
  private readonly order: RandomOrder
  private done = 0

  constructor(
    private readonly n: number,
    private readonly overlay: Overlay,
    private readonly random: Random,
    private readonly fresh: boolean,
  ) {
    this.order = new RandomOrder(n, random)
  }

  begin(): void {
    this.done = 0
    if (this.fresh) this.order.redraw()
  }

  fill(first: Int32Array, second: Int32Array): number {
    const count = Math.min(this.n - this.done, first.length)
    const chosen = first.subarray(0, count)
    this.order.fill(this.done, chosen)
    this.overlay.pick(chosen, second.subarray(0, count), this.random)
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
    const { n, overlay, random } = this
    drawPairs(n, overlay, random, first.subarray(0, count), second.subarray(0, count))
    this.left -= count
    return count
  }
}

/** Random pairs: any node with a random contact. On a complete network any two different nodes. */
export function drawPairs(
  n: number,
  overlay: Overlay,
  random: Random,
  first: Int32Array,
  second: Int32Array,
): void {
  random.fillBelow(n, first)
  overlay.pick(first, second, random)
}

/** Two perfect matchings without a common pair, for complete networks. */
class Matchings implements Pairing {
  private readonly order: RandomOrder
  private readonly half: number
  private readonly index = new Int32Array(1)
  private done = 0

  constructor(n: number, random: Random) {
    this.order = new RandomOrder(n, random)
    this.half = n >> 1
  }

  begin(): void {
    this.done = 0
    this.order.redraw()
  }

  /** First the nodes at indices 2i and 2i + 1, then those at 2i + 1 and 2i + 2. */
  fill(first: Int32Array, second: Int32Array): number {
    let count = 0
    while (count < first.length && this.done < 2 * this.half) {
      const index = 2 * (this.done % this.half) + (this.done < this.half ? 0 : 1)
      first[count] = this.at(index)
      second[count++] = this.at((index + 1) % (2 * this.half))
      this.done++
    }
    return count
  }

  private at(index: number): number {
    this.order.fill(index, this.index)
    return this.index[0]
  }
}

/** Every node picks a peer once per cycle, or those that may call do; all at the same moment. */
class Together implements Pairing {
  private done = 0

  constructor(
    private readonly n: number,
    private readonly overlay: Overlay,
    private readonly random: Random,
    private readonly mayCall: ((node: number) => boolean) | undefined,
  ) {}

  begin(): void {
    this.done = 0
  }

  fill(first: Int32Array, second: Int32Array): number {
    const { n, overlay, random, mayCall } = this
    let { done } = this
    let count = 0
    if (mayCall === undefined) while (done < n && count < first.length) first[count++] = done++
    else for (; done < n && count < first.length; done++) if (mayCall(done)) first[count++] = done
    this.done = done
    overlay.pick(first.subarray(0, count), second.subarray(0, count), random)
    return count
  }
}
