import type { ExchangeRule } from '../../core/language/aggregate.ts'

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
