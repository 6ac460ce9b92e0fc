import { describe, expect, it } from 'vitest'
import { possibleSize, preparation } from '../../test/support/random-worlds.ts'
import { shellJson } from '../../test/support/run-command.ts'
import { catalogue } from '../algorithms/index.ts'
import { nodesOf, Simulation } from './index.ts'

/** All numbers and words in a value, with the place of each. */
function leaves(value: unknown, at = ''): [string, unknown][] {
  if (value === null || typeof value !== 'object') return [[at, value]]
  return Object.entries(value).flatMap(([name, part]) => leaves(part, `${at}.${name}`))
}

describe('links in the states of results', () => {
  it('are the ids of the neighbours, in the whole catalogue', () => {
    const withLinks = new Set<string>()
    for (const algorithm of catalogue) {
      if (algorithm.needs.ids === undefined || algorithm.meet !== null) continue
      const n = possibleSize(algorithm, 8)
      const ids = Array.from({ length: n }, (_, node) => 11 + ((5 * node + 3) % n))
      const { world, conditions } = preparation(algorithm, { n, ids, until: 60 })
      const simulation = new Simulation(world, conditions, [])
      simulation.finish()
      const states = simulation.states.all()
      for (const { node, state } of nodesOf(simulation)) {
        const raw = leaves(algorithm.layout.json(states[node]))
        for (const [i, [at, shown]] of leaves(state).entries()) {
          const [, held] = raw[i]
          if (shown === held) continue
          withLinks.add(algorithm.name)
          const neighbour = ids[world.topology.neighbor(node, held as number)]
          expect([algorithm.name, at, shown]).toEqual([algorithm.name, at, neighbour])
        }
      }
    }
    for (const name of ['omega', 'echo-extinction', 'tree', 'ghs', 'yo-yo', 'afek-gafni'])
      expect([...withLinks]).toContain(name)
  })

  it('stand beside a leader that is an id', async () => {
    const words = ['run', 'omega', '--ids', '10,40,20,30', '--until', '40']
    const { nodes } = await shellJson<{ nodes: { state: { trusted: number | null } }[] }>(...words)
    expect(nodes.map(({ state }) => state.trusted)).toEqual([40, null, 40, 40])
  })
})
