import type { Topology } from '../../language/topology.ts'
import type { Random } from '../../runtime/random.ts'
import { type Adjacency, backLinks, reversed } from '../adjacency.ts'

/**
 * Every node picks k distinct other nodes. A node's links lead to its own picks, sorted, and then
 * to the nodes that picked it and that it did not pick, sorted. The picks are in a table of their
 * own: gossip reads nothing else, at random, and half the memory has half the cache misses.
 */
export class KOutGraph implements Topology {
  readonly kind = 'graph'
  readonly firstLink = 0
  readonly links: number
  readonly channels: number
  readonly outLinks: number
  readonly outTargets: Int32Array
  /** Gossip in cycles needs no links back: they are computed when they are asked for. */
  private backs: Int32Array | null = null

  constructor(
    readonly name: string,
    readonly n: number,
    picks: Adjacency,
    private readonly pickers: Adjacency,
  ) {
    this.outLinks = picks.targets.length / n
    this.outTargets = picks.targets
    this.channels = picks.targets.length + pickers.targets.length
    this.links = this.channels / 2
  }

  degree(node: number): number {
    const { offsets } = this.pickers
    return this.outLinks + offsets[node + 1] - offsets[node]
  }

  neighbor(node: number, link: number): number {
    const { outLinks, pickers } = this
    if (link < outLinks) return this.outTargets[node * outLinks + link]
    return pickers.targets[pickers.offsets[node] + link - outLinks]
  }

  back(node: number, link: number): number {
    this.backs ??= backLinks(this)
    return this.backs[this.channel(node, link)]
  }

  channel(node: number, link: number): number {
    return node * this.outLinks + this.pickers.offsets[node] + link
  }
}

export function kOut(name: string, n: number, k: number, random: Random): KOutGraph {
  const picks = drawPicks(n, k, random)
  return new KOutGraph(name, n, picks, withoutPicks(reversed(picks), picks))
}

/** The pickers of each node that it did not pick. */
function withoutPicks(pickers: Adjacency, picks: Adjacency): Adjacency {
  const n = pickers.offsets.length - 1
  const offsets = new Int32Array(n + 1)
  const { targets } = pickers
  let end = 0
  for (let v = 0; v < n; v++) {
    let pick = picks.offsets[v]
    const lastPick = picks.offsets[v + 1]
    for (let a = pickers.offsets[v]; a < pickers.offsets[v + 1]; a++) {
      const picker = targets[a]
      while (pick < lastPick && picks.targets[pick] < picker) pick++
      if (pick === lastPick || picks.targets[pick] !== picker) targets[end++] = picker
    }
    offsets[v + 1] = end
  }
  return { offsets, targets: targets.slice(0, end) }
}

/** Floyd's sampling of k of the n - 1 other nodes: all sets are equally likely, with k draws. */
function drawPicks(n: number, k: number, random: Random): Adjacency {
  const offsets = Int32Array.from({ length: n + 1 }, (_, v) => v * k)
  const targets = new Int32Array(n * k)
  const drawnBy = new Int32Array(n).fill(-1)
  let end = 0
  for (let v = 0; v < n; v++) {
    for (let last = n - 1 - k; last < n - 1; last++) {
      const draw = random.below(last + 1)
      const other = drawnBy[draw] === v ? last : draw
      drawnBy[other] = v
      targets[end++] = other < v ? other : other + 1
    }
    targets.subarray(end - k, end).sort()
  }
  return { offsets, targets }
}
