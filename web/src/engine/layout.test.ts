import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { network, Random } from '../../../src/core/index.ts'
import { networkFacts } from './world-facts.ts'

function placed(name: string) {
  const { places, edges, n } = networkFacts('any', network(name, { random: Random.from(7) }))
  const at = (node: number) => [places![2 * node], places![2 * node + 1]] as const
  return { n, edges, places, at }
}

const size = fc.integer({ min: 2, max: 40 })
const names = fc.oneof(
  fc.tuple(size, size).map(([rows, columns]) => `grid:${rows}x${columns}`),
  fc.tuple(size, size).map(([rows, columns]) => `torus:${rows + 1}x${columns + 1}`),
  size.map((n) => `path:${n}`),
  size.map((n) => `star:${n}`),
  fc.tuple(size, fc.integer({ min: 1, max: 5 })).map(([n, arity]) => `tree:${n}:${arity}`),
  size.map((n) => `small-world:${n + 6}:4:0.3`),
  size.map((n) => `scale-free:${n + 4}:2`),
)

describe('where nodes of a network lie', () => {
  it('is in the unit square, the same every time, and no two lie on each other', () => {
    fc.assert(
      fc.property(names, (name) => {
        const { n, at, places } = placed(name)
        expect(places).toHaveLength(2 * n)
        const spots = new Set<string>()
        for (let node = 0; node < n; node++) {
          for (const share of at(node)) {
            expect(share).toBeGreaterThanOrEqual(0)
            expect(share).toBeLessThanOrEqual(1)
          }
          spots.add(at(node).join())
        }
        expect(spots.size).toBe(n)
        expect(placed(name).places).toEqual(places)
      }),
      { numRuns: 25 },
    )
  })

  it('is rows and columns on a grid: every link is one step across or one down', () => {
    const { edges, at } = placed('grid:4x7')
    for (let i = 0; i < edges.length; i += 2) {
      const [[x, y], [left, top]] = [at(edges[i]), at(edges[i + 1])]
      const steps = [Math.abs(x - left) * 6, Math.abs(y - top) * 3]
      expect(steps.map((it) => Math.round(it * 1e9) / 1e9).sort()).toEqual([0, 1])
    }
  })

  it('is below their parents in a tree, and around the middle in a star', () => {
    const tree = placed('tree:40:3')
    for (let node = 1; node < tree.n; node++)
      expect(tree.at(node)[1]).toBeGreaterThan(tree.at(Math.floor((node - 1) / 3))[1])
    const star = placed('star:9')
    for (let node = 1; node < star.n; node++) {
      const [x, y] = star.at(node)
      expect(Math.hypot(x - 0.5, y - 0.5)).toBeCloseTo(0.5)
    }
  })

  it('is left to the stage where the network is a circle', () => {
    expect(placed('ring:9').places).toBeNull()
    expect(placed('complete:9').places).toBeNull()
  })
})
