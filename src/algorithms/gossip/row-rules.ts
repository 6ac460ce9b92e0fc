import type { Row, RowRule } from '../../core/index.ts'

/** What `exchange` returns: which of the two nodes have learnt something. */
const FIRST = 1
const SECOND = 2
const BOTH = 3

/** Both nodes take the mean of each element: the sums are kept. */
export function averagedRows(length: number): RowRule {
  return {
    idempotent: false,
    elements: 'mean',
    averages: Array.from({ length }, (_, i) => i),
    answer(mine, at, received, from) {
      for (let i = 0; i < length; i++) {
        const moved = (received[from + i] - mine[at + i]) / 2
        mine[at + i] += moved
        received[from + i] = 0 - moved
      }
      return true
    },
    conclude(mine, at, answer, from) {
      for (let i = 0; i < length; i++) mine[at + i] += answer[from + i]
      return true
    },
    exchange(rows, a, b) {
      for (let i = 0; i < length; i++) {
        const moved = (rows[a + i] - rows[b + i]) / 2
        rows[b + i] += moved
        rows[a + i] -= moved
      }
      return BOTH
    },
  }
}

/** Both nodes keep the smaller number of each place. */
export function smallestOfRows(length: number): RowRule {
  return {
    ...joinedRows(length, (mine, at, theirs, from) => {
      let changed = false
      for (let i = 0; i < length; i++) {
        if (theirs[from + i] >= mine[at + i]) continue
        mine[at + i] = theirs[from + i]
        changed = true
      }
      return changed
    }),
    elements: 'smallest',
    // Without branches: which number is smaller cannot be predicted.
    exchange(rows, a, b) {
      let [first, second] = [0, 0]
      const gap = b - a
      for (let i = a; i < a + length; i++) {
        const one = rows[i]
        const other = rows[i + gap]
        const less = Number(other < one)
        first |= less
        second |= Number(one < other)
        const least = rows[i + (-less & gap)]
        rows[i] = least
        rows[i + gap] = least
      }
      return first * FIRST + second * SECOND
    },
  }
}

/** In a word of four bytes: the upper bit of each. */
const UPPER = 0x80808080

/** Both nodes keep the larger byte of each place. Bytes are below 128. */
export function largestOfBytes(length: number): RowRule {
  return {
    ...joinedRows(length, (mine, at, theirs, from) => {
      let changed = false
      for (let i = 0; i < length; i++) {
        if (theirs[from + i] <= mine[at + i]) continue
        mine[at + i] = theirs[from + i]
        changed = true
      }
      return changed
    }),
    elements: 'largest',
    // The upper bits are free: no byte of the difference borrows from the next one.
    exchangeWords(words, a, b) {
      let [first, second] = [0, 0]
      for (let i = 0; i < length >> 2; i++) {
        const one = words[a + i]
        const other = words[b + i]
        const notLess = ((one | UPPER) - other) & UPPER
        const kept = notLess - (notLess >>> 7)
        const most = other ^ ((one ^ other) & kept)
        first |= most ^ one
        second |= most ^ other
        words[a + i] = most
        words[b + i] = most
      }
      return (first === 0 ? 0 : FIRST) | (second === 0 ? 0 : SECOND)
    },
  }
}

/** Both nodes know afterwards what either of them knew: `absorb` says what one learns. */
export function joinedRows(length: number, absorb: RowRule['conclude']): RowRule {
  return {
    idempotent: true,
    averages: [],
    answer(mine, at, received, from) {
      const changed = absorb(mine, at, received, from)
      copyRow(mine, at, received, from, length)
      return changed
    },
    conclude: absorb,
    exchange(rows, a, b) {
      const second = absorb(rows, b, rows, a) ? SECOND : 0
      return second | (absorb(rows, a, rows, b) ? FIRST : 0)
    },
  }
}

function copyRow(from: Row, at: number, to: Row, start: number, length: number): void {
  for (let i = 0; i < length; i++) to[start + i] = from[at + i]
}
