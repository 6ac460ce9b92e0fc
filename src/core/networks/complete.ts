import type { Topology } from '../language/topology.ts'
import type { Random } from '../runtime/random.ts'

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

/**
 * For every owner a pseudo-random permutation of 0..size-1 and its inverse, computed, not stored.
 *
 * It is a Feistel network over the cells of a table with about sqrt(size) rows and columns (Black
 * and Rogaway, 2002): a round rotates every column, or every row, by an amount that depends on the
 * owner's key. The table has a few cells more than there are numbers; these are mapped again (cycle
 * walking).
 */
class LinkPermutation {
  private readonly rows: number
  private readonly columns: number
  /** Small tables need more rounds until all permutations are about equally likely. */
  private readonly rounds: number
  private readonly key: number
  private readonly secondKey: number

  /** The size is at most 2^26, so that the sides of the table are at most 2^13. */
  constructor(
    private readonly size: number,
    random: Random,
  ) {
    this.rows = Math.max(1, Math.ceil(Math.sqrt(size)))
    this.columns = Math.max(1, Math.ceil(size / this.rows))
    this.rounds = size < 100 ? 16 : 6
    this.key = random.below(4294967296) | 0
    this.secondKey = random.below(4294967296) | 0
  }

  apply(owner: number, number: number): number {
    const { rows, columns, rounds } = this
    const key = this.keyOf(owner)
    let cell = number
    do {
      let row = (cell / columns) | 0
      let column = cell - row * columns
      for (let round = 0; round < rounds; round += 2) {
        row += rotation(key, round, column, rows)
        if (row >= rows) row -= rows
        column += rotation(key, round + 1, row, columns)
        if (column >= columns) column -= columns
      }
      cell = row * columns + column
    } while (cell >= this.size)
    return cell
  }

  invert(owner: number, number: number): number {
    const { rows, columns, rounds } = this
    const key = this.keyOf(owner)
    let cell = number
    do {
      let row = (cell / columns) | 0
      let column = cell - row * columns
      for (let round = rounds - 2; round >= 0; round -= 2) {
        column -= rotation(key, round + 1, row, columns)
        if (column < 0) column += columns
        row -= rotation(key, round, column, rows)
        if (row < 0) row += rows
      }
      cell = row * columns + column
    } while (cell >= this.size)
    return cell
  }

  private keyOf(owner: number): number {
    return mixed(mixed(owner ^ this.key) + this.secondKey)
  }
}

/** The rotation of one row or column in a round: from 0 to side - 1. */
function rotation(key: number, round: number, line: number, side: number): number {
  const word = mixed(key + Math.imul(line * 16 + round + 1, 0x9e3779b1))
  return ((word >>> 14) * side) >>> 18
}

/** A bijection of 32-bit words in which every output bit depends on every input bit. */
function mixed(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
