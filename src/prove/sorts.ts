import type { ValueType } from '../core/language/value-types.ts'

/**
 * What a proof tells apart of the values of a field. finite: all its values. id: how it compares
 * with other ids. counter: nothing, since it is only counted up and compared with other counters.
 */
export type Sort =
  | { readonly kind: 'finite'; readonly values: readonly unknown[] }
  | { readonly kind: 'id'; readonly nullable: boolean }
  | { readonly kind: 'counter' }

/** A cell that is not decided, and one that holds null in place of an id. */
export const UNDECIDED = -2
export const NULL = -1

/** On a ring a node has two links. */
const RING_LINKS: Sort = { kind: 'finite', values: [0, 1] }

export const FLAG: Sort = { kind: 'finite', values: [false, true] }

/** The sort of a type; null where a proof cannot do with its values. */
export function sortOf(type: ValueType<unknown>): Sort | null {
  if (type.schema === 'uid') return { kind: 'id', nullable: false }
  if (type.schema === 'maybe(uid)') return { kind: 'id', nullable: true }
  if (type.sort === 'counter') return { kind: 'counter' }
  if (type.sort === 'link') return RING_LINKS
  return type.values === undefined ? null : { kind: 'finite', values: type.values }
}

/**
 * The code of a value in a cell: its place among the values of a finite sort; an id is its own
 * code. Undefined where the value is not of the sort.
 */
export function encoded(sort: Sort, value: unknown): number | undefined {
  if (sort.kind === 'finite') {
    const place = sort.values.indexOf(value)
    return place < 0 ? undefined : place
  }
  if (sort.kind === 'counter') return 0
  if (value === null) return sort.nullable ? NULL : undefined
  return typeof value === 'number' ? value : undefined
}

export function decoded(sort: Sort, code: number): unknown {
  if (sort.kind === 'finite') return sort.values[code]
  return code === NULL ? null : code
}

/**
 * The numbers that stand for ids lie between 0 and 1. One more id is equal to one of those that
 * there are, or lies in a gap: option 2g is the gap number g, option 2i + 1 the id number i.
 */
export function idOption(sorted: readonly number[], option: number): number {
  const i = option >> 1
  if (option % 2 === 1) return sorted[i]
  const below = i === 0 ? 0 : sorted[i - 1]
  const above = i === sorted.length ? 1 : sorted[i]
  return (below + above) / 2
}
