import type { CallRule, ExchangeRule } from '../../../core/language/aggregate.ts'
import type { Random } from '../../../core/runtime/random.ts'

/** Where the numbers of one part lie: from `part` on, one for each `parts` numbers. */
export interface PartPlace {
  readonly part: number
  readonly parts: number
}

/** Exchanges one number of pairs, one pair after another. One loop for each kind of rule. */
export function exchangeInTurn(
  { change, better, share }: ExchangeRule,
  place: PartPlace,
  numbers: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  const { part, parts } = place
  if (change !== undefined) {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i] * parts + part, second[i] * parts + part]
      const moved = change(numbers[b], numbers[a])
      numbers[b] += moved
      numbers[a] -= moved
    }
  } else if (better !== undefined) {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i] * parts + part, second[i] * parts + part]
      const best = better(numbers[b], numbers[a])
      numbers[a] = best
      numbers[b] = best
    }
  } else if (share !== undefined) give(share, place, numbers, numbers, first, second, count)
}

/** The same, where all pairs exchange what they had `before`: the changes add up. */
export function exchangeTogether(
  { change, better, share }: ExchangeRule,
  place: PartPlace,
  before: Float64Array,
  numbers: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  const { part, parts } = place
  if (change !== undefined) {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i] * parts + part, second[i] * parts + part]
      const moved = change(before[b], before[a])
      numbers[b] += moved
      numbers[a] -= moved
    }
  } else if (better !== undefined) {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i] * parts + part, second[i] * parts + part]
      numbers[a] = better(numbers[a], before[b])
      numbers[b] = better(numbers[b], before[a])
    }
  } else if (share !== undefined) give(share, place, before, numbers, first, second, count)
}

/** A negative second node: what was given to it is lost. */
function give(
  share: (mine: number) => number,
  { part, parts }: PartPlace,
  before: Float64Array,
  numbers: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const a = first[i] * parts + part
    const given = share(before[a])
    numbers[a] -= given
    if (second[i] >= 0) numbers[second[i] * parts + part] += given
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
