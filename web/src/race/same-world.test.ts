import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { prepare, type Scenario } from '../../../src/scenario/index.ts'
import { definitionEntry } from '../engine/algorithm-settings.ts'
import { inSameWorld } from './same-world.ts'

const WORLD = ['topology', 'timing', 'delay', 'order', 'wake', 'crash', 'loss', 'cut', 'seed']

describe('another algorithm in the same world', () => {
  const rings = catalogue.filter(({ needs }) => needs.topology === 'ring')
  const complete = catalogue.filter(({ needs }) => needs.topology === 'complete')
  const pairs = [...rings, ...complete].flatMap((from) =>
    catalogue
      .filter(({ needs }) => [from.needs.topology, 'any'].includes(needs.topology))
      // Nodes that meet race only with their own kind.
      .filter((to) => to !== from && to.meet === null)
      .map((to) => [from, to] as const),
  )

  it.each(pairs.map(([from, to]) => [from.name, to.name, from, to] as const))(
    'beside %s: %s',
    (_, __, from, to) => {
      const { scenario } = prepare({ n: 6, seed: 3 }, from, String)
      const given = inSameWorld({ ...scenario }, definitionEntry(to))
      const other: Scenario = prepare(given, to, String).scenario
      const together = to.needs.start === 'together'
      const others = [
        ...(to.needs.time === 'rounds' ? ['timing', 'delay', 'order'] : []),
        ...(together ? ['wake'] : []),
      ]
      if (together) expect(other.wake).toBe('all')
      for (const field of WORLD)
        if (!others.includes(field))
          expect([field, other[field as 'seed']]).toEqual([field, scenario[field as 'seed']])
    },
  )

  it('keeps the faults of that world', () => {
    const [bully, list] = ['bully', 'ring-list'].map(
      (name) => catalogue.find((one) => one.name === name)!,
    )
    const faults = { crash: '4@5', recover: '4@20', loss: 0.01, cut: '0-1@2..9', detect: 2 }
    const { scenario } = prepare({ n: 5, ...faults, 'allow-weaker': true }, bully, String)
    const other = prepare(inSameWorld({ ...scenario }, definitionEntry(list)), list, String)
    expect(other.scenario).toMatchObject(faults)
  })
})
