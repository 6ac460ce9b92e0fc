import type { Row, RowRule } from '../../core/index.ts'
import { how, rowAggregation } from './row-aggregation.ts'
import { joinedRows } from './row-rules.ts'

/** The owner in an empty place of a list. */
const NOBODY = -1

/**
 * The k largest values with their owners. Every node has a list of at most k, which begins with its
 * own value; two nodes join their lists and keep the k largest, ties by the larger position. What
 * is taken in twice changes nothing: exact everywhere after diameter rounds of flooding, and by
 * exchanges after about as long as the maximum. The estimate is the sum of the list, which is right
 * only if every value is. With k = 1 it is the maximum with its owner.
 */
export const topK = rowAggregation(
  'top-k',
  {
    k: {
      says: 'the length of the list',
      otherwise: 3,
      needed: 'a whole number from 1 to 1000',
      accepts: (k: number) => Number.isInteger(k) && k >= 1 && k <= 1000,
    },
    how,
  },
  {
    title: 'The k largest values and their owners',
    authors: 'folklore; after Jelasity, Montresor, Babaoglu 2005',
    idea: 'Every node has a list of at most k values with their owners, at first its own. Two nodes join their lists and keep the k largest, ties by the larger position.',
    because:
      'One of the k largest is in every list that it has reached, since fewer than k are before it. Joining lists depends neither on the order nor on repeats, so that all end with the same list.',
    breaks:
      'A value that is gone stays in the lists until an epoch (epoch=30) starts them again; so does the value of a node that has crashed.',
    example: 'conclave run top-k -t torus:8x8 --set k=3 --until 8',
    cost: '2n messages of k values and owners per cycle; exact after 5 cycles at n = 100, 7 at 1,000, 10 at 100,000 (measured on complete networks), or after diameter rounds of flooding',
    bounds: [],
  },
  (settings) => {
    const k = Number(settings.k)
    return {
      parts: [],
      chosen: 0,
      row: {
        length: 2 * k,
        bytes: false,
        owners: true,
        message: 'LIST',
        rule: {
          ...joinedRows(2 * k, joinOf(k)),
          exchange: k === 1 ? exchangeLargest : exchangeOf(k),
        },
        floods: settings.how === 'flood',
        start(row, at, { value, id = NOBODY }) {
          for (let i = 0; i < k; i++) {
            row[at + 2 * i] = i === 0 ? value : 0
            row[at + 2 * i + 1] = i === 0 ? id : NOBODY
          }
        },
        invariant: {
          name: 'lists are in order, with every owner once',
          broken(row, at) {
            const ordered = (i: number) => orderOf(row, at + 2 * i, row, at + 2 * i + 2) > 0
            for (let i = 0; i + 1 < k && row[at + 2 * i + 3] !== NOBODY; i++)
              if (!ordered(i)) return `place ${i + 1} is not before the next one`
            return null
          },
        },
      },
      estimate(list, at = 0) {
        let sum = 0
        for (let i = 0; i < k; i++) if (list[at + 2 * i + 1] !== NOBODY) sum += list[at + 2 * i]
        return sum
      },
      truth: (values) => largestOf(values, k).reduce((sum, value) => sum + value, 0),
      found(list, at = 0) {
        const places = Array.from({ length: k }, (_, i) => at + 2 * i)
        const held = places.filter((place) => list[place + 1] !== NOBODY)
        return {
          values: held.map((place) => list[place]),
          owners: held.map((place) => list[place + 1]),
        }
      },
    }
  },
)

/** The k largest values, the largest first. */
function largestOf(values: Float64Array, k: number): Float64Array {
  const found = values.slice(0, k).sort().reverse()
  for (let i = k; i < values.length; i++) {
    const value = values[i]
    if (value <= found[k - 1]) continue
    let place = k - 1
    while (place > 0 && found[place - 1] < value) {
      found[place] = found[place - 1]
      place--
    }
    found[place] = value
  }
  return found
}

/** Joins a list with another; returns whether it has changed. */
function joinOf(k: number): RowRule['conclude'] {
  const joined = new Float64Array(2 * k)
  return (mine, at, theirs, from) => {
    let same = 0
    while (same < 2 * k && mine[at + same] === theirs[from + same]) same++
    // From here on, place by place, the larger of what is left of both lists.
    let [a, b, changed] = [same >> 1, same >> 1, false]
    for (let i = a; i < k; i++) {
      const order = orderOf(mine, at + 2 * a, theirs, from + 2 * b)
      if (order < 0) changed = true
      joined[2 * i] = order < 0 ? theirs[from + 2 * b] : mine[at + 2 * a]
      joined[2 * i + 1] = order < 0 ? theirs[from + 2 * b + 1] : mine[at + 2 * a + 1]
      if (order >= 0) a++
      if (order <= 0) b++
    }
    if (changed) for (let i = same & ~1; i < 2 * k; i++) mine[at + i] = joined[i]
    return changed
  }
}

/** Both nodes get the joined list: it is made once. */
function exchangeOf(k: number): RowRule['exchange'] {
  const joined = new Float64Array(2 * k)
  return (rows, a, b) => {
    if (rows[a] === rows[b] && sameRows(rows, a, b, 2 * k)) return 0
    let one = a
    let other = b
    let first = 0
    let second = 0
    // Without branches: which list has the next value cannot be predicted.
    for (let i = 0; i < 2 * k; i += 2) {
      const owner = rows[one + 1]
      const otherOwner = rows[other + 1]
      const value = owner === NOBODY ? Number.NEGATIVE_INFINITY : rows[one]
      const otherValue = otherOwner === NOBODY ? Number.NEGATIVE_INFINITY : rows[other]
      const smaller = Number(value < otherValue)
      const larger = Number(value > otherValue)
      const tied = 1 - smaller - larger
      const less = smaller | (tied & Number(owner < otherOwner))
      const more = larger | (tied & Number(owner > otherOwner))
      first |= less
      second |= more
      const from = one + (-less & (other - one))
      joined[i] = rows[from]
      joined[i + 1] = rows[from + 1]
      one += 2 - 2 * less
      other += 2 - 2 * more
    }
    for (let i = 0; i < 2 * k; i++) {
      rows[a + i] = joined[i]
      rows[b + i] = joined[i]
    }
    return first + 2 * second
  }
}

function sameRows(rows: Row, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (rows[a + i] !== rows[b + i]) return false
  return true
}

/** The exchange of lists with one place, which is never empty. */
function exchangeLargest(rows: Row, a: number, b: number): number {
  const one = rows[a]
  const other = rows[b]
  const order = one !== other ? one - other : rows[a + 1] - rows[b + 1]
  if (order === 0) return 0
  const [from, to] = order > 0 ? [a, b] : [b, a]
  rows[to] = rows[from]
  rows[to + 1] = rows[from + 1]
  return order > 0 ? 2 : 1
}

/** Above 0 if the first of two places is before the second: empty ones are last. */
function orderOf(mine: Row, a: number, theirs: Row, b: number): number {
  const [owner, other] = [mine[a + 1], theirs[b + 1]]
  if (owner === NOBODY || other === NOBODY) return owner === other ? 0 : other === NOBODY ? 1 : -1
  return mine[a] - theirs[b] || owner - other
}
