import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { franklin } from '../../algorithms/ring/franklin.ts'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { Random } from '../../core/index.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { complete } from '../../core/networks/complete.ts'
import { network } from '../../core/networks/network.ts'
import { ring } from '../../core/networks/ring.ts'
import { factorial, permutationAt } from '../../core/numbers.ts'
import { checkWorld, IdPermutations, orbitRepresentatives } from '../index.ts'

/** All automorphisms of a network, found by trying every permutation of its positions. */
function motions(topology: Topology): number[][] {
  const { n } = topology
  const orders = Array.from({ length: factorial(n) }, (_, i) =>
    permutationAt(n, i).map((place) => place - 1),
  )
  return orders.filter((to) =>
    to.every(
      (twin, node) =>
        topology.degree(node) === topology.degree(twin) &&
        linksOf(topology, node).every(
          (link) =>
            to[topology.neighbor(node, link)] === topology.neighbor(twin, link) &&
            topology.back(node, link) === topology.back(twin, link),
        ),
    ),
  )
}

const connected = fc
  .tuple(fc.integer({ min: 2, max: 5 }), fc.array(fc.nat(), { minLength: 10, maxLength: 20 }))
  .map(([n, numbers]) => {
    const edges = new Set<string>()
    for (let node = 1; node < n; node++) edges.add(`${numbers[node] % node}-${node}`)
    for (let i = 5; i + 1 < numbers.length; i += 2) {
      const [a, b] = [numbers[i] % n, numbers[i + 1] % n]
      if (a !== b) edges.add(`${Math.min(a, b)}-${Math.max(a, b)}`)
    }
    return network(`edges:${[...edges]}`, { random: Random.from(1) })
  })

const networks = fc.oneof(
  fc.integer({ min: 1, max: 5 }).map(ring),
  fc.integer({ min: 2, max: 5 }).map((n) => complete(n)),
  fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.nat(20))
    .map(([n, seed]) => complete(n, { shuffled: Random.from(seed) })),
  connected,
)

describe('representative permutations', () => {
  it('represent every permutation exactly once under the automorphisms', () => {
    fc.assert(
      fc.property(networks, (topology) => {
        const { n } = topology
        const few = new IdPermutations(n, orbitRepresentatives(topology))
        const moved = Array.from({ length: few.count }, (_, i) => few.at(i)).flatMap((ids) =>
          motions(topology).map((to) => ids.map((_, place) => ids[to.indexOf(place)]).join()),
        )
        const all = Array.from({ length: factorial(n) }, (_, i) => permutationAt(n, i).join())
        expect(moved.toSorted()).toEqual(all.toSorted())
      }),
      { numRuns: campaign(480) },
    )
  })

  it('have the largest id in one place on a ring', () => {
    const few = new IdPermutations(4, orbitRepresentatives(ring(4)))
    expect(few.count).toBe(6)
    for (let i = 0; i < 6; i++) expect(few.at(i)[0]).toBe(4)
    expect(IdPermutations.single(3)).toMatchObject({ count: 1 })
  })

  it.each([lcr, franklin])(
    'give the same results as all permutations, with an algorithm for rings',
    (algorithm) => {
      const n = 4
      const sizes = (count: number, at: (number: number) => number[]) =>
        Array.from({ length: count }, (_, i) => {
          const ids = Float64Array.from(at(i))
          const world = { algorithm, topology: ring(n), ids, params: {} }
          const options = { mode: 'untimed', order: 'fifo', wake: 'any' } as const
          const limits = { states: 100_000 }
          const { states, transitions } = checkWorld(world, { ...options, limits, properties: [] })
          return `${states} ${transitions}`
        }).toSorted()
      const few = new IdPermutations(n, orbitRepresentatives(ring(n)))
      const all = sizes(factorial(n), (i) => permutationAt(n, i))
      expect(all).toEqual(sizes(few.count, (i) => few.at(i)).flatMap((size) => Array(n).fill(size)))
    },
  )
})
