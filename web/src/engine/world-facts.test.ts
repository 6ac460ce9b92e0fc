import { expect, it } from 'vitest'
import { wireless } from '../../../src/algorithms/graph/wireless.ts'
import { lcr } from '../../../src/algorithms/ring/lcr.ts'
import { prepare } from '../../../src/scenario/index.ts'
import { RunFrame } from '../recording/frame.ts'
import { RunLog } from '../recording/run-log.ts'
import { factsUnder } from './world-facts.ts'

it.each([1, 2, 3])('knows of a moving network which links are there at first, seed %i', (seed) => {
  const given = { topology: 'geometric:20:0.3', mobility: 0.02, until: 30, seed }
  const { world, conditions } = prepare(given, wireless, String)
  const facts = factsUnder(world, conditions)
  const { places, edges, walk, n } = facts
  expect(walk).toHaveLength(31)
  expect(Array.from(walk![0])).toEqual(Array.from(places!))
  const { cut } = new RunFrame(new RunLog(facts))
  const near = (a: number, b: number) =>
    Math.hypot(places![2 * a] - places![2 * b], places![2 * a + 1] - places![2 * b + 1]) <= 0.3
  const shown = new Set<string>()
  for (let i = 0; i < edges.length; i += 2) {
    const link = `${edges[i]}-${edges[i + 1]}`
    if (!cut.has(link)) shown.add(link)
  }
  for (let a = 0; a < n; a++)
    for (let b = a + 1; b < n; b++) expect(shown.has(`${a}-${b}`), `${a}-${b}`).toBe(near(a, b))
  // No node is faster than the speed.
  for (let at = 1; at < walk!.length; at++)
    for (let node = 0; node < n; node++) {
      const [dx, dy] = [0, 1].map(
        (axis) => walk![at][2 * node + axis] - walk![at - 1][2 * node + axis],
      )
      expect(Math.hypot(dx, dy)).toBeLessThanOrEqual(0.02 + 1e-12)
    }
})

it('shows links that are cut from the beginning as cut', () => {
  const { world, conditions } = prepare({ n: 6, cut: '2-3', 'allow-weaker': true }, lcr, String)
  const { cut } = new RunFrame(new RunLog(factsUnder(world, conditions)))
  expect([...cut.keys()]).toEqual(['2-3'])
})
