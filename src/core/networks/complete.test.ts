import { describe, expect, test } from 'vitest'
import { linksOf, type Topology } from '../language/topology.ts'
import { Random } from '../runtime/random.ts'
import { complete } from './complete.ts'

function row(topology: Topology, node: number): number[] {
  return linksOf(topology, node).map((link) => topology.neighbor(node, link))
}

function leadsBack(topology: Topology, node: number, link: number): boolean {
  const end = topology.neighbor(node, link)
  const back = topology.back(node, link)
  return topology.neighbor(end, back) === node && topology.back(end, back) === link
}

test('link d leads d positions on, and its reverse is link n - d', () => {
  const six = complete(6)
  expect(linksOf(six, 0)).toEqual([1, 2, 3, 4, 5])
  expect(row(six, 4)).toEqual([5, 0, 1, 2, 3])
  expect(linksOf(six, 4).map((link) => six.back(4, link))).toEqual([5, 4, 3, 2, 1])
})

describe('shuffled', () => {
  test.each([1, 2, 3, 4, 5, 7, 8, 17, 50, 101, 150])('%i nodes: all links, and back', (n) => {
    const topology = complete(n, { shuffled: Random.from(n) })
    for (let v = 0; v < n; v++) {
      const others = Array.from({ length: n }, (_, w) => w).filter((w) => w !== v)
      expect(row(topology, v).toSorted((a, b) => a - b)).toEqual(others)
      const lost = linksOf(topology, v).filter((link) => !leadsBack(topology, v, link))
      expect(lost).toEqual([])
    }
  })

  test('holds for the largest network too', () => {
    const n = 2 ** 26
    const topology = complete(n, { shuffled: Random.from(3) })
    const random = Random.from(4)
    for (let i = 0; i < 2000; i++) {
      const v = random.below(n)
      const link = 1 + random.below(n - 1)
      const w = topology.neighbor(v, link)
      expect(w >= 0 && w < n && w !== v && leadsBack(topology, v, link)).toBe(true)
    }
  })

  test('depends on the seed and on the node', () => {
    const linkOrder = (seed: number, node: number) =>
      row(complete(40, { shuffled: Random.from(seed) }), node).map((w) => (w - node + 40) % 40)
    expect(linkOrder(1, 0)).toEqual(linkOrder(1, 0))
    expect(linkOrder(1, 0)).not.toEqual(linkOrder(2, 0))
    expect(linkOrder(1, 0)).not.toEqual(linkOrder(1, 1))
  })

  test('each of the 24 orders of four links is as likely', () => {
    const nodes = 24_000
    const counts = new Map<string, number>()
    for (let seed = 0; seed < nodes / 5; seed++) {
      const topology = complete(5, { shuffled: Random.from(seed) })
      for (let v = 0; v < 5; v++) {
        const order = row(topology, v)
          .map((w) => (w - v + 5) % 5)
          .join('')
        counts.set(order, (counts.get(order) ?? 0) + 1)
      }
    }
    expect(counts.size).toBe(24)
    const expected = nodes / 24
    const chiSquare = [...counts.values()].reduce((s, c) => s + (c - expected) ** 2 / expected, 0)
    expect(chiSquare).toBeLessThan(49.7) // 23 degrees of freedom, one in a thousand.
  })

  test('a link leads to every distance as often, also in a larger network', () => {
    const n = 200
    const counts = new Float64Array(n)
    for (let seed = 0; seed < 200; seed++) {
      const topology = complete(n, { shuffled: Random.from(seed) })
      for (let v = 0; v < n; v++) counts[(topology.neighbor(v, 17) - v + n) % n]++
    }
    const expected = (200 * n) / (n - 1)
    const chiSquare = counts.slice(1).reduce((s, c) => s + (c - expected) ** 2 / expected, 0)
    expect(counts[0]).toBe(0)
    expect(chiSquare).toBeLessThan(266) // 198 degrees of freedom, one in a thousand.
  })
})
