import { expect, it } from 'vitest'
import { hyperElect, lcr, tree } from '../../algorithms/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { gradedWorldOf } from './graded-world.ts'
import { smallWorlds } from './small-worlds.ts'

function networks(algorithm: Algorithm, n: number): unknown[] {
  const world = gradedWorldOf(algorithm, { kind: 'proved', detail: '' })
  return [...new Set(smallWorlds(world, n, []).map(({ given }) => given.topology))]
}

it('small worlds have the network that a definition needs, if there is one of the size', () => {
  expect([1, 2, 3, 4].map((n) => networks(lcr, n))).toEqual([
    ...[['ring:1'], ['ring:2'], ['ring:3'], ['ring:4']],
  ])
  expect([1, 2, 3, 4].map((n) => networks(tree, n))).toEqual([
    ...[['path:1'], ['path:2'], ['path:3'], ['path:4', 'star:4']],
  ])
  expect([1, 2, 3, 4].map((n) => networks(hyperElect, n))).toEqual([
    ...[['hypercube:0'], ['hypercube:1'], [], ['hypercube:2']],
  ])
})
