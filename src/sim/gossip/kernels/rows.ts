import type { AggregateRow } from '../../../core/language/aggregate.ts'
import type { Row } from '../../../core/language/collections.ts'
import type { Topology } from '../../../core/language/topology.ts'
import type { Random } from '../../../core/runtime/random.ts'
import type { Population } from '../population.ts'

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
  private readonly scratch: Row
  /** Where rows are flooded: the nodes that have learnt something and not told it yet. */
  private readonly news: Uint8Array | null
  /** Their rows at the beginning of the round, and the nodes themselves. */
  private told: Row | null = null
  private readonly input = { value: 0, chosen: -1, id: 0 }
  private readonly draw: () => number

  constructor(
    private readonly row: AggregateRow,
    private readonly values: Float64Array,
    random: Random,
  ) {
    const n = values.length
    this.column = row.bytes ? new Uint8Array(n * row.length) : new Float64Array(n * row.length)
    this.scratch = this.column.slice(0, row.length)
    this.news = row.floods ? new Uint8Array(n) : null
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
    for (let i = 0; i < row.length; i++) column[at + i] += share * (scratch[i] - column[at + i])
  }

  /** The first of each pair asks, and the second one answers. */
  exchange(first: Int32Array, second: Int32Array, count: number): void {
    const { row, column, news } = this
    const { length, rule } = row
    for (let i = 0; i < count; i++) {
      const learnt = rule.exchange(column, first[i] * length, second[i] * length)
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
