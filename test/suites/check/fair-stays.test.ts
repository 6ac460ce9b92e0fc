import { expect, it } from 'vitest'
import { checkWorld } from '../../../src/check/index.ts'
import type { Property } from '../../../src/core/index.ts'
import { campaign } from '../../support/campaign.ts'
import { fairGraph, fairVerdict } from '../../support/fair-stays.ts'
import { randomProtocols } from '../../support/random-protocols.ts'

const eventually: Property = {
  name: 'eventually a leader',
  when: 'eventually',
  broken: ({ leaders }) => (leaders.length > 0 ? null : 'nobody leads'),
}
const lasting: Property = { ...eventually, name: 'a lasting leader', when: 'from some time on' }

it.each([
  ['in order', 'untimed', 'fifo'],
  ['in any order', 'untimed', 'any'],
  ['with patience', 'patient', 'fifo'],
] as const)('liveness of random protocols, %s, by a naive analysis', (_, mode, order) => {
  let decided = 0
  for (const { seed, world } of randomProtocols(campaign(400), 150)) {
    const rules = { mode, order, wake: 'any' as const, limits: { states: 3000 } }
    const { exhausted, properties } = checkWorld(world, {
      ...{ ...rules, reduction: 'auto', fairRuns: true, properties: [eventually, lasting] },
    })
    if (!exhausted) continue
    const fifo = order === 'fifo'
    const graph = fairGraph(world, {
      ...{ delay: null, patient: mode === 'patient', fifo, wake: 'any', losses: 0 },
    })
    for (const { name, holds } of properties) {
      const wanted = fairVerdict(graph, name)
      // Nothing is decided if it depends on what setting a timer anew means.
      if (holds === null || wanted === null) continue
      expect(holds, `${name}, seed ${seed}`).toBe(wanted)
      decided++
    }
  }
  expect(decided).toBeGreaterThan(campaign(400))
})
