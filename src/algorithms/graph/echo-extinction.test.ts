import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { graphs, schedules } from '../../../test/support/graphs.ts'
import { necklaces, permutations } from '../../../test/support/oracles.ts'
import { observe, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import type { Property } from '../../core/index.ts'
import { echoExtinction } from './echo-extinction.ts'

const worlds = graphs.chain(({ topology, n }) =>
  fc.record({
    topology: fc.constant(topology),
    schedule: schedules(n, ['fifo', 'any']),
    ids: fc.uniqueArray(fc.nat(500), { minLength: n, maxLength: n }),
  }),
)

/** How many tokens of each wave there were, and over each direction of each link. */
function waves(sends: ReturnType<typeof observe>['sends']) {
  const byWave = new Map<number, number>()
  const byPlace = new Map<string, number>()
  for (const { type, node, link, body } of sends) {
    if (type !== 'token') continue
    const wave = body.id as number
    const place = `${wave} over link ${link} of ${node}`
    byWave.set(wave, (byWave.get(wave) ?? 0) + 1)
    byPlace.set(place, (byPlace.get(place) ?? 0) + 1)
  }
  return { byWave, byPlace }
}

describe('echo with extinction', () => {
  it('elects the largest starter by waves of at most 2E tokens, in any order of messages', () => {
    fc.assert(
      fc.property(worlds, ({ topology, schedule, ids }) => {
        const { result, sends, starts } = observe(echoExtinction, { topology, ids, ...schedule })
        const { links, n, leader, messages, verdict, nodes, bounds } = result
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        const largest = Math.max(...[...starts.keys()].map((node) => ids[node]))
        expect(leader?.id).toBe(largest)
        expect(messages.byType.leader).toBe(2 * links - (n - 1))
        expect(messages.byType.token).toBeLessThanOrEqual(starts.size * 2 * links)
        const { byWave, byPlace } = waves(sends)
        expect(byWave.get(largest)).toBe(2 * links)
        expect(Math.max(...byPlace.values())).toBe(1)
        expect([...byWave.keys()].every((id) => starts.has(ids.indexOf(id)))).toBe(true)
        expect(bounds.filter(({ within }) => !within)).toEqual([])
        // The way from parent to parent ends at the leader.
        for (const start of ids.keys()) {
          let at = start
          for (let steps = 0; at !== leader!.node; steps++) {
            expect(steps).toBeLessThan(n)
            at = ids.indexOf(nodes![at].state.parent as number)
          }
        }
      }),
      { numRuns: campaign(800) },
    )
  })

  it('sends one wave of exactly 2E tokens for one starter', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), ({ topology, schedule, ids }, draw) => {
        const starter = draw % ids.length
        const given = { topology, ids, ...schedule, wake: `${starter}` }
        const { messages, links, leader } = simulate(echoExtinction, given)
        expect(messages.byType.token).toBe(2 * links)
        expect(leader?.node).toBe(starter)
      }),
      { numRuns: campaign(800) },
    )
  })

  it('takes there and back on a row, and three steps where all are neighbours', () => {
    for (let n = 2; n <= 20; n++) {
      const elected = (topology: string) =>
        simulate(echoExtinction, { topology, ids: 'decreasing', wake: '0' }).time.elected
      expect(elected(`path:${n}`)).toBe(2 * (n - 1))
      expect(elected(`complete:${n}`)).toBe(n === 2 ? 2 : 3)
    }
  })

  it.each(['path:1', 'complete:1'])('leads at once where it is alone: %s', (topology) => {
    const { leader, messages, time } = simulate(echoExtinction, { topology })
    expect([leader?.node, messages.total, time.elected]).toEqual([0, 0, 0])
  })

  it.each([
    ['ring:1', { token: 2, leader: 2 }],
    ['ring:2', { token: 4, leader: 3 }],
  ])('keeps the counts on %s, where links lead to oneself or in pairs', (topology, byType) => {
    const { messages, verdict } = simulate(echoExtinction, { topology, wake: '0' })
    expect([messages.byType, verdict.ok]).toEqual([byType, true])
  })
})

/** A starter never leaves its own wave for a smaller one, so this is the largest starter's. */
const oneWave: Property = {
  name: 'one wave is left',
  says: "At the end every node is in the leader's wave, and all but the leader have a parent.",
  when: 'at the end',
  broken({ n, state, leaders: [leader] }) {
    const astray = [...Array(n).keys()].filter((node) => {
      const { wave, parent } = state(node)
      return wave !== state(leader).id || (parent === null) !== (node === leader)
    })
    return astray.length === 0 ? null : `positions ${astray} are elsewhere`
  },
}

describe('echo with extinction in the checker', () => {
  it.each([
    ['path:2', permutations(2)],
    ['path:3', permutations(3)],
    ['edges:0-1,0-2,1-2', necklaces(3)],
    ['edges:0-1,0-3,1-2,2-3', necklaces(4)],
    ['star:4', permutations(4)],
  ])('any starters, any order, every interleaving for any ids: %s', (topology, arranged) => {
    for (const ids of arranged)
      for (const order of ['fifo', 'any'] as const) {
        const { world, properties } = preparation(echoExtinction, { topology, ids })
        const result = checkWorld(world, {
          mode: 'untimed',
          order,
          wake: 'any',
          limits: { states: 1_000_000 },
          properties: [...properties, oneWave],
        })
        expect(result).toMatchObject({ exhausted: true, violated: null })
        expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
      }
  })
})
