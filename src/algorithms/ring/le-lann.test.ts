import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { permutations, startSets } from '../../../test/support/oracles.ts'
import {
  observe,
  possibleTotals,
  preparation,
  simulate,
} from '../../../test/support/random-worlds.ts'
import { shell, shellJson } from '../../../test/support/run-command.ts'
import type { CheckReport } from '../../cli/check/explore.ts'
import { leLann } from './le-lann.ts'

const LARGEST = process.env.LONG_TESTS ? 5 : 4

describe('le-lann', () => {
  it(`takes n messages for each initiator: all rings and start sets up to ${LARGEST}`, () => {
    for (let n = 1; n <= LARGEST; n++)
      for (const ids of permutations(n))
        for (const starters of startSets(n)) {
          const result = simulate(leLann, { ids, wake: starters.join(), timing: 'sync' })
          expect(result.messages.byType).toEqual({ token: starters.length * n, leader: n })
          expect(result.leader?.id).toBe(Math.max(...starters.map((node) => ids[node])))
        }
  })

  it('elects in round n + 1 and ends in round 2n + 1 if all start together', () => {
    for (let n = 1; n <= 12; n++) {
      const { time, messages, bounds } = simulate(leLann, { n, timing: 'sync' })
      expect(time).toMatchObject({ elected: n + 1, last: 2 * n + 1 })
      expect(messages.total).toBe(n * n + n)
      expect(bounds.map(({ value, measured }) => value - measured)).toEqual([0, 0, n - 1])
    }
  })

  it('counts those who really start: a node that was reached before is a relay for ever', () => {
    const { result, starts } = observe(leLann, { ids: [1, 2, 3, 4], wake: '0@0,3@2,1@3' })
    expect([...starts.keys()]).toEqual([0, 3])
    expect(result.leader?.id).toBe(4)
    expect(result.messages.byType).toEqual({ token: 2 * 4, leader: 4 })
    expect(result.nodes?.map(({ state }) => state.candidate)).toEqual([true, false, false, true])
  })

  it('does so in random worlds', () => {
    const worlds = fc.integer({ min: 1, max: 40 }).chain((n) =>
      fc.record({
        n: fc.constant(n),
        seed: fc.nat(),
        delay: fc.constantFrom('unit', 'uniform:1:10', 'exponential:2'),
        wake: fc.oneof(
          fc.constantFrom('all', 'rate:0.2', 'rate:0.8'),
          fc.subarray([...Array(n).keys()], { minLength: 1 }).map(String),
        ),
      }),
    )
    fc.assert(
      fc.property(worlds, (given) => {
        const { result, starts } = observe(leLann, given)
        const ids = result.nodes!.map(({ id }) => id!)
        expect(result.verdict.ok).toBe(true)
        expect(result.messages.byType).toEqual({ token: starts.size * given.n, leader: given.n })
        expect(result.leader?.id).toBe(Math.max(...Array.from(starts.keys(), (at) => ids[at])))
      }),
      { numRuns: campaign(1000) },
    )
  })

  it('takes a multiple of n messages in every interleaving: one trip for each initiator', () => {
    const { world } = preparation(leLann, { ids: [2, 3, 1] })
    const totals = possibleTotals(world, { mode: 'untimed', order: 'fifo', wake: 'any' })
    expect(totals).toEqual([1, 2, 3].map((starters) => 3 * starters + 3))
  })

  it('elects by an attribute among those who start', () => {
    const values = [9, 1, 5, 3]
    const given = { n: 4, values, 'elect-by': 'value', wake: '1,2,3' }
    const { leader, verdict } = simulate(leLann, given)
    expect([leader?.node, verdict.ok]).toEqual([2, true])
  })
})

describe('le-lann in the checker', () => {
  const json = (line: string) => shellJson<CheckReport>(...line.split(' '))

  it('is right on all arrangements of 5, with 73,030 states in sum', async () => {
    const report = await json('check le-lann -n 5 --ids all --reduction off')
    expect(report).toMatchObject({ states: 73_030, exhausted: true, violated: null })
    expect(report.properties.filter(({ holds }) => holds !== true)).toEqual([])
  })

  it('elects two leaders without FIFO links, n = 3', async () => {
    const { violated } = await json('check le-lann --ids 3,1,2 --order any --allow-weaker')
    expect(violated?.property).toBe('at most one leader')
  })

  it('lets all lead if all ids are equal', async () => {
    expect((await shell('run', 'le-lann', '-n', '4', '--ids', 'same')).code).toBe(1)
    expect(simulate(leLann, { n: 4, ids: 'same' }).leaders).toHaveLength(4)
  })
})
