import { nat, type ValueType } from './value-types.ts'

/* Numbers of which handlers use so little that proofs for every n can treat them as symbols. */

declare const counterBrand: unique symbol

/**
 * A natural number that handlers only count up and compare. At run time it is a number; for the
 * compiler it is an opaque value, so that only the functions below take it. In a proof it is an
 * `UnknownCounter`: some number.
 */
export interface Counter {
  readonly [counterBrand]: 'a counter is counted up and compared, never computed with'
}

/** What stands for a counter in a proof. The functions below ask it where it is no number. */
export interface UnknownCounter {
  next(): Counter
  twoTo(): Counter
  isLess(other: Counter): boolean
  isMore(other: Counter): boolean
  /** Refuses: nothing is known of it. */
  count(): never
}

/** A natural number that handlers only count up and compare; otherwise as `nat`. */
export const counter: ValueType<Counter, number> = {
  ...(nat as unknown as ValueType<Counter, number>),
  sort: 'counter',
}

declare const termMark: unique symbol

/** The number of a term, with a mark for the compiler, as of `Real`. */
export type Term = number & TermMark

export interface TermMark {
  readonly [termMark]?: 'a proof knows how it compares with others, and which is the next'
}

/** The number of a term, which handlers only compare and count up by one; otherwise as `nat`. */
export const term: ValueType<Term, number> = { ...nat, sort: 'term' }

/** The first counter. */
export const zero = known(0)
/** The second counter. */
export const one = known(1)

/** A counter as it is at run time. */
type Either = number | UnknownCounter

function known(count: number): Counter {
  return count as unknown as Counter
}

/** The next larger counter. */
export function next(of: Counter): Counter {
  const it = of as unknown as Either
  return typeof it === 'number' ? known(it + 1) : it.next()
}

/** 2 to the power of a counter. */
export function twoTo(exponent: Counter): Counter {
  const it = exponent as unknown as Either
  if (typeof it !== 'number') return it.twoTo()
  // A shift is many times faster, and right below 31.
  return known(it < 31 ? 1 << it : 2 ** it)
}

/** Whether the first of two counters is less than the second. */
export function isLess(a: Counter, b: Counter): boolean {
  const first = a as unknown as Either
  const second = b as unknown as Either
  if (typeof first !== 'number') return first.isLess(b)
  return typeof second === 'number' ? first < second : second.isMore(a)
}

/** The number itself, for displays and reasons; a handler that uses it cannot be proved. */
export function countOf(of: Counter): number {
  const it = of as unknown as Either
  return typeof it === 'number' ? it : it.count()
}
