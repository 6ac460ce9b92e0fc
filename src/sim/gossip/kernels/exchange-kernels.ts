import { copyOf } from '../../../core/code-from-text.ts'
import type { AggregateField, CallRule, ExchangeRule } from '../../../core/language/aggregate.ts'
import type { Random } from '../../../core/runtime/random.ts'

/**
 * Pairs exchange some of the `parts` numbers of a node, from one up to another, by one rule. They
 * exchange what is in `before`: the numbers of the beginning of the round, or the present ones.
 * There is at least one part, and the test after it costs a single number nothing.
 */
type ExchangeLoop = (
  from: number,
  to: number,
  parts: number,
  before: Float64Array,
  numbers: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
) => void

type LoopOf<Act> = (act: Act, ...rest: Parameters<ExchangeLoop>) => void

const inTurn = new WeakMap<ExchangeRule, ExchangeLoop>()
const together = new WeakMap<ExchangeRule, ExchangeLoop>()

/** Numbers of a node that follow each other and have the same rule, and its loop. */
export interface ExchangedParts {
  readonly from: number
  to: number
  readonly loop: ExchangeLoop
}

/** Which numbers are exchanged at once: those of one node lie in the same cache line. */
export function exchangedParts(
  parts: readonly AggregateField[],
  isTogether: boolean,
): readonly ExchangedParts[] {
  const all: ExchangedParts[] = []
  for (const [part, { rule }] of parts.entries())
    if (part > 0 && parts[part - 1].rule === rule) all[all.length - 1].to = part + 1
    else all.push({ from: part, to: part + 1, loop: exchangeLoop(rule, isTogether) })
  return all
}

/**
 * The loop of a rule, where pairs exchange one after another or what they had before, all together.
 * Each rule has a copy of the loop, into which V8 inlines it: in a shared one the first rule of a
 * process would be, and all others called.
 */
function exchangeLoop(rule: ExchangeRule, isTogether: boolean): ExchangeLoop {
  const made = isTogether ? together : inTurn
  let loop = made.get(rule)
  if (loop === undefined) {
    const { change, better, share } = rule
    if (change !== undefined) loop = copied(changeLoop, change)
    else if (better !== undefined) loop = copied(isTogether ? improveLoop : agreeLoop, better)
    else if (share !== undefined) loop = copied(giveLoop, share)
    else throw new Error('a rule for all neighbours at once has no pairs')
    made.set(rule, loop)
  }
  return loop
}

function copied<Act>(loop: LoopOf<Act>, act: Act): ExchangeLoop {
  const own = copyOf(loop)
  return (...rest) => own(act, ...rest)
}

function changeLoop(
  change: (mine: number, theirs: number) => number,
  from: number,
  to: number,
  parts: number,
  before: Float64Array,
  numbers: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const a = first[i] * parts
    const b = second[i] * parts
    let part = from
    do {
      const moved = change(before[b + part], before[a + part])
      numbers[b + part] += moved
      numbers[a + part] -= moved
    } while (++part < to)
  }
}

/** In turn: both have the better number afterwards. */
function agreeLoop(
  better: (mine: number, theirs: number) => number,
  from: number,
  to: number,
  parts: number,
  _before: Float64Array,
  numbers: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const a = first[i] * parts
    const b = second[i] * parts
    let part = from
    do {
      const best = better(numbers[b + part], numbers[a + part])
      numbers[a + part] = best
      numbers[b + part] = best
    } while (++part < to)
  }
}

/** Together: a node may be in several pairs, and takes the best of all. */
function improveLoop(
  better: (mine: number, theirs: number) => number,
  from: number,
  to: number,
  parts: number,
  before: Float64Array,
  numbers: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const a = first[i] * parts
    const b = second[i] * parts
    let part = from
    do {
      numbers[a + part] = better(numbers[a + part], before[b + part])
      numbers[b + part] = better(numbers[b + part], before[a + part])
    } while (++part < to)
  }
}

/** A negative second node: what was given to it is lost. */
function giveLoop(
  share: (mine: number) => number,
  from: number,
  to: number,
  parts: number,
  before: Float64Array,
  numbers: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const a = first[i] * parts
    const b = second[i] * parts
    let part = from
    do {
      const given = share(before[a + part])
      numbers[a + part] -= given
      if (b >= 0) numbers[b + part] += given
    } while (++part < to)
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
