import type { Counter, UnknownCounter } from '../../core/language/counter.ts'
import { UnmetCondition } from '../refusal.ts'

/** Goes through all sequences of choices of a deterministic computation, by running it again. */
export class Choices {
  private digits: { value: number; readonly of: number }[] = []
  private next = 0

  reset(): void {
    this.digits = []
  }

  /** Starts the next run. */
  begin(): void {
    this.next = 0
  }

  /** One of `of` choices. */
  one(of: number): number {
    if (this.next === this.digits.length) this.digits.push({ value: 0, of })
    return this.digits[this.next++].value
  }

  /** Advances to the next sequence, the last choice first; false after the last one. */
  advance(): boolean {
    // A run that ended early has not made the choices that another one made.
    this.digits.length = this.next
    while (this.digits.length > 0) {
      const last = this.digits[this.digits.length - 1]
      if (++last.value < last.of) return true
      this.digits.pop()
    }
    return false
  }
}

/** A counter of which nothing is known: every comparison may turn out either way. */
export function unknownCounter(choose: (k: number) => number): UnknownCounter {
  const refused = (): never => {
    throw new UnmetCondition(
      'a handler computes with a counter.',
      'Use next, twoTo and isLess: a proof tries both outcomes of each comparison.',
    )
  }
  const counter: UnknownCounter & object = {
    next: () => counter as unknown as Counter,
    twoTo: () => counter as unknown as Counter,
    isLess: () => choose(2) === 1,
    isMore: () => choose(2) === 1,
    count: refused,
  }
  return Object.defineProperty(counter, Symbol.toPrimitive, { value: refused })
}
