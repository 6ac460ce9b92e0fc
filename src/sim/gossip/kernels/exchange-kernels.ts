import type { CallRule, ExchangeRule } from '../../../core/language/aggregate.ts'
import type { Random } from '../../../core/runtime/random.ts'

/** Exchanges one number of pairs, one pair after another. One loop for each kind of rule. */
export function exchangeInTurn(
  { change, better, share }: ExchangeRule,
  column: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  if (change !== undefined) {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i], second[i]]
      const moved = change(column[b], column[a])
      column[b] += moved
      column[a] -= moved
    }
  } else if (better !== undefined) {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i], second[i]]
      const best = better(column[b], column[a])
      column[a] = best
      column[b] = best
    }
  } else if (share !== undefined) give(share, column, column, first, second, count)
}

/** The same, where all pairs exchange what they had `before`: the changes add up. */
export function exchangeTogether(
  { change, better, share }: ExchangeRule,
  before: Float64Array,
  column: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  if (change !== undefined) {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i], second[i]]
      const moved = change(before[b], before[a])
      column[b] += moved
      column[a] -= moved
    }
  } else if (better !== undefined) {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i], second[i]]
      column[a] = better(column[a], before[b])
      column[b] = better(column[b], before[a])
    }
  } else if (share !== undefined) give(share, before, column, first, second, count)
}

/** A negative second node: what was given to it is lost. */
function give(
  share: (mine: number) => number,
  before: Float64Array,
  column: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const [a, b] = [first[i], second[i]]
    const given = share(before[a])
    column[a] -= given
    if (b >= 0) column[b] += given
  }
}

/** The calls that spread a rumor in rounds: who calls, who answers, and the number of messages. */
export class RumorCalls {
  readonly byType = { rumor: 0, ask: 0, call: 0, known: 0 }
  /** Answers that were lost. */
  lost = 0
  /** How many of the nodes that a node has called knew the rumor already. */
  private readonly met: Uint16Array | null

  constructor(
    private readonly rule: CallRule,
    /** 1 where a node knew the rumor when the round began. */
    private readonly knew: Float64Array,
    private readonly loss: number,
    private readonly random: Random,
  ) {
    this.met = rule.feedback ? new Uint16Array(knew.length) : null
  }

  /** Whether a node calls in this round. */
  readonly mayCall = (node: number): boolean =>
    this.rule.calls(this.knew[node] === 1, this.met === null ? 0 : this.met[node])

  /** Calls that arrive: in pairs of the caller and the called node. */
  exchange(knows: Float64Array, first: Int32Array, second: Int32Array, count: number): void {
    const { rule, knew, met, byType } = this
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i], second[i]]
      const [caller, called] = [knew[a] === 1, knew[b] === 1]
      if (caller) knows[b] = 1
      if (rule.answers(called, caller)) {
        byType.rumor++
        if (this.arrives()) knows[a] = 1
      }
      if (met !== null && caller && called) {
        byType.known++
        if (this.arrives()) met[a]++
      }
    }
  }

  private arrives(): boolean {
    if (this.loss === 0 || this.random.unit() >= this.loss) return true
    this.lost++
    return false
  }
}
