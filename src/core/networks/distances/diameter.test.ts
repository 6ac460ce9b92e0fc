import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../../test/support/campaign.ts'
import { graphs } from '../../../../test/support/graphs.ts'
import { Random } from '../../runtime/random.ts'
import { network } from '../network.ts'
import { diameterOf, ManySourceDiameter } from './diameter.ts'
import { DistanceSearch } from './distance-search.ts'
import { FarNodesDiameter } from './far-nodes.ts'

const built = (text: string, seed = 1, allowComponents = false) =>
  network(text, { random: Random.from(seed), allowComponents })

/** The diameter by definition: every distance, by relaxing all links until nothing changes. */
function byDefinition(topology: ReturnType<typeof built>): number {
  const { n, firstLink } = topology
  const distance = Array.from({ length: n }, (_, v) =>
    Array.from({ length: n }, (_, w) => (v === w ? 0 : Number.POSITIVE_INFINITY)),
  )
  for (let changed = true; changed; ) {
    changed = false
    for (let v = 0; v < n; v++)
      for (let link = firstLink; link < firstLink + topology.degree(v); link++) {
        const other = topology.neighbor(v, link)
        for (let w = 0; w < n; w++)
          if (distance[other][w] + 1 < distance[v][w]) {
            distance[v][w] = distance[other][w] + 1
            changed = true
          }
      }
  }
  return Math.max(...distance.flat())
}

/** The same network without its formula. */
function listed(text: string) {
  const { diameter: _, ...rest } = { diameter: 0 }
  const topology = built(text)
  return Object.assign(Object.create(topology), rest, { diameter: undefined }) as typeof topology
}

describe('the diameter', () => {
  it('has a formula on regular networks', () => {
    const sizes = Array.from({ length: 16 }, (_, i) => i + 1)
    const texts = [
      ...sizes.flatMap((n) => [`ring:${n}`, `path:${n}`, `star:${n}`, `complete:${n}`]),
      ...sizes.flatMap((n) => [1, 2, 3, 4].map((arity) => `tree:${n}:${arity}`)),
      ...[1, 2, 3, 4, 5].flatMap((r) => [1, 2, 3, 4].map((c) => `grid:${r}x${c}`)),
      ...[3, 4, 5, 6].flatMap((r) => [3, 4, 5].map((c) => `torus:${r}x${c}`)),
      ...[1, 2, 3, 4].map((d) => `hypercube:${d}`),
    ]
    for (const text of texts) {
      const topology = built(text)
      expect(topology.diameter, text).toBe(byDefinition(topology))
    }
  })

  it('is found by searches on any network', () => {
    fc.assert(
      fc.property(graphs, ({ topology }) => {
        const graph = listed(topology)
        const exact = byDefinition(graph)
        expect(diameterOf(graph)).toEqual({ least: exact, most: exact })
        // Each of the two methods is right on any network, shallow or deep.
        for (const Method of [ManySourceDiameter, FarNodesDiameter])
          expect(new Method(new DistanceSearch(graph), 1e9).range()).toEqual({
            least: exact,
            most: exact,
          })
      }),
      { numRuns: campaign(480) },
    )
    const drawn = ['random:300:0.02', 'geometric:150:0.2', 'small-world:150:4:0.1', 'k-out:150:2']
    for (const text of [...drawn, 'scale-free:150:2', 'torus:10x12', 'hypercube:7', 'ring:151'])
      expect(diameterOf(listed(text)).most, text).toBe(byDefinition(built(text)))
  })

  it('is the same by both methods where it takes many searches', () => {
    for (const text of ['k-out:1500:12', 'small-world:1500:4:0.1', 'random:1500:0.006']) {
      const graph = built(text, 2)
      const [many, far] = [ManySourceDiameter, FarNodesDiameter].map((Method) =>
        new Method(new DistanceSearch(graph), 1e9).range(),
      )
      expect(many, text).toEqual(far)
      expect(many.least, text).toBe(many.most)
    }
  })

  it('needs few searches where n would be too many', () => {
    const graph = built('scale-free:5000:3')
    const { least, most } = diameterOf(graph)
    expect(least).toBe(most)
    const once = new DistanceSearch(graph)
    once.from(0)
    // The work of a tenth of all searches suffices.
    expect(diameterOf(graph, once.work * 500)).toEqual({ least, most })
  })

  it('is bounded where there is no time for more, and infinite without a connection', () => {
    const { least, most } = diameterOf(built('random:2000:0.01'), 1)
    expect(least).toBeLessThan(most)
    const apart = built('edges:0-1,2-3', 1, true)
    expect(diameterOf(apart).least).toBe(Number.POSITIVE_INFINITY)
    expect(diameterOf(built('edges:0-1')).most).toBe(1)
  })
})
