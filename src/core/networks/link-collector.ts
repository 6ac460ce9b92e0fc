import { counted, quoted } from '../text-format.ts'
import { EdgeSet } from './adjacency.ts'
import { limitLinks, MOST_STORED, refuse } from './parameter.ts'

/** Links as another program wrote them: nodes by label, in any order and direction. */
export interface CollectedLinks {
  readonly n: number
  /** Each link once, sorted by its smaller and then its larger position. */
  readonly edges: EdgeSet
  /** The label of each position; null where labels are the positions themselves. */
  readonly labels: readonly string[] | null
  /** By link, in the order of `edges`; null where links have no weights. */
  readonly weights: readonly number[] | null
  /** What was changed on the way, in words. */
  readonly notes: readonly string[]
}

/**
 * Collects the links of a file. Labels become positions: whole numbers in ascending order, other
 * labels in the order of appearance. Loops are left out, and a link that is listed several times,
 * as directed graphs list it, is kept once.
 */
export class LinkCollector {
  private readonly indices = new Map<string, number>()
  private readonly edges = new EdgeSet()
  private readonly weights: number[] = []
  private readonly lines: number[] = []
  private loops = 0
  /** The lines of the first link with a weight, and of the first without. */
  private weighted = 0
  private unweighted = 0

  constructor(private readonly file: string) {}

  /** A node that may have no link. */
  node(label: string): number {
    const known = this.indices.get(label)
    if (known !== undefined) return known
    const index = this.indices.size
    if (index === MOST_STORED) limitLinks(this.file, Number.POSITIVE_INFINITY)
    this.indices.set(label, index)
    return index
  }

  link(near: string, far: string, weight: number | null, line: number): void {
    const [a, b] = [this.node(near), this.node(far)]
    if (a === b) {
      this.loops++
      return
    }
    this.edges.add(a, b)
    limitLinks('this one', this.edges.length)
    if (weight === null) this.unweighted ||= line
    else {
      this.weighted ||= line
      this.weights.push(weight)
      this.lines.push(line)
    }
    if (this.weighted > 0 && this.unweighted > 0) this.refuseMissingWeight()
  }

  finish(): CollectedLinks {
    if (this.indices.size === 0) {
      refuse(`${this.file} lists no link.`, 'Write one link a line, for example 0 1.')
    }
    const { positions, labels, note } = this.positions()
    const { edges, weights, repeated } = this.sorted(positions)
    const notes = [
      ...(note === null ? [] : [note]),
      ...(this.loops > 0 ? [`${counted(this.loops, 'self-loop')} left out`] : []),
      ...(repeated > 0
        ? [`${counted(repeated, 'repeated or opposite link')} merged: links have no direction`]
        : []),
    ]
    return { n: this.indices.size, edges, labels, weights, notes }
  }

  /** The position of each label, by the order of appearance. */
  private positions() {
    const labels = [...this.indices.keys()]
    const numbers = labels.map((label) => (/^\d+$/.test(label) ? Number(label) : Number.NaN))
    if (numbers.some(Number.isNaN)) {
      return { positions: null, labels, note: `nodes are numbered in order of appearance` }
    }
    const order = Uint32Array.from(numbers.keys()).sort((a, b) => numbers[a] - numbers[b])
    const positions = new Int32Array(order.length)
    for (let rank = 0; rank < order.length; rank++) positions[order[rank]] = rank
    const same = numbers.every((number, i) => number === positions[i])
    if (same) return { positions, labels: null, note: null }
    const first = labels[order[0]]
    return {
      positions,
      labels: Array.from(order, (index) => labels[index]),
      note: `nodes are renumbered in ascending order: position 0 is node ${first}`,
    }
  }

  /** Each link once, in order; two weights of one link must agree. */
  private sorted(positions: Int32Array | null) {
    const { near, far, length } = this.edges
    const n = this.indices.size
    const at = (index: number) => (positions === null ? index : positions[index])
    const keys = new Float64Array(length)
    for (let e = 0; e < length; e++) {
      const [a, b] = [at(near[e]), at(far[e])]
      keys[e] = Math.min(a, b) * n + Math.max(a, b)
    }
    const weighted = this.weights.length > 0
    // Without weights the keys alone are sorted, which is much faster.
    const order = weighted
      ? Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || a - b)
      : null
    if (order === null) keys.sort()
    const edges = new EdgeSet()
    const weights: number[] = []
    let [last, lastEdge] = [-1, 0]
    for (let i = 0; i < length; i++) {
      const e = order === null ? i : order[i]
      if (keys[e] === last) {
        if (weighted && this.weights[e] !== this.weights[lastEdge]) this.refuseConflict(lastEdge, e)
        continue
      }
      ;[last, lastEdge] = [keys[e], e]
      edges.add(Math.floor(last / n), last % n)
      if (weighted) weights.push(this.weights[e])
    }
    return { edges, weights: weighted ? weights : null, repeated: length - edges.length }
  }

  private refuseMissingWeight(): never {
    return refuse(
      `line ${this.unweighted} of ${this.file} has no weight, but line ${this.weighted} has one.`,
      'Give every link a weight, or none.',
    )
  }

  private refuseConflict(first: number, second: number): never {
    const labels = [...this.indices.keys()]
    const link = `${labels[this.edges.near[second]]}-${labels[this.edges.far[second]]}`
    const given = `${this.weights[second]} in line ${this.lines[second]}`
    return refuse(
      `${this.file} gives the link ${quoted(link)} the weight ${this.weights[first]} in line ${this.lines[first]} and ${given}.`,
      'Links have no direction: give both the same weight.',
    )
  }
}
