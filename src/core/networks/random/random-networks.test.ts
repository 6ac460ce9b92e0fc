import { describe, expect, test } from 'vitest'
import { linksOf } from '../../language/topology.ts'
import { Random } from '../../runtime/random.ts'
import { drawCoordinates, randomGraph, smallWorld, withinReach } from './random-graphs.ts'

import { drawGeometric, drawKOut, drawRandom, drawScaleFree, scaleFree } from './random-networks.ts'

function chiSquare(counts: ArrayLike<number>, expected: number): number {
  return Array.from(counts).reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

describe('random', () => {
  test.each([0.25, 0.4, 0.6, 0.9])('every pair is linked with probability %d', (p) => {
    const [n, draws] = [40, 1500]
    const counts = new Float64Array(n * n)
    for (let seed = 0; seed < draws; seed++) {
      const edges = randomGraph(n, p, Random.from(seed))
      for (let e = 0; e < (edges?.length ?? 0); e++) counts[edges!.near[e] * n + edges!.far[e]]++
    }
    let spread = 0
    for (let v = 0; v < n; v++) {
      for (let w = 0; w < n; w++) {
        if (v < w) spread += (counts[v * n + w] - draws * p) ** 2 / (draws * p * (1 - p))
        else expect(counts[v * n + w]).toBe(0)
      }
    }
    const pairs = (n * (n - 1)) / 2
    expect(Math.abs(spread - pairs)).toBeLessThan(4 * Math.sqrt(2 * pairs))
  })

  test('the mean degree is (n - 1) p, a little more as it has to be connected', () => {
    let links = 0
    for (let seed = 0; seed < 200; seed++) links += drawRandom(100, 0.05, Random.from(seed)).links
    expect((2 * links) / 100 / 200).toBeGreaterThan(4.9)
    expect((2 * links) / 100 / 200).toBeLessThan(5.2)
  })

  test('gives up where a node has no link', () => {
    expect(randomGraph(30, 0.001, Random.from(1))).toBeNull()
    expect(randomGraph(2, 0, Random.from(1))).toBeNull()
    expect(randomGraph(1, 0, Random.from(1))?.length).toBe(0)
  })
})

describe('k-out', () => {
  test.each([
    [30, 1],
    [30, 4],
    [9, 8],
    [200, 20],
  ])('%i nodes pick %i each', (n, k) => {
    const topology = drawKOut(n, k, Random.from(7))
    expect(topology.outLinks).toBe(k)
    for (let v = 0; v < n; v++) {
      const ends = linksOf(topology, v).map((link) => topology.neighbor(v, link))
      const [picked, others] = [ends.slice(0, k), ends.slice(k)]
      expect(picked.length).toBe(k)
      expect(picked).toEqual(picked.toSorted((a, b) => a - b))
      expect(others).toEqual(others.toSorted((a, b) => a - b))
      // A neighbour that is not among the picks has picked this node.
      for (let link = k; link < ends.length; link++) expect(topology.back(v, link)).toBeLessThan(k)
    }
  })

  test('every other is picked as often', () => {
    const counts = new Float64Array(12)
    for (let seed = 0; seed < 3000; seed++) {
      const topology = drawKOut(12, 3, Random.from(seed))
      for (let link = 0; link < 3; link++) counts[topology.neighbor(5, link)]++
    }
    expect(counts[5]).toBe(0)
    counts[5] = (3000 * 3) / 11
    expect(chiSquare(counts, (3000 * 3) / 11)).toBeLessThan(29.6)
  })
})

describe('small world', () => {
  test('without rewiring it is the lattice', () => {
    const { near, far, length } = smallWorld(11, 4, 0, Random.from(1))
    const steps = Array.from({ length }, (_, e) => (far[e] - near[e] + 11) % 11)
    expect(steps.toSorted()).toEqual([...Array(11).fill(1), ...Array(11).fill(2)])
  })

  test('a link is rewired with probability beta', () => {
    const { near, far, length } = smallWorld(5000, 10, 0.3, Random.from(2))
    let moved = 0
    for (let e = 0; e < length; e++) if ((far[e] - near[e] + 5000) % 5000 > 5) moved++
    // Few of those that move land in the lattice again.
    expect(moved / length).toBeGreaterThan(0.29)
    expect(moved / length).toBeLessThan(0.31)
  })

  test.each([
    [20, 4, 15],
    [20, 12, 7],
  ])('the new end is any non-neighbour: n=%i k=%i', (n, k, m) => {
    const counts = new Map<number, number>()
    for (let seed = 0; seed < 4000; seed++) {
      const end = smallWorld(n, k, 1, Random.from(seed)).far[0]
      counts.set(end, (counts.get(end) ?? 0) + 1)
    }
    const strangers = Array.from({ length: m }, (_, i) => k / 2 + 1 + i)
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(strangers)
    expect(chiSquare([...counts.values()], 4000 / m)).toBeLessThan(36)
  })

  test.each([4, 12])('a node that a link has left may be drawn by the next: k=%i', (k) => {
    const ends = new Set<number>()
    for (let seed = 0; seed < 500; seed++) ends.add(smallWorld(20, k, 1, Random.from(seed)).far[1])
    const expected = [1, ...Array.from({ length: 19 - k }, (_, i) => k / 2 + 1 + i)]
    expect([...ends].toSorted((a, b) => a - b)).toEqual(expected)
  })
})

describe('scale-free', () => {
  test('a newcomer is linked in proportion to degrees', () => {
    let hubs = 0
    for (let seed = 0; seed < 4000; seed++) {
      // Of the path of three nodes the middle one has half of all ends.
      const { near } = scaleFree(4, 1, Random.from(seed))
      if (near[1] === near[2]) hubs++
    }
    expect(hubs / 4000).toBeGreaterThan(0.47)
    expect(hubs / 4000).toBeLessThan(0.53)
  })

  test('a few nodes have very many links, and all have m', () => {
    const topology = drawScaleFree(5000, 2, Random.from(3))
    const degrees = Array.from({ length: 5000 }, (_, v) => topology.degree(v))
    expect(Math.min(...degrees)).toBe(2)
    expect(Math.max(...degrees)).toBeGreaterThan(80)
  })
})

describe('geometric', () => {
  test.each([0.05, 0.1, 0.2, 1 / 3, 0.5, 0.9, 1, 1.5])('links nodes within distance %d', (r) => {
    for (let seed = 0; seed < 20; seed++) {
      const places = drawCoordinates(150, Random.from(seed))
      const expected: string[] = []
      const linked = new Set<number>()
      for (let v = 0; v < 150; v++) {
        for (let w = v + 1; w < 150; w++) {
          const dx = places[2 * v] - places[2 * w]
          const dy = places[2 * v + 1] - places[2 * w + 1]
          if (Math.sqrt(dx * dx + dy * dy) > r) continue
          expected.push(`${v}-${w}`)
          linked.add(v).add(w)
        }
      }
      const edges = withinReach(places, r)
      if (linked.size < 150) expect(edges).toBeNull()
      else {
        const found = Array.from(
          { length: edges!.length },
          (_, e) => `${edges!.near[e]}-${edges!.far[e]}`,
        )
        expect(found.toSorted()).toEqual(expected.toSorted())
      }
    }
  })

  test('keeps the places, which are drawn again with the links', () => {
    for (let seed = 0; seed < 20; seed++) {
      const topology = drawGeometric(60, 0.2, Random.from(seed))
      const places = topology.coordinates!
      expect(places.length).toBe(120)
      expect(places.every((coordinate) => coordinate >= 0 && coordinate < 1)).toBe(true)
      for (let v = 0; v < 60; v++) {
        for (const link of linksOf(topology, v)) {
          const w = topology.neighbor(v, link)
          const dx = places[2 * v] - places[2 * w]
          expect(Math.hypot(dx, places[2 * v + 1] - places[2 * w + 1])).toBeLessThanOrEqual(0.2)
        }
      }
    }
  })
})
