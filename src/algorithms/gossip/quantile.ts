import type { Row, RowInput, RowRule } from '../../core/index.ts'
import type { RowStages } from '../../core/language/aggregate.ts'
import { ln } from '../../core/numbers.ts'
import { rowAggregation } from './row-aggregation.ts'

/** The numbers of a node, by their place in its row. */
const [LOW, HIGH, SHARE, FROZEN, PROBES, ANSWER, ASKED] = [0, 1, 2, 3, 4, 5, 6]
const LENGTH = 7
/** In the place of ASKED: no search has ended yet. */
const NEVER = -1

/** As many cycles bring the error of an average below 1/(2n) on a complete or random overlay. */
export function cyclesPerProbe(n: number): number {
  return Math.ceil(1.7 * ln(2 * n) + 4)
}

/**
 * The rank ceil(phi n), exactly: phi is the decimal fraction that people write. In floating point
 * 0.07 of 100 is a little more than 7, and its rank would be 8.
 */
export function rankOf(phi: number, n: number): number {
  const [digits, exponent = '0'] = String(phi).split('e')
  const [whole, decimals = ''] = digits.split('.')
  const scale = 10n ** BigInt(decimals.length - Number(exponent))
  return Number((BigInt(whole + decimals) * BigInt(n) + scale - 1n) / scale)
}

/** How often an interval is halved until it is at most as wide as the precision. */
export function probesFor(width: number, precision: number): number {
  let probes = 0
  for (let left = width; left > precision; left /= 2) probes++
  return probes
}

/**
 * Any quantile from averages alone. The first stage finds the smallest and the largest value by
 * exchanges. Then every stage halves the interval: the nodes average [value <= middle], and the
 * share says on which side the quantile is. The answer is never below the quantile and at most
 * `precision` above. Values are read when a search begins; when it has ended, the next one begins.
 */
export const quantile = rowAggregation(
  'quantile',
  {
    phi: {
      says: 'which quantile: 0.5 is the median, 1 the maximum; its rank is ceil(phi n)',
      otherwise: 0.5,
      needed: 'a number above 0, up to 1',
      accepts: (phi: number) => phi > 0 && phi <= 1,
    },
    precision: {
      says: 'how far above the quantile the answer may be',
      otherwise: 0.001,
      needed: 'a number above 0',
      accepts: (precision: number) => precision > 0,
    },
    cycles: {
      says: 'the cycles of a stage; 0: ceil(1.7 ln(2n) + 4), enough on complete and random networks',
      otherwise: 0,
      needed: 'a whole number of cycles',
      accepts: (cycles: number) => Number.isSafeInteger(cycles) && cycles >= 0,
    },
  },
  {
    title: 'Quantiles by bisection',
    authors: 'after Kempe, Dobra, Gehrke 2003',
    idea: 'First all nodes learn the smallest and the largest value. Then every stage halves the interval: the average of [value <= middle] tells on which side the quantile is.',
    because:
      'The share of the values up to the middle is at least rank/n exactly if the quantile is not above the middle. Shares are multiples of 1/n: an error below 1/(2n) cannot change the decision, and all nodes decide the same. The upper end of the interval is never below the quantile.',
    breaks:
      'A network on which averages converge slowly (a ring): nodes decide differently; give a stage more cycles (cycles=200). Losses and crashes change the shares. A value that changes during a search counts in the next one.',
    example: 'conclave run quantile -n 101 --set phi=0.5 --set precision=1e-6',
    cost: '2n messages per cycle; ceil(1.7 ln(2n) + 4) cycles for the extremes and for each of ceil(log2((max - min)/precision)) halvings',
    bounds: [],
  },
  (settings) => {
    const precision = Number(settings.precision)
    const phi = Number(settings.phi)
    const n = Number(settings.n ?? 1)
    const cycles = Number(settings.cycles) || cyclesPerProbe(n)
    // Less half of 1/n, so that rounding cannot change the decision.
    const share = (rankOf(phi, n) - 0.5) / n
    return {
      parts: [],
      chosen: 0,
      row: {
        length: LENGTH,
        bytes: false,
        rule: bisection,
        start(row, at, input) {
          beginSearch(row, at, input)
          row[at + ANSWER] = 0
          row[at + ASKED] = NEVER
        },
        invariant: {
          name: 'no interval is empty',
          broken: (row, at) =>
            row[at + LOW] <= row[at + HIGH] ? null : `${row[at + LOW]} to ${row[at + HIGH]}`,
        },
        stages: halvings({ cycles, share, precision }),
      },
      estimate: (row, at = 0) => row[at + (row[at + ASKED] === NEVER ? HIGH : ANSWER)],
      truth: (values) => smallestAt(values, rankOf(phi, values.length) - 1),
      found: (row, at = 0) => ({
        answer: row[at + ASKED] === NEVER ? null : row[at + ANSWER],
        probes: row[at + ASKED] === NEVER ? null : row[at + ASKED],
      }),
      cycles(values) {
        const [low, high] = values.reduce(
          ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
          [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
        )
        return (1 + probesFor(high - low, precision)) * cycles + 1
      },
    }
  },
)

function beginSearch(row: Row, at: number, { value }: RowInput): void {
  row[at + LOW] = value
  row[at + HIGH] = value
  row[at + FROZEN] = value
  row[at + SHARE] = 0
  row[at + PROBES] = 0
}

function ask(row: Row, at: number): void {
  const middle = (row[at + LOW] + row[at + HIGH]) / 2
  row[at + SHARE] = row[at + FROZEN] <= middle ? 1 : 0
  row[at + PROBES]++
}

/** Each stage halves the interval, towards the side of the quantile with this share of values. */
function halvings(search: { cycles: number; share: number; precision: number }): RowStages {
  const { cycles, share, precision } = search
  return {
    cycles,
    next(row, at, input) {
      const [low, high] = [row[at + LOW], row[at + HIGH]]
      if (row[at + PROBES] > 0) row[at + (row[at + SHARE] >= share ? HIGH : LOW)] = (low + high) / 2
      if (row[at + HIGH] - row[at + LOW] > precision) return ask(row, at)
      row[at + ANSWER] = row[at + HIGH]
      row[at + ASKED] = row[at + PROBES]
      beginSearch(row, at, input)
    },
    enter(row, at, theirs, from, input) {
      row[at + ANSWER] = theirs[from + ANSWER]
      row[at + ASKED] = theirs[from + ASKED]
      if (theirs[from + PROBES] === 0) return beginSearch(row, at, input)
      row[at + LOW] = theirs[from + LOW]
      row[at + HIGH] = theirs[from + HIGH]
      row[at + PROBES] = theirs[from + PROBES] - 1
      ask(row, at)
    },
  }
}

/** Both keep the wider interval, which is the same at all nodes, and take the mean of the share. */
const bisection: RowRule = {
  idempotent: false,
  averages: [],
  answer(mine, at, received, from) {
    widen(mine, at, received, from)
    const moved = (received[from + SHARE] - mine[at + SHARE]) / 2
    mine[at + SHARE] += moved
    received[from + LOW] = mine[at + LOW]
    received[from + HIGH] = mine[at + HIGH]
    received[from + SHARE] = 0 - moved
    return true
  },
  conclude(mine, at, answer, from) {
    widen(mine, at, answer, from)
    mine[at + SHARE] += answer[from + SHARE]
    return true
  },
  exchange(rows, a, b) {
    // Without branches: which interval is wider cannot be predicted in the first stage.
    const gap = b - a
    const low = rows[a + LOW + (-Number(rows[b + LOW] < rows[a + LOW]) & gap)]
    const high = rows[a + HIGH + (-Number(rows[b + HIGH] > rows[a + HIGH]) & gap)]
    rows[a + LOW] = low
    rows[b + LOW] = low
    rows[a + HIGH] = high
    rows[b + HIGH] = high
    const moved = (rows[a + SHARE] - rows[b + SHARE]) / 2
    rows[b + SHARE] += moved
    rows[a + SHARE] -= moved
    return 3
  },
}

function widen(mine: Row, at: number, theirs: Row, from: number): void {
  if (theirs[from + LOW] < mine[at + LOW]) mine[at + LOW] = theirs[from + LOW]
  if (theirs[from + HIGH] > mine[at + HIGH]) mine[at + HIGH] = theirs[from + HIGH]
}

/** The value at a place of the sorted values, by Hoare's quickselect: faster than sorting. */
function smallestAt(values: Float64Array, place: number): number {
  const left = values.slice()
  let [low, high] = [0, left.length - 1]
  while (low < high) {
    const pivot = left[(low + high) >> 1]
    let [i, j] = [low, high]
    while (i <= j) {
      while (left[i] < pivot) i++
      while (left[j] > pivot) j--
      if (i > j) break
      const value = left[i]
      left[i++] = left[j]
      left[j--] = value
    }
    if (place <= j) high = j
    else if (place >= i) low = i
    else break
  }
  // Minus zero is zero.
  return left[place] + 0
}
