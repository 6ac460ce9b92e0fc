import type { Random } from '../../runtime/random.ts'
import { type Adjacency, reversed } from '../adjacency.ts'

/**
 * Every node picks k distinct other nodes. A node's links lead to its own picks, sorted, and then
 * to the nodes that picked it and that it did not pick, sorted.
 */
export function kOut(n: number, k: number, random: Random): Adjacency {
  const picks = drawPicks(n, k, random)
  const pickers = reversed(picks)
  const offsets = new Int32Array(n + 1)
  const targets = new Int32Array(2 * n * k)
  let end = 0
  for (let v = 0; v < n; v++) {
    targets.set(picks.targets.subarray(v * k, v * k + k), end)
    const lastPick = end + k
    let pick = end
    end = lastPick
    for (let a = pickers.offsets[v]; a < pickers.offsets[v + 1]; a++) {
      const picker = pickers.targets[a]
      while (pick < lastPick && targets[pick] < picker) pick++
      if (pick === lastPick || targets[pick] !== picker) targets[end++] = picker
    }
    offsets[v + 1] = end
  }
  return { offsets, targets: targets.slice(0, end) }
}

/** Floyd's sampling of k of the n - 1 other nodes: all sets are equally likely, with k draws. */
function drawPicks(n: number, k: number, random: Random): Adjacency {
  const offsets = Int32Array.from({ length: n + 1 }, (_, v) => v * k)
  const targets = new Int32Array(n * k)
  const drawnBy = new Int32Array(n).fill(-1)
  let end = 0
  for (let v = 0; v < n; v++) {
    for (let last = n - 1 - k; last < n - 1; last++) {
      const draw = random.below(last + 1)
      const other = drawnBy[draw] === v ? last : draw
      drawnBy[other] = v
      targets[end++] = other < v ? other : other + 1
    }
    targets.subarray(end - k, end).sort()
  }
  return { offsets, targets }
}
