import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectationInRounds, expectedMessages } from '../../../test/support/anonymous-rings.ts'
import { campaign, sample } from '../../../test/support/campaign.ts'
import { sum } from '../../../test/support/oracles.ts'
import { simulate } from '../../../test/support/random-worlds.ts'
import { shell, shellJson } from '../../../test/support/run-command.ts'
import type { CheckReport } from '../../cli/check/explore.ts'
import type { Algorithm, NetworkFacts } from '../../core/index.ts'
import { itaiRodeh } from './itai-rodeh.ts'
import { itaiRodehBare } from './itai-rodeh-bare.ts'
import { itaiRodehBit } from './itai-rodeh-bit.ts'

/** What theory expects; null where it says nothing. */
function theory({ theory: { bounds } }: Algorithm, n: number, ids = n): number | null {
  const facts = { n, settings: { ids } } as unknown as NetworkFacts
  return bounds[0].when?.(facts) ? bounds[0].value(facts) : null
}

describe.each([
  ['itai-rodeh-bit', itaiRodehBit, [7, 10.1875, 14.0825], [7, 14.75, 25.0476], [1216, 2939]],
  ['itai-rodeh-bare', itaiRodehBare, [5, 8.41667, 12.0296], [5, 11.375, 19.2619], [1234, 3205]],
] as const)('%s', (name, algorithm, ofMany, ofTwo, states) => {
  it('has the expected tokens of independent programs, for k = n and for k = 2', () => {
    for (const [i, n] of [2, 3, 4].entries()) {
      expect(theory(algorithm, n)).toBeCloseTo(ofMany[i], 4)
      expect(theory(algorithm, n, 2)).toBeCloseTo(ofTwo[i], 4)
    }
    expect(theory(algorithm, 1)).toBe(1)
  })

  it.each([
    [1, 1],
    [2, 2],
    [2, 5],
    [3, 2],
    [3, 3],
    [3, 4],
    [4, 2],
    [4, 3],
  ])('has those that follow from its handlers: n = %i, ids from 1 to %i', (n, ids) => {
    expect(theory(algorithm, n, ids)! + n).toBeCloseTo(expectedMessages(algorithm, n, ids), 8)
  })

  const averages = [
    [2, 2, 2000],
    [3, 3, 2000],
    [4, 2, 2000],
  ]

  it.each(sample(averages, 3))(
    'meets them on average: n = %i, ids from 1 to %i, %i seeds',
    (n, ids, runs) => {
      const counts = Array.from({ length: runs }, (_, seed) => {
        const { messages } = simulate(algorithm, { n, seed, set: `ids=${ids}` })
        return messages.byType.token
      })
      const mean = sum(counts) / runs
      const variance = sum(counts.map((count) => (count - mean) ** 2)) / (runs - 1)
      // Three standard errors: the seeds are fixed, so the result is always the same.
      expect(Math.abs(mean - theory(algorithm, n, ids)!)).toBeLessThan(
        3 * Math.sqrt(variance / runs),
      )
    },
  )

  it('elects one node, with every number of ids, in random worlds', () => {
    const worlds = fc.integer({ min: 1, max: 20 }).chain((n) =>
      fc.record({
        n: fc.constant(n),
        seed: fc.nat(),
        set: fc.integer({ min: Math.min(n, 2), max: 2 * n }).map((ids) => `ids=${ids}`),
        delay: fc.constantFrom('unit', 'uniform:1:10', 'exponential:2'),
        wake: fc.constantFrom('all', '0', 'rate:0.3'),
      }),
    )
    fc.assert(
      fc.property(worlds, (given) => {
        const { messages, verdict, leader, leaders, nodes } = simulate(algorithm, given)
        expect(verdict.ok).toBe(true)
        expect(leader).toEqual({ node: leaders[0], id: null })
        expect(messages.byType.leader).toBe(given.n)
        expect(nodes!.filter(({ state }) => !state.passive).map(({ node }) => node)).toEqual(
          leaders,
        )
        // The last token goes round, and every node has sent at least one.
        expect(messages.byType.token).toBeGreaterThanOrEqual(2 * given.n - 1)
      }),
      { numRuns: campaign(1000) },
    )
  })

  it('takes one token and one announcement on a ring of one', () => {
    const { messages, time } = simulate(algorithm, { n: 1, timing: 'sync' })
    expect(messages.byType).toEqual({ token: 1, leader: 1 })
    expect(time).toMatchObject({ elected: 2, last: 3 })
  })

  it.each([
    [3, 3],
    [4, 2],
  ])('is explored to its end: n = %i, ids from 1 to %i', async (n, ids) => {
    const line = `check ${name} -n ${n} --set ids=${ids} --reduction off`
    const report = await shellJson<CheckReport>(...line.split(' '))
    expect(report).toMatchObject({ exhausted: true, violated: null, states: states[n - 3] })
    expect(report.properties.filter(({ holds }) => holds !== true)).toEqual([])
    const ends = report.properties.find((one) => one.name === 'every fair run ends')
    expect(ends?.detail).toContain('an end is reachable from every state')
  })

  it('may elect nobody without FIFO links', async () => {
    const line = `check ${name} -n 3 --order any --allow-weaker`
    const { violated } = await shellJson<CheckReport>(...line.split(' '))
    expect(violated?.property).toBe('exactly one leader at the end')
  })

  it('needs at least two ids', async () => {
    for (const ids of ['1', '0', '2.5']) {
      const { code, err } = await shell('run', name, '-n', '3', '--set', `ids=${ids}`)
      expect([code, err]).toEqual([
        2,
        `--set: ids must be a whole number from 2: ${ids} was given. Set it to 3, or leave it out.\n`,
      ])
    }
    expect((await shell('run', name, '-n', '1', '--set', 'ids=1')).code).toBe(0)
  })
})

describe('the draws decide what is sent', () => {
  it.each([
    // Two equal draws, both marked; then 2 wins against 1, whose token is swallowed.
    ['itai-rodeh-bit', itaiRodehBit, '0:0,1;1:0,0', 4 + 3],
    // Two equal draws, both swallowed.
    ['itai-rodeh-bare', itaiRodehBare, '0:0,1;1:0,0', 2 + 3],
    ['itai-rodeh-bit', itaiRodehBit, '0:0;1:1', 3],
    ['itai-rodeh-bare', itaiRodehBare, '0:0;1:1', 3],
  ])('%s, case %#', (_, algorithm, coins, tokens) => {
    const { messages } = simulate(algorithm, { n: 2, coins })
    expect(messages.byType.token).toBe(tokens)
  })

  it('itai-rodeh-bit takes the tokens of itai-rodeh, draw for draw', () => {
    for (let seed = 0; seed < 200; seed++) {
      const given = { n: 1 + (seed % 12), seed, delay: 'uniform:1:5' }
      expect(simulate(itaiRodehBit, given).messages.byType).toEqual(
        simulate(itaiRodeh, given).messages.byType,
      )
    }
  })
})

describe('theory', () => {
  it('of itai-rodeh-bit agrees with brute force, and ends where it would take too long', () => {
    for (const n of [1, 2, 3, 4, 5])
      for (const ids of [2, 3, 5])
        expect(theory(itaiRodehBit, n, ids)).toBeCloseTo(expectationInRounds(n, ids), 9)
    expect(theory(itaiRodehBit, 400, 2)).toBeGreaterThan(400 * 6)
    expect(theory(itaiRodehBit, 10_000, 2)).toBeNull()
    expect(theory(itaiRodehBit, 10_000)).toBeCloseTo(
      itaiRodeh.theory.bounds[0].value({ n: 10_000 } as never),
      6,
    )
  })

  it('of itai-rodeh-bare is a formula for two nodes, and silent about large rings', () => {
    for (const ids of [2, 3, 7, 100])
      expect(theory(itaiRodehBare, 2, ids)).toBe((3 * ids - 1) / (ids - 1))
    expect(theory(itaiRodehBare, 8)).toBeNull()
    for (const n of [2, 3, 4])
      expect(theory(itaiRodehBare, n)).toBeLessThan(theory(itaiRodehBit, n)!)
  })
})
