import { UsageError } from '../core/usage-error.ts'

/** The random choices of some nodes, given by hand: by position, in the order of drawing. */
export interface CoinScript {
  readonly draws: ReadonlyMap<number, readonly number[]>
  /** Where they were given, for error messages. */
  readonly where: string
}

/** The scripted choices of one run, and how many of them each node has made. */
export class ScriptedCoins {
  private readonly made = new Map<number, number>()

  constructor(private readonly script: CoinScript) {}

  /** The next choice of a node out of 0 to k - 1; null for a node without a script. */
  next(node: number, k: number): number | null {
    const draws = this.script.draws.get(node)
    if (draws === undefined) return null
    const count = this.made.get(node) ?? 0
    this.made.set(node, count + 1)
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
