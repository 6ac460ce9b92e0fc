import type { Random } from '../../core/runtime/random.ts'
import type { Overlay } from './overlay.ts'

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

/** Fewer bits give too few different orders. */
const FEWEST_BITS = 10
/** The rounds of the permutation: x becomes (x ^ (x >>> fold)) * factor + term, masked. */
const ROUNDS = 4

/**
 * A random permutation of 0 to n - 1 that is computed, not stored: a few invertible rounds
 * (multiply by an odd number, add, fold the upper bits onto the lower ones) on the next power of
 * two. Values beyond n are mapped again until they are inside (cycle walking). At ten million nodes
 * a stored permutation would cost a cache miss per step.
 */
export class RandomOrder {
  private readonly factors = new Int32Array(ROUNDS)
  private readonly terms = new Int32Array(ROUNDS)
  private readonly mask: number
  private readonly fold: number
  /** The places of numbers beyond n, while a piece is filled. */
  private beyond = new Int32Array(1)

  constructor(
    private readonly n: number,
    private readonly random: Random,
  ) {
    const bits = Math.max(FEWEST_BITS, 32 - Math.clz32(n - 1))
    this.mask = 2 ** bits - 1
    this.fold = (bits + 1) >> 1
    this.redraw()
  }

  /** Draws another permutation. */
  redraw(): void {
    const { factors, terms, mask, random } = this
    random.fillBelow(mask + 1, terms)
    random.fillBelow(mask + 1, factors)
    for (let round = 0; round < ROUNDS; round++) factors[round] |= 1
  }

  /** The numbers at the indices from `start` on. */
  fill(start: number, into: Int32Array): void {
    if (this.beyond.length < into.length) this.beyond = new Int32Array(into.length)
    let left = this.mapFrom(start, into)
    while (left > 0) left = this.mapAgain(into, left)
  }

  /**
   * Maps the numbers from `start` on once. Lists the places of those beyond n and returns how many:
   * a branch for each number would be mispredicted too often.
   */
  private mapFrom(start: number, into: Int32Array): number {
    const { mask, fold, beyond, factors, terms } = this
    const last = this.n - 1
    const [f0, f1, f2, f3] = factors
    const [t0, t1, t2, t3] = terms
    let left = 0
    for (let i = 0; i < into.length; i++) {
      let x = round(start + i, fold, f0, t0, mask)
      x = round(x, fold, f1, t1, mask)
      x = round(x, fold, f2, t2, mask)
      x = round(x, fold, f3, t3, mask)
      x ^= x >>> fold
      into[i] = x
      beyond[left] = i
      left += (last - x) >>> 31
    }
    return left
  }

  /** Maps those once more that are beyond n; returns how many still are. */
  private mapAgain(numbers: Int32Array, count: number): number {
    const { mask, fold, beyond, factors, terms } = this
    const last = this.n - 1
    const [f0, f1, f2, f3] = factors
    const [t0, t1, t2, t3] = terms
    let left = 0
    for (let i = 0; i < count; i++) {
      const place = beyond[i]
      let x = round(numbers[place], fold, f0, t0, mask)
      x = round(x, fold, f1, t1, mask)
      x = round(x, fold, f2, t2, mask)
      x = round(x, fold, f3, t3, mask)
      x ^= x >>> fold
      numbers[place] = x
      beyond[left] = place
      left += (last - x) >>> 31
    }
    return left
  }
}

function round(x: number, fold: number, factor: number, term: number, mask: number): number {
  return (Math.imul(x ^ (x >>> fold), factor) + term) & mask
}
