/** An entry of a bucket: a time and a cell. */
export const TIME = 0
export const CELL = 1
export const ENTRY = 2

/** Up to this many entries are sorted by insertion. */
const FEW = 16
const MOST_SLOTS = 1 << 16

/**
 * Sorts the entries of a bucket by time; entries of equal times keep their order. A distribution
 * into many short time slots comes first, since it has no branches to mispredict; an insertion sort
 * of the nearly sorted entries follows.
 */
export class BucketSort {
  private ends = new Int32Array(2 * FEW)

  /**
   * Sorts entries of the time `begin` to `begin` + 1 / `parts`; returns the array that has them.
   */
  sort(from: Float64Array, room: Float64Array, end: number, begin: number, parts: number) {
    if (end <= FEW * ENTRY) {
      insertionSort(from, end)
      return from
    }
    let slots = 2 * FEW
    while (slots * ENTRY < end && slots < MOST_SLOTS) slots *= 2
    if (this.count(from, end, begin, parts * slots, slots) > FEW) return mergeSort(from, room, end)
    this.scatter(from, room, end, begin, parts * slots)
    insertionSort(room, end)
    return room
  }

  /** Computes where each slot ends; returns the number of entries of the fullest one. */
  private count(from: Float64Array, end: number, begin: number, scale: number, slots: number) {
    if (this.ends.length < slots) this.ends = new Int32Array(slots)
    const { ends } = this
    ends.fill(0, 0, slots)
    for (let at = 0; at < end; at += ENTRY) ends[((from[at + TIME] - begin) * scale) | 0]++
    let fullest = 0
    let sum = 0
    for (let slot = 0; slot < slots; slot++) {
      const entries = ends[slot]
      if (entries > fullest) fullest = entries
      sum += entries
      ends[slot] = sum
    }
    return fullest
  }

  /** Runs backwards, so that entries of equal times keep their order. */
  private scatter(
    from: Float64Array,
    to: Float64Array,
    end: number,
    begin: number,
    scale: number,
  ): void {
    const { ends } = this
    for (let at = end - ENTRY; at >= 0; at -= ENTRY) {
      const place = ENTRY * --ends[((from[at + TIME] - begin) * scale) | 0]
      to[place + TIME] = from[at + TIME]
      to[place + CELL] = from[at + CELL]
    }
  }
}

/** Insertion sort, fast for nearly sorted entries. */
function insertionSort(bucket: Float64Array, end: number): void {
  for (let at = ENTRY; at < end; at += ENTRY) {
    const time = bucket[at + TIME]
    if (bucket[at - ENTRY + TIME] <= time) continue
    const cell = bucket[at + CELL]
    let hole = at
    do {
      bucket[hole + TIME] = bucket[hole - ENTRY + TIME]
      bucket[hole + CELL] = bucket[hole - ENTRY + CELL]
      hole -= ENTRY
    } while (hole > 0 && bucket[hole - ENTRY + TIME] > time)
    bucket[hole + TIME] = time
    bucket[hole + CELL] = cell
  }
}

/** Merge sort, for buckets with many entries in one slot. */
function mergeSort(bucket: Float64Array, room: Float64Array, end: number): Float64Array {
  let [from, to] = [bucket, room]
  for (let run = ENTRY; run < end; run *= 2) {
    for (let at = 0; at < end; at += 2 * run)
      merge(from, to, at, Math.min(at + run, end), Math.min(at + 2 * run, end))
    const kept = to
    to = from
    from = kept
  }
  return from
}

/** Merges two adjacent sorted runs. */
function merge(
  from: Float64Array,
  to: Float64Array,
  begin: number,
  middle: number,
  end: number,
): void {
  let left = begin
  let right = middle
  for (let at = begin; at < end; at += ENTRY) {
    const takeLeft = left < middle && (right >= end || from[left] <= from[right])
    const source = takeLeft ? left : right
    to[at + TIME] = from[source + TIME]
    to[at + CELL] = from[source + CELL]
    if (takeLeft) left += ENTRY
    else right += ENTRY
  }
}
