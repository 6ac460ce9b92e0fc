import type { Link } from '../core/language/net.ts'
import type { World } from '../core/language/world.ts'
import type { Random } from '../core/runtime/random.ts'
import { UsageError } from '../core/usage-error.ts'
import { RandomMoments } from './queue/time-grid.ts'

/** The random choices of some nodes, given by hand: by position, in the order of drawing. */
export interface CoinScript {
  readonly draws: ReadonlyMap<number, readonly number[]>
  /** Where they were given, for error messages. */
  readonly where: string
}

/** The random choices of a run: drawn, or given for some nodes. */
export class Coins {
  readonly random: Random
  private readonly moments: RandomMoments
  private readonly scripted: ScriptedCoins | null
  private readonly deaf: Uint8Array | null

  constructor(
    private readonly world: World,
    conditions: { readonly random: Random; readonly coins?: CoinScript },
  ) {
    this.random = conditions.random.split('coins')
    this.moments = new RandomMoments(this.random)
    this.scripted = conditions.coins ? new ScriptedCoins(conditions.coins) : null
    this.deaf = world.deaf ?? null
  }

  /** A choice of a node out of 0 to k - 1. */
  choose(node: number, k: number): number {
    return this.scripted?.next(node, k) ?? this.random.below(k)
  }

  /** Whether something of this probability happens at a node; scripted as 1 or 0. */
  chance(node: number, p: number): boolean {
    const scripted = this.scripted?.next(node, 2) ?? null
    return scripted === null ? this.random.unit() < p : scripted === 1
  }

  /** A link to gossip over. A node that draws a deaf neighbour has no exchange this time. */
  pick(node: number): Link | null {
    const { topology } = this.world
    const { firstLink, outLinks = topology.degree(node) } = topology
    if (outLinks === 0) return null
    const link = firstLink + this.choose(node, outLinks)
    return this.deaf !== null && this.deaf[topology.neighbor(node, link)] === 1 ? null : link
  }

  moment(span: number): number {
    if (!(span >= 0))
      throw new Error(`${this.world.algorithm.name}: net.moment needs a span of 0 or more`)
    return this.moments.within(span)
  }
}

/** The scripted choices of one run, and how many of them each node has made. */
class ScriptedCoins {
  private readonly made: number[] = []
  private readonly draws: (readonly number[])[] = []

  constructor(private readonly script: CoinScript) {
    for (const [node, draws] of script.draws) {
      this.draws[node] = draws
      this.made[node] = 0
    }
  }

  /** The next choice of a node out of 0 to k - 1; null for a node without a script. */
  next(node: number, k: number): number | null {
    const draws = this.draws[node]
    if (draws === undefined) return null
    const count = this.made[node]++
    // The last one repeats.
    const place = Math.min(count, draws.length - 1)
    if (draws[place] >= k) throw this.outOfRange(node, k, draws[place], count)
    return draws[place]
  }

  private outOfRange(node: number, k: number, draw: number, count: number): UsageError {
    const which = `choice ${count + 1} of position ${node}`
    return new UsageError(
      this.script.where,
      k > 1
        ? `${which} is scripted as ${draw}, but it is one of the numbers 0 to ${k - 1} (k = ${k}).`
        : `${which} is scripted as ${draw}, but it can only be 0 (k = 1).`,
      `Give position ${node} a number below ${k} there.`,
    )
  }
}
