/** What is measured: the algorithm, the ring or overlay, and how many runs a process makes. */
export const cases = [
  { name: 'chang-roberts', order: 'worst', n: 1_000, runs: 40 },
  { name: 'chang-roberts', order: 'random', n: 100_000, runs: 10 },
  { name: 'chang-roberts', order: 'random', n: 1_000_000, runs: 2 },
  { name: 'hirschberg-sinclair', order: 'random', n: 100_000, runs: 5 },
  { name: 'gossip-average', order: '20-out', n: 100_000, runs: 3 },
  { name: 'gossip-messages', order: 'complete', n: 100_000, runs: 3 },
  { name: 'push-sum', order: '20-out', n: 100_000, runs: 3 },
]

/** Decreasing ids are the worst for Chang-Roberts; random ones are the same in every process. */
export function idsOf({ order, n }) {
  const ids = Int32Array.from({ length: n }, (_, i) => n - i)
  if (order === 'worst') return ids
  let state = 12345
  for (let i = n - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    const j = Math.floor(((state >>> 0) / 4294967296) * (i + 1))
    const kept = ids[i]
    ids[i] = ids[j]
    ids[j] = kept
  }
  return ids
}
