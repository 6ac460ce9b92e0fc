import type { Random } from '../../runtime/random.ts'
import { EdgeSet } from '../adjacency.ts'

/**
 * G(n, p): every pair is linked with probability p. The algorithm jumps from one linked pair to the
 * next, row by row (Batagelj and Brandes, 2005). Null as soon as a node has no link.
 */
export function randomGraph(n: number, p: number, random: Random): EdgeSet | null {
  const edges = new EdgeSet()
  const linked = new Uint8Array(n)
  const gap = gaps(p, random)
  let v = 0
  let w = 0
  for (;;) {
    w += 1 + gap()
    while (w >= n) {
      if (!linked[v] && n > 1) return null
      v++
      if (v === n) return edges
      w += v + 1 - n
    }
    edges.add(v, w)
    linked[v] = 1
    linked[w] = 1
  }
}

/**
 * The number of pairs before the next linked pair. A geometric number is the integer part of an
 * exponential one; for large p a draw per pair is as fast.
 */
function gaps(p: number, random: Random): () => number {
  if (p > 0.5) {
    return () => {
      let gap = 0
      while (random.unit() >= p) gap++
      return gap
    }
  }
  const mean = 1 / minusLogOneMinus(p)
  return () => Math.floor(random.exponential(mean))
}

/**
 * -ln(1 - p) for p up to 1/2, by the series of 2 artanh(p / (2 - p)): the last digit of Math.log
 * may differ between machines, and with it the whole network.
 */
function minusLogOneMinus(p: number): number {
  const z = p / (2 - p)
  let sum = 0
  let power = z
  for (let odd = 1; sum + power / odd !== sum; odd += 2) {
    sum += power / odd
    power *= z * z
  }
  return 2 * sum
}
