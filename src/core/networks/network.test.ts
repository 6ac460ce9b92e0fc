import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linksOf, type Topology } from '../language/topology.ts'
import { Random } from '../runtime/random.ts'
import { UsageError } from '../usage-error.ts'
import { isConnected } from './components.ts'
import { network, networkForms } from './network.ts'

function build(text: string, seed = 1): Topology {
  return network(text, { random: Random.from(seed).split('topology') })
}

/** The other ends of all links, by position and in the order of their numbers. */
function table(topology: Topology): number[][] {
  return Array.from({ length: topology.n }, (_, node) =>
    linksOf(topology, node).map((link) => topology.neighbor(node, link)),
  )
}

/** What holds on every network: told as a list of what does not. */
function broken(topology: Topology): string[] {
  const { n, links, channels } = topology
  const faults: string[] = []
  const seen = new Set<number>()
  let degrees = 0
  for (let v = 0; v < n; v++) {
    degrees += topology.degree(v)
    const ends = new Set<number>()
    for (const link of linksOf(topology, v)) {
      const w = topology.neighbor(v, link)
      const back = topology.back(v, link)
      const channel = topology.channel(v, link)
      if (!Number.isInteger(w) || w < 0 || w >= n) faults.push(`${v}:${link} leads to ${w}`)
      if (!linksOf(topology, w).includes(back)) faults.push(`${v}:${link} returns on ${back}`)
      if (topology.neighbor(w, back) !== v) faults.push(`${v}:${link} does not lead back`)
      if (topology.back(w, back) !== link) faults.push(`${v}:${link} returns on another link`)
      if (!Number.isInteger(channel) || channel < 0 || channel >= channels || seen.has(channel))
        faults.push(`${v}:${link} has channel ${channel} of ${channels}`)
      if (w === v || ends.has(w)) faults.push(`${v} is linked to ${w} twice or to itself`)
      seen.add(channel)
      ends.add(w)
    }
  }
  if (degrees !== 2 * links) faults.push(`${degrees} ends of ${links} links`)
  if (!isConnected(topology)) faults.push('not connected')
  return faults
}

/** Networks with the numbers of nodes and links that a formula gives. */
const sizes: [string, number, number][] = [
  ...[3, 4, 5, 16, 99].map((n): [string, number, number] => [`ring:${n}`, n, n]),
  ...[1, 2, 3, 50].flatMap((n): [string, number, number][] => [
    [`path:${n}`, n, n - 1],
    [`star:${n}`, n, n - 1],
    [`complete:${n}`, n, (n * (n - 1)) / 2],
    [`tree:${n}:1`, n, n - 1],
    [`tree:${n}:2`, n, n - 1],
    [`tree:${n}:3`, n, n - 1],
    [`tree:${n}:60`, n, n - 1],
  ]),
  ...[1, 2, 3, 7].flatMap((r) =>
    [1, 2, 5].map((c): [string, number, number] => [`grid:${r}x${c}`, r * c, 2 * r * c - r - c]),
  ),
  ...[3, 4, 7].flatMap((r) =>
    [3, 5].map((c): [string, number, number] => [`torus:${r}x${c}`, r * c, 2 * r * c]),
  ),
  ...[0, 1, 2, 3, 6].map((d): [string, number, number] => [
    `hypercube:${d}`,
    2 ** d,
    d * 2 ** (d - 1),
  ]),
  ['random:1:0', 1, 0],
  ['random:30:1', 30, 435],
  ['k-out:6:5', 6, 15],
  ['k-out:2:1', 2, 1],
  ...[0, 0.25, 1].flatMap((beta): [string, number, number][] => [
    [`small-world:60:6:${beta}`, 60, 180],
    [`small-world:10:8:${beta}`, 10, 40],
    [`small-world:9:8:${beta}`, 9, 36],
    [`small-world:5:4:${beta}`, 5, 10],
  ]),
  ['scale-free:2:1', 2, 1],
  ['scale-free:50:1', 50, 49],
  ['scale-free:60:4', 60, 10 + 55 * 4],
  ['scale-free:6:5', 6, 15],
  ['geometric:1:0.1', 1, 0],
  ['geometric:20:1.5', 20, 190],
  ['edges:0-1', 2, 1],
  ['edges:0-1,0-2,1-2,2-3', 4, 4],
]

describe('every network', () => {
  test.each(sizes)('%s has %i nodes, %i links, and all in order', (text, n, links) => {
    const topology = build(text)
    expect(topology).toMatchObject({ name: text, n, links })
    expect(topology.firstLink).toBe(topology.kind === 'complete' ? 1 : 0)
    expect(broken(topology)).toEqual([])
  })

  test.each([
    ...['random:100:0.07', 'geometric:50:0.3', 'scale-free:80:3', 'k-out:80:3', 'k-out:30:1'],
    ...['small-world:80:4:0.5', 'small-world:30:2:0.9'],
  ])('a drawn one is in order, the same for a seed, another for another: %s', (text) => {
    for (let seed = 1; seed <= 20; seed++) {
      expect(broken(build(text, seed))).toEqual([])
      expect(table(build(text, seed))).toEqual(table(build(text, seed)))
      expect(table(build(text, seed))).not.toEqual(table(build(text, seed + 1)))
    }
  })

  test('the links of a drawn or listed one are numbered by the position of the other end', () => {
    for (const text of ['random:50:0.2', 'small-world:50:6:0.5', 'geometric:50:0.4'])
      for (const ends of table(build(text))) expect(ends).toEqual(ends.toSorted((a, b) => a - b))
  })

  test('the form of a tree, a grid or a torus does not matter', () => {
    const size = fc.integer({ min: 1, max: 40 })
    const side = fc.integer({ min: 3, max: 8 })
    const text = fc.oneof(
      fc.tuple(size, size).map(([n, arity]) => `tree:${n}:${arity}`),
      fc.tuple(size, side).map(([rows, columns]) => `grid:${rows}x${columns}`),
      fc.tuple(side, side).map(([rows, columns]) => `torus:${rows}x${columns}`),
    )
    fc.assert(fc.property(text, (form) => broken(build(form)).length === 0))
  })

  test('a text is normalized', () => {
    expect(build(' ring:08 ').name).toBe('ring:8')
    expect(build('random:20:.50').name).toBe('random:20:0.5')
    expect(build('random:20:5e-1').name).toBe('random:20:0.5')
    expect(build('edges:2-1, 1-0').name).toBe('edges:0-1,1-2')
  })

  test('large ones cost nothing where they are computed', () => {
    const large = ['ring:20000000', 'complete:67108864', 'torus:8192x8192', 'hypercube:26']
    for (const topology of large.map((text) => build(text))) {
      const node = topology.n - 1
      const link = topology.firstLink + topology.degree(node) - 1
      const end = topology.neighbor(node, link)
      expect(topology.neighbor(end, topology.back(node, link))).toBe(node)
      expect(topology.channel(node, link)).toBe(topology.channels - 1)
      expect(Number.isSafeInteger(topology.channels)).toBe(true)
    }
  })

  test('100,000 nodes can be drawn', () => {
    for (const text of ['random:100000:0.00015', 'geometric:100000:0.008'])
      expect(build(text).n).toBe(100_000)
  }, 60_000)
})

test('the forms list every network with an example that works', () => {
  expect(networkForms.map(({ form }) => form)).toEqual([
    ...['ring:n', 'path:n', 'star:n', 'complete:n', 'grid:RxC', 'torus:RxC', 'hypercube:d'],
    ...['tree:N:arity', 'random:n:p', 'k-out:n:k', 'small-world:n:k:beta', 'scale-free:n:m'],
    ...['geometric:n:r', 'edges:LIST', 'file:PATH'],
  ])
  const options = { random: Random.from(1), readFile: () => '0-1' }
  for (const { example } of networkForms) expect(network(example, options).n).toBeGreaterThan(1)
})

test('complete networks have sense of direction unless they are shuffled', () => {
  const random = Random.from(1)
  expect(table(network('complete:9', { random }))[4]).toEqual([5, 6, 7, 8, 0, 1, 2, 3])
  expect(broken(network('complete:9', { random, shuffled: true }))).toEqual([])
  expect(table(network('complete:9', { random, shuffled: true }))).not.toEqual(
    table(network('complete:9', { random })),
  )
})

/** What is refused, and a part of the one line that says why. */
const refused: [string, string][] = [
  ['', 'the networks are ring, path, star, complete, grid'],
  ['rign:8', 'there is no network "rign"; the networks are'],
  ['toString:8', 'there is no network "toString"'],
  ['ring', 'ring is written as ring:n, not as "ring". Write ring:8.'],
  ['ring:', 'ring is written as ring:n, not as "ring:"'],
  ['file:', 'file is written as file:PATH'],
  ['edges:', 'edges is written as edges:LIST'],
  ['ring:0', 'the n of ring:n must be a whole number from 1 to 134,217,728, not "0"'],
  ['ring:-3', 'not "-3"'],
  ['ring:2.5', 'not "2.5"'],
  ['ring:NaN', 'not "NaN"'],
  ['ring:Infinity', 'not "Infinity"'],
  ['ring:1e3', 'not "1e3"'],
  ['ring:0x10', 'not "0x10"'],
  ['ring: 8', 'not " 8"'],
  ['ring:8\n9', 'not "8\\n9"'],
  ['ring:134217729', 'from 1 to 134,217,728'],
  [`ring:${'9'.repeat(400)}`, `not "${'9'.repeat(57)}..."`],
  ['ring:8:2', 'ring is written as ring:n, not as "ring:8:2"'],
  ['complete:134217729', 'from 1 to 134,217,728'],
  ['path:0', 'the n of path:n'],
  ['star:0', 'the n of star:n'],
  ['grid:3', 'grid is written as grid:RxC, not as "grid:3"'],
  ['grid:3x', 'the C of grid:RxC must be a whole number from 1'],
  ['grid:3x4x5', 'grid is written as grid:RxC'],
  ['grid:3:4', 'grid is written as grid:RxC'],
  ['grid:0x4', 'the R of grid:RxC must be a whole number from 1'],
  ['grid:20000x10000', 'grid:20000x10000 has 200,000,000 nodes; at most 134,217,728 are possible'],
  ['torus:2x4', 'the R of torus:RxC must be a whole number from 3'],
  ['torus:4x2', 'the C of torus:RxC must be a whole number from 3'],
  ['torus:67108864x67108864', 'at most 134,217,728 are possible'],
  ['hypercube:-1', 'the d of hypercube:d must be a whole number from 0 to 27'],
  ['hypercube:28', 'from 0 to 27, not "28"'],
  ['tree:15', 'tree is written as tree:N:arity'],
  ['tree:15:0', 'the arity of tree:N:arity'],
  ['tree:0:2', 'the N of tree:N:arity'],
  ['random:10', 'random is written as random:n:p'],
  ['random:10:1.5', 'the p of random:n:p must be a number from 0 to 1, not "1.5"'],
  ['random:10:-0.5', 'not "-0.5"'],
  ['random:10:half', 'not "half"'],
  ['random:10:', 'not ""'],
  ['random:10000001:0.1', 'from 1 to 10,000,000'],
  ['random:10000:0.9', 'random:10000:0.9 has about 44,995,500 links'],
  ['random:50:0', 'random:50:0 must be connected, but none of 100 draws was. Choose a larger p'],
  ['random:200:0.003', 'none of 100 draws was'],
  ['random:10000000:0.0000001', 'none of 2 draws was'],
  ['geometric:10:-1', 'the r of geometric:n:r must be a number from 0 to 2'],
  ['geometric:10:3', 'from 0 to 2, not "3"'],
  ['geometric:10:0', 'geometric:10:0 must be connected, but none of 100 draws was'],
  ['geometric:200:0.04', 'Choose a larger r: from 0.13 on'],
  ['geometric:10000:1', 'has at most 25,000,000'],
  ['k-out:10:10', 'in k-out:10:10 k must be smaller than n'],
  ['k-out:1:1', 'k must be smaller than n'],
  ['k-out:10:0', 'the k of k-out:n:k must be a whole number from 1'],
  ['k-out:10000000:9', 'has at most 25,000,000'],
  ['small-world:10:3:0.1', 'in small-world:10:3:0.1 k must be even and smaller than n'],
  ['small-world:10:10:0.1', 'k must be even and smaller than n'],
  ['small-world:10:0:0.1', 'the k of small-world:n:k:beta must be a whole number from 2'],
  ['small-world:10:4:1.1', 'the beta of small-world:n:k:beta must be a number from 0 to 1'],
  ['small-world:10:4', 'small-world is written as small-world:n:k:beta'],
  ['small-world:10000000:6:0', 'has at most 25,000,000'],
  ['scale-free:10:10', 'm must be smaller than n'],
  ['scale-free:10:0', 'the m of scale-free:n:m must be a whole number from 1'],
  ['scale-free:10000000:3', 'has at most 25,000,000'],
  ['edges:,', 'the list of links is empty'],
  ['edges:0-1,1', '"1" is not a link'],
  ['edges:0-1-2', '"0-1-2" is not a link'],
  ['edges:0--1', '"0--1" is not a link'],
  ['edges:0-1,1-1', '"1-1" is not a link, which is two different positions from 0 to 9,999,999'],
  ['edges:0-10000000', '"0-10000000" is not a link'],
  ['edges:0-1,1-3', 'position 2 has no link; every position from 0 to the largest, 3, needs one'],
  ['edges:1-2', 'position 0 has no link'],
  ['edges:0-1,1-2,1-0', 'the link 0-1 is listed twice'],
  ['edges:0-1,2-3', 'not connected: there is no path from position 0 to position 2'],
  ['file:net.txt', 'file:net.txt: files cannot be read here'],
]

test.each(refused)('%j is refused in one clear line', (text, part) => {
  const attempt = () => build(text)
  expect(attempt).toThrow(UsageError)
  expect(attempt).toThrow(part)
  expect(attempt).toThrow(/^[^\n]+: [^\n]+\. [^\n]+[.?]$/)
})
