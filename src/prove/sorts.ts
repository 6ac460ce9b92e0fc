import type { ValueType } from '../core/language/value-types.ts'

/**
 * What a proof tells apart of the values of a field. finite: all its values. id: how it compares
 * with other ids. term: also which terms are neighbours. counter: nothing, since it is only counted
 * up and compared with other counters. links: on a complete network, which nodes a set of links
 * names, and whether they are a majority.
 */
export type Sort =
  | { readonly kind: 'finite'; readonly values: readonly unknown[] }
  | { readonly kind: 'id'; readonly nullable: boolean }
  | { readonly kind: 'term' }
  | { readonly kind: 'counter' }
  | { readonly kind: 'links' }

/** A cell that is not decided, and one that holds null in place of an id. */
export const UNDECIDED = -2
export const NULL = -1

export const FLAG: Sort = { kind: 'finite', values: [false, true] }

/** On a ring a node has two links. */
export const RING_LINKS: Sort = { kind: 'finite', values: [0, 1] }

/** The sort of a type; null where a proof cannot do with its values. */
export function sortOf(type: ValueType<unknown>, topology: 'ring' | 'complete'): Sort | null {
  if (type.schema === 'uid') return { kind: 'id', nullable: false }
  if (type.schema === 'maybe(uid)') return { kind: 'id', nullable: true }
  if (type.sort === 'counter') return { kind: 'counter' }
  if (type.sort === 'term') return { kind: 'term' }
  if (type.sort === 'link') {
    if (topology !== 'ring') return null
    return type.schema.startsWith('maybe') ? { kind: 'finite', values: [null, 0, 1] } : RING_LINKS
  }
  if (type.sort === 'links') return topology === 'complete' ? { kind: 'links' } : null
  // Numbers that are only compared are like ids; that they are is tried.
  if (type.schema === 'real') return { kind: 'id', nullable: false }
  return type.values === undefined ? null : { kind: 'finite', values: type.values }
}

/**
 * The code of a value in a cell: its place among the values of a finite sort; an id or a term is
 * its own code. Undefined where the value is not of the sort.
 */
export function encoded(sort: Sort, value: unknown): number | undefined {
  switch (sort.kind) {
    case 'finite': {
      const place = sort.values.indexOf(value)
      return place < 0 ? undefined : place
    }
    case 'id':
      if (value === null) return sort.nullable ? NULL : undefined
      return typeof value === 'number' ? value : undefined
    case 'term':
      return Number.isSafeInteger(value) ? (value as number) : undefined
    default:
      return 0
  }
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

/** The number of the first term, and how far apart terms are that are not neighbours. */
export const FIRST_TERM = 2 ** 40
const FAR = 2 ** 24

/**
 * All ways in which one more term may lie to those that there are: equal to one, up to `near` above
 * or below it, or farther from all.
 */
export function termOptions(sorted: readonly number[], near: number): number[] {
  if (sorted.length === 0) return [FIRST_TERM]
  const options = new Set<number>()
  for (const [i, known] of sorted.entries()) {
    const below = i === 0 ? known - 2 * FAR : sorted[i - 1]
    const above = i === sorted.length - 1 ? known + 2 * FAR : sorted[i + 1]
    if (known - below > 2 * near + 1) options.add(Math.floor((below + known) / 2))
    for (let distance = near; distance > 0; distance--)
      if (known - distance > below) options.add(known - distance)
    options.add(known)
    for (let distance = 1; distance <= near; distance++)
      if (known + distance < above) options.add(known + distance)
    if (i === sorted.length - 1) options.add(known + FAR)
  }
  return [...options]
}
