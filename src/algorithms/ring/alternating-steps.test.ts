import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import {
  alternatingCandidates,
  longestAlternation,
  permutations,
} from '../../../test/support/oracles.ts'
import { shuffled, simulate } from '../../../test/support/random-worlds.ts'
import { shellJson } from '../../../test/support/run-command.ts'
import type { CheckReport } from '../../cli/check/explore.ts'
import { alternatingPhases, stepsOf } from '../bounds.ts'
import { alternatingSteps } from './alternating-steps.ts'
import { uniAlternate } from './uni-alternate.ts'

const FIBONACCI = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987]

describe('the number of steps', () => {
  it('is at most S with F(S+1) <= n, and that is attained', () => {
    for (const [i, n] of FIBONACCI.entries()) {
      expect(alternatingPhases(n)).toBe(i + 1)
      if (n > 1) expect(alternatingPhases(n - 1)).toBe(n === 2 ? 1 : i)
      const ring = longestAlternation(i + 1)
      expect(ring.toSorted((a, b) => a - b)).toEqual(ring.map((_, id) => id + 1))
      expect(alternatingCandidates(ring).map(({ length }) => length)).toEqual(
        FIBONACCI.slice(0, i + 1).reverse(),
      )
    }
  })

  it('is never larger, on all arrangements up to 7, and 9 in long tests', () => {
    for (let n = 1; n <= (process.env.LONG_TESTS ? 9 : 7); n++) {
      const most = permutations(n).reduce(
        (steps, ids) => Math.max(steps, alternatingCandidates(ids).length),
        0,
      )
      expect(most).toBe(alternatingPhases(n))
    }
  })

  it('is what theory computes from the ids', () => {
    for (const ids of permutations(6)) expect(stepsOf(ids)).toBe(alternatingCandidates(ids).length)
  })
})

describe.each([
  ['alternating-steps', alternatingSteps, 7540],
  ['uni-alternate', uniAlternate, 4671],
] as const)('%s', (name, algorithm, states) => {
  it.each([
    ['3,2,7,8,5,4,1,6', 24],
    ['1,2,3,4,5,6,7,8', 24],
    ['8,7,6,5,4,3,2,1', 16],
    ['1,5,3,7,2,6,4,8', 32],
    ['1,2,7,3,4,8,5,6', 40],
    ['5', 1],
    ['5,9', 4],
    ['9,5', 4],
  ])('takes n messages per step: %s in %i', (ids, election) => {
    const n = ids.split(',').length
    for (const wake of ['all', '0', `${n - 1}`]) {
      const { messages, verdict, bounds } = simulate(algorithm, { ids, wake, timing: 'sync' })
      expect([messages.byType, verdict.ok]).toEqual([{ election, leader: n }, true])
      expect(bounds.find(({ formula }) => formula === 'n S of this ring')?.value).toBe(election)
    }
  })

  it('reaches its bound on rings of a Fibonacci number of nodes', () => {
    for (let steps = 1; steps <= 12; steps++) {
      const ids = longestAlternation(steps)
      const { messages, bounds } = simulate(algorithm, { ids, delay: 'uniform:1:10', seed: steps })
      expect(messages.byType.election).toBe(ids.length * steps)
      expect(bounds.filter(({ of }) => of === 'messages').map(({ value }) => value)).toEqual(
        Array(2).fill(ids.length * steps),
      )
    }
  })

  it('has the candidates of the comparisons, in random worlds', () => {
    const worlds = fc.record({
      n: fc.integer({ min: 1, max: 60 }),
      seed: fc.nat(),
      delay: fc.constantFrom('unit', 'uniform:1:10', 'exponential:2'),
      order: fc.constantFrom('fifo', algorithm === alternatingSteps ? 'any' : 'fifo'),
      wake: fc.constantFrom('all', '0', 'rate:0.3'),
    })
    fc.assert(
      fc.property(worlds, ({ n, ...given }) => {
        const ids = shuffled(n, given.seed)
        const { messages, nodes, leader, verdict, bounds } = simulate(algorithm, { ...given, ids })
        const candidates = alternatingCandidates(ids)
        expect(verdict.ok).toBe(true)
        expect(leader?.id).toBe(n)
        expect(messages.byType).toEqual({ election: n * candidates.length, leader: n })
        expect(bounds.filter(({ within }) => !within)).toEqual([])
        const last = nodes!.map(({ state }) => Number(state.step))
        expect(candidates.map((_, i) => last.filter((step) => step > i).length)).toEqual(
          candidates.map(({ length }) => length),
        )
      }),
      { numRuns: campaign(1000) },
    )
  })

  it('is right on all arrangements of 5, and takes the same messages in every run', async () => {
    const line = `check ${name} -n 5 --ids all --reduction off --worst messages`
    const report = await shellJson<CheckReport>(...line.split(' '))
    expect(report).toMatchObject({ states, exhausted: true, violated: null })
    expect(report.properties.filter(({ holds }) => holds !== true)).toEqual([])
    expect(report.worst?.bounds.every(({ within }) => within)).toBe(true)
  })

  it('lets all lead if all ids are equal', () => {
    expect(simulate(algorithm, { n: 5, ids: 'same' }).leaders).toHaveLength(5)
  })
})

describe('without FIFO links', () => {
  it('alternating-steps is right all the same', async () => {
    const line = 'check alternating-steps -n 5 --ids all --order any'
    const report = await shellJson<CheckReport>(...line.split(' '))
    expect(report).toMatchObject({ exhausted: true, violated: null })
  })

  it('uni-alternate fails on every arrangement of 4', async () => {
    for (const ids of permutations(3).map((others) => [4, ...others])) {
      const line = `check uni-alternate --ids ${ids} --order any --allow-weaker`
      const { violated } = await shellJson<CheckReport>(...line.split(' '))
      expect(violated).not.toBeNull()
    }
  })
})
