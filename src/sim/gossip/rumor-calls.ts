import type { CallRule } from '../../core/language/aggregate.ts'
import type { Random } from '../../core/runtime/random.ts'

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
