import { expect, it } from 'vitest'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { proveProperties } from '../prove.ts'
import { namedArcs } from './named-arcs.ts'

const PASSED = 'an id has passed only smaller ones'

it('finds the way on which a failing clause sees a node', () => {
  const { [PASSED]: right } = lcr.invariant()
  const holds = right.holds as (...tuple: unknown[]) => boolean
  // The way is turned round: from the message to the owner of its id.
  const turned = {
    ...right,
    holds: ((m: unknown, a: unknown, b: unknown, ring: { inside: (...on: object[]) => boolean }) =>
      holds(m, a, b, {
        inside: (x: object, y: object, z: object) => ring.inside(z, y, x),
      })) as never,
  }
  const { clauses } = proveProperties({ ...lcr, invariant: () => ({ [PASSED]: turned }) }, [])
  const { counterexample } = clauses[0]
  const { nodes, tuple } = counterexample!
  const arcs = namedArcs(turned, counterexample!)
  expect(arcs).toHaveLength(1)
  const [{ from, to, inside }] = arcs
  expect([from, inside, to]).toEqual([tuple.messages[0].to, tuple.nodes[1], tuple.nodes[0]])
  // Going left from one end, the node comes before the other end.
  const passed: number[] = []
  for (let at = from + 1; at % nodes.length !== to; at++) passed.push(at % nodes.length)
  expect(passed).toContain(inside)
})
