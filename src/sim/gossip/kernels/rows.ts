import { type AggregateRow, evaporateRow } from '../../../core/language/aggregate.ts'
import type { Row } from '../../../core/language/collections.ts'
import type { Topology } from '../../../core/language/topology.ts'
import type { Random } from '../../../core/runtime/random.ts'
import type { Population } from '../population.ts'
import { SimdColumn } from './simd.ts'

/** The rows of this many pairs are touched before they exchange, so that cache misses overlap. */
const AHEAD = 32
/** Columns from this many bytes on are exchanged by SIMD instructions. */
const LARGE = 2 ** 22

/** The messages of a round of flooding, by their fate. */
export interface FloodedMessages {
  delivered: number
  lost: number
  toDead: number
  refused: number
}

/** The rows of all nodes, one after the other in a column, as cycles change them. */
export class RowColumn {
  readonly column: Row
  /** Exchanges the rows of large columns. */
  private readonly simd: SimdColumn | null
  /** The same column in words of four bytes, where the rule can exchange them. */
  private readonly words: Int32Array | null
  private readonly scratch: Row
  /** Where rows are flooded: the nodes that have learnt something and not told it yet. */
  private readonly news: Uint8Array | null
  /** Their rows at the beginning of the round, and the nodes themselves. */
  private told: Row | null = null
  private readonly input = { value: 0, chosen: -1, id: 0 }
  private readonly draw: () => number
  /** Keeps touching from being optimised away. */
  sink = 0

  constructor(
    private readonly row: AggregateRow,
    private readonly values: Float64Array,
    random: Random,
  ) {
    const n = values.length
    this.news = row.floods ? new Uint8Array(n) : null
    const bytes = row.length * (row.bytes ? 1 : 8)
    const { elements } = row.rule
    // Where rows are flooded, the rule says who has learnt something.
    const fast = elements !== undefined && this.news === null && n * bytes >= LARGE
    this.simd = fast ? SimdColumn.of(elements, n, bytes, AHEAD) : null
    const buffer = this.simd?.buffer ?? new ArrayBuffer(n * bytes)
    this.column = row.bytes
      ? new Uint8Array(buffer, 0, n * row.length)
      : new Float64Array(buffer, 0, n * row.length)
    const inWords = row.rule.exchangeWords !== undefined && row.length % 4 === 0
    this.words = inWords ? new Int32Array(buffer) : null
    this.scratch = this.column.slice(0, row.length)
    this.draw = () => random.unit()
  }

  /** Fills in the start row of a node. */
  start(node: number, chosen: number): void {
    const { row, column } = this
    row.start(column, node * row.length, this.inputOf(node, chosen), this.draw)
    if (this.news) this.news[node] = 1
  }

  /** The averages of the row move towards those of the start row. */
  evaporate(node: number, share: number): void {
    const { row, column, scratch } = this
    const at = node * row.length
    row.start(scratch, 0, this.inputOf(node, -1), this.draw)
    evaporateRow(row, column, at, scratch, share)
  }

  /** The first of each pair asks, and the second one answers. */
  exchange(first: Int32Array, second: Int32Array, count: number): void {
    for (let from = 0; from < count; from += AHEAD) {
      const to = Math.min(from + AHEAD, count)
      this.sink = this.touched(first, from, to) + this.touched(second, from, to)
      if (this.simd) this.simd.exchange(first, second, from, to)
      else if (this.words) this.exchangeWords(this.words, first, second, from, to)
      else this.exchangeRows(first, second, from, to)
    }
  }

  /** Reads both ends of some rows; what lies between follows by itself. */
  private touched(nodes: Int32Array, from: number, to: number): number {
    const { column, row } = this
    const { length } = row
    let seen = 0
    for (let i = from; i < to; i++) {
      const at = nodes[i] * length
      seen += column[at] + column[at + length - 1]
    }
    return seen
  }

  private exchangeRows(first: Int32Array, second: Int32Array, from: number, to: number): void {
    const { row, column, news } = this
    const { length, rule } = row
    for (let i = from; i < to; i++) {
      const learnt = rule.exchange(column, first[i] * length, second[i] * length)
      if (news === null) continue
      if (learnt & 1) news[first[i]] = 1
      if (learnt & 2) news[second[i]] = 1
    }
  }

  private exchangeWords(
    words: Int32Array,
    first: Int32Array,
    second: Int32Array,
    from: number,
    to: number,
  ): void {
    const { row, news } = this
    const { rule } = row
    const length = row.length >> 2
    for (let i = from; i < to; i++) {
      const learnt = rule.exchangeWords!(words, first[i] * length, second[i] * length)
      if (news === null) continue
      if (learnt & 1) news[first[i]] = 1
      if (learnt & 2) news[second[i]] = 1
    }
  }

  /** All nodes go on to the next stage; those that waited begin it with the row of another. */
  advance(population: Population, random: Random): void {
    const { row, column } = this
    const { length, stages } = row
    const waiting: number[] = []
    for (let node = 0; node < this.values.length; node++)
      if (population.takesPart(node)) stages!.next(column, node * length, this.inputOf(node, -1))
      else if (population.isAlive(node)) waiting.push(node)
    if (population.active === 0) return
    for (const node of waiting) {
      let contact = population.randomLiveNode(random)
      while (!population.takesPart(contact)) contact = population.randomLiveNode(random)
      const input = this.inputOf(node, -1)
      stages!.enter(column, node * length, column, contact * length, input)
    }
  }

  /**
   * A round of flooding: nodes that have learnt something tell it to all neighbours, as it was at
   * the beginning of the round.
   */
  flood(topology: Topology, population: Population, loss: number, random: Random): FloodedMessages {
    const { row, column } = this
    const { length, rule } = row
    const news = this.news!
    const counts = { delivered: 0, lost: 0, toDead: 0, refused: 0 }
    const tellers: number[] = []
    for (let node = 0; node < news.length; node++)
      if (news[node] === 1 && population.takesPart(node)) tellers.push(node)
    news.fill(0)
    this.told ??= column.slice()
    const { told } = this
    for (const [i, node] of tellers.entries())
      for (let k = 0; k < length; k++) told[i * length + k] = column[node * length + k]
    for (const [i, node] of tellers.entries()) {
      const last = topology.firstLink + topology.degree(node)
      for (let link = topology.firstLink; link < last; link++) {
        const peer = topology.neighbor(node, link)
        if (!population.isAlive(peer)) counts.toDead++
        else if (loss > 0 && random.unit() < loss) counts.lost++
        else if (!population.takesPart(peer)) counts.refused++
        else {
          counts.delivered++
          if (rule.conclude(column, peer * length, told, i * length)) news[peer] = 1
        }
      }
    }
    return counts
  }

  private inputOf(node: number, chosen: number) {
    const { input } = this
    input.value = this.values[node]
    input.chosen = chosen
    input.id = node
    return input
  }
}
