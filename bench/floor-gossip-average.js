/**
 * Averages by gossip in cycles and nothing else, written by hand as one loop over typed columns:
 * every node in a fresh random order picks one of its own k at random, and both take the mean.
 * Random numbers are those of sfc32, scaled by a product, as the engine draws them.
 */
export function overlay(n, k, seed) {
  const next = source(seed)
  return Int32Array.from({ length: n * k }, (_, i) => {
    const other = Math.floor((next() / 4294967296) * (n - 1))
    return other < Math.floor(i / k) ? other : other + 1
  })
}

/** Runs the cycles; returns the number of messages. `targets` has k for each node. */
export function run(values, targets, cycles, seed) {
  const n = values.length
  const k = targets.length / n
  const order = Int32Array.from({ length: n }, (_, node) => node)
  let a = seed | 0
  let b = 0x9e3779b9 | 0
  let c = 0x243f6a88
  let counter = 1
  for (let cycle = 0; cycle < cycles; cycle++) {
    for (let at = 0; at < n; at++) {
      let bits = (((a + b) | 0) + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (((c << 21) | (c >>> 11)) + bits) | 0
      const swapped = at + Math.floor(((bits >>> 0) / 4294967296) * (n - at))
      const node = order[swapped]
      order[swapped] = order[at]
      order[at] = node
      bits = (((a + b) | 0) + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (((c << 21) | (c >>> 11)) + bits) | 0
      const other = targets[node * k + Math.floor(((bits >>> 0) / 4294967296) * k)]
      const mean = (values[node] + values[other]) / 2
      values[node] = mean
      values[other] = mean
    }
  }
  return 2 * n * cycles
}

function source(seed) {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88, 1]
  return () => {
    const bits = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + bits) | 0
    return bits >>> 0
  }
}
