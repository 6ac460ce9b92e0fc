import { overlay } from './floor-gossip-average.js'

export { overlay }

/**
 * Push-sum in rounds and nothing else, written by hand as one loop over typed columns: every node
 * keeps half of its sum and its weight and gives the other half to one of its own k at random; what
 * arrives counts from the next round on. Random numbers as the engine draws them. Returns the
 * number of messages.
 */
export function run(values, targets, cycles, seed) {
  const n = values.length
  const k = targets.length / n
  const weights = new Float64Array(n).fill(1)
  const sumsBefore = new Float64Array(n)
  const weightsBefore = new Float64Array(n)
  let a = seed | 0
  let b = 0x9e3779b9 | 0
  let c = 0x243f6a88
  let counter = 1
  for (let cycle = 0; cycle < cycles; cycle++) {
    sumsBefore.set(values)
    weightsBefore.set(weights)
    for (let node = 0; node < n; node++) {
      const bits = (((a + b) | 0) + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (((c << 21) | (c >>> 11)) + bits) | 0
      const other = targets[node * k + Math.floor(((bits >>> 0) / 4294967296) * k)]
      const [sum, weight] = [sumsBefore[node] / 2, weightsBefore[node] / 2]
      values[node] -= sum
      weights[node] -= weight
      values[other] += sum
      weights[other] += weight
    }
  }
  for (let node = 0; node < n; node++) values[node] /= weights[node]
  return n * cycles
}
