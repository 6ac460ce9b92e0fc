import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { network } from '../../networks/network.ts'
import { Random } from '../../runtime/random.ts'
import { neededNetworks } from './needed-networks.ts'

function built(text: string) {
  return network(text, { random: Random.from(1), allowComponents: true })
}

describe('the networks that an algorithm may need', () => {
  it('have a usual one of every size, which fits; hypercubes of every power of two', () => {
    for (const [word, { sized, fits }] of Object.entries(neededNetworks))
      for (let n = 1; n <= 40; n++) {
        const text = sized(n)
        expect(text === null, `${word} of ${n}`).toBe(
          word === 'hypercube' && !Number.isInteger(Math.log2(n)),
        )
        if (text === null) continue
        expect(built(text).n).toBe(n)
        expect(fits(built(text))).toBe(true)
      }
  })

  it.each([
    ...['path:1', 'path:2', 'path:9', 'star:5', 'tree:13:3', 'complete:1', 'complete:2'],
    ...['random:2:1', 'edges:0-3,1-3,2-3', 'edges:0-1,2-3', 'scale-free:20:1', 'grid:1x5'],
  ])('%s is a tree, or several', (text) => {
    expect(neededNetworks.tree.fits(built(text))).toBe(true)
  })

  it.each([
    ...['ring:1', 'ring:2', 'ring:5', 'complete:3', 'grid:2x2', 'hypercube:2'],
    ...['edges:0-1,1-2,2-0', 'edges:0-1,2-3,3-4,4-2', 'torus:3x3'],
  ])('%s has a cycle, and is no tree; handlers can run on it', (text) => {
    expect(neededNetworks.tree.fits(built(text))).toBe(false)
    expect(neededNetworks.tree.runsOn(built(text))).toBe(true)
  })

  it('any set of links is a tree if and only if no link closes a cycle', () => {
    const links = fc.uniqueArray(fc.tuple(fc.nat(6), fc.nat(6)), {
      minLength: 1,
      maxLength: 8,
      selector: ([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`,
    })
    fc.assert(
      fc.property(links, (pairs) => {
        const edges = pairs.filter(([a, b]) => a !== b)
        const used = [...new Set(edges.flat())].sort((a, b) => a - b)
        fc.pre(edges.length > 0)
        const text = edges.map((edge) => edge.map((end) => used.indexOf(end)).join('-')).join()
        const group = new Map(used.map((node) => [node, node]))
        const root = (node: number): number =>
          group.get(node) === node ? node : root(group.get(node)!)
        let closes = false
        for (const [a, b] of edges) {
          if (root(a) === root(b)) closes = true
          group.set(root(a), root(b))
        }
        expect(neededNetworks.tree.fits(built(`edges:${text}`))).toBe(!closes)
      }),
    )
  })

  it('link b of a hypercube leads across coordinate b, with and without shuffled links', () => {
    for (const shuffled of [false, true]) {
      const cube = network('hypercube:4', { random: Random.from(1), shuffled })
      for (let node = 0; node < 16; node++)
        for (let b = 0; b < 4; b++) {
          expect(cube.neighbor(node, b)).toBe(node ^ (2 ** b))
          expect(cube.back(node, b)).toBe(b)
        }
    }
  })

  it.each([
    ['edges:0-1,0-2,1-3,2-3', true],
    ['ring:4', true],
    ['path:1', true],
    ['path:2', true],
    ['complete:2', false],
    ['path:4', false],
    ['ring:5', false],
    ['torus:4x4', true],
    ['torus:3x3', false],
  ])('%s is no hypercube; handlers can run on it: %s', (text, runs) => {
    expect(neededNetworks.hypercube.fits(built(text))).toBe(false)
    expect(neededNetworks.hypercube.runsOn(built(text))).toBe(runs)
  })
})
