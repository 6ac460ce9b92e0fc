import type { Row, RowRule } from '../../core/index.ts'

/** Both nodes take the mean of each element: the sums are kept. */
export function averagedRows(length: number): RowRule {
  return {
    idempotent: false,
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
  }
}

/** Both nodes keep the smaller number of each place. */
export function smallestOfRows(length: number): RowRule {
  return joinedRows(length, (mine, at, theirs, from) => {
    let changed = false
    for (let i = 0; i < length; i++) {
      if (theirs[from + i] >= mine[at + i]) continue
      mine[at + i] = theirs[from + i]
      changed = true
    }
    return changed
  })
}

/** Both nodes keep the larger number of each place. */
export function largestOfRows(length: number): RowRule {
  return joinedRows(length, (mine, at, theirs, from) => {
    let changed = false
    for (let i = 0; i < length; i++) {
      if (theirs[from + i] <= mine[at + i]) continue
      mine[at + i] = theirs[from + i]
      changed = true
    }
    return changed
  })
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
  }
}

/** Copies the row of one array into another. */
export function copyRow(from: Row, at: number, to: Row, start: number, length: number): void {
  for (let i = 0; i < length; i++) to[start + i] = from[at + i]
}
