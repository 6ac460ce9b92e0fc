import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { Random } from '../../core/index.ts'
import { findingsOf } from '../statistics/summary.ts'
import {
  atLeast,
  atMost,
  type Claim,
  exactly,
  fitted,
  grows,
  inInterval,
  nearly,
} from './claims.ts'
import { readExperiment } from './document.ts'
import { jobsOf } from './jobs.ts'
import type { ResultRow } from './table.ts'

interface Made {
  readonly sweep?: object
  readonly repeat?: number
  /** The stated chance to fail. */
  readonly chance?: number
  elected?(n: number, repeat: number): number
}

/** Findings of an experiment whose every run measures what a function says. */
function findings(
  cost: (n: number, repeat: number) => number,
  fits: string[] = [],
  { sweep = { n: '2..12' }, repeat: repeats = 5, chance, elected = () => 1 }: Made = {},
) {
  const measures = chance === undefined ? ['cost'] : ['cost', 'chance']
  const experiment = readExperiment(
    { base: { algorithm: 'lcr' }, sweep, repeat: repeats, measures, fits },
    (field) => field,
  )
  const rows = jobsOf(experiment).map(({ run, point, repeat, scenario }): ResultRow => {
    const n = Number(point.n)
    const values = [cost(n, repeat), ...(chance === undefined ? [] : [chance])]
    const seed = Number(scenario.seed)
    return {
      run,
      point,
      n,
      repeat,
      seed,
      values,
      elected: elected(n, repeat),
      ok: true,
      replay: '',
    }
  })
  return findingsOf(experiment, rows)
}

const square = findings((n) => n * n, ['cost ~ auto', 'cost ~ n^2'])

describe('a claim holds exactly if it is true', () => {
  it.each<[string, Claim, Claim]>([
    [
      'exactly',
      exactly('', 'cost', ({ n }) => n * n),
      exactly('', 'cost', ({ n }) => n * n + (n === 7 ? 1e-6 : 0)),
    ],
    [
      'nearly, by an amount',
      nearly('', 'cost', ({ n }) => n * n + 0.5, { within: 0.6 }),
      nearly('', 'cost', ({ n }) => n * n + 0.5, { within: 0.4 }),
    ],
    [
      'nearly, by a share',
      nearly('', 'cost', ({ n }) => 1.05 * n * n, { share: 0.06 }),
      nearly('', 'cost', ({ n }) => 1.05 * n * n, { share: 0.04 }),
    ],
    [
      'at most',
      atMost('', 'cost', ({ n }) => n * n),
      atMost('', 'cost', ({ n }) => n * n - (n === 12 ? 1 : 0)),
    ],
    ['at least', atLeast('', 'cost', 4), atLeast('', 'cost', 5)],
    [
      'where it is claimed',
      atLeast('', 'cost', 9, { where: ({ n }) => n >= 3 }),
      atLeast('', 'cost', 9, { where: ({ n }) => n >= 2 }),
    ],
    ['nowhere', atLeast('', 'cost', 4), atLeast('', 'cost', 4, { where: () => false })],
    ['by growth', grows('', 'cost', 'n^2'), grows('', 'cost', 'n log2 n')],
    [
      'by a coefficient',
      fitted('', 'cost ~ n^2 + 1', { near: { 'n^2': [1, 0.01] }, r2: 0.999 }),
      fitted('', 'cost ~ n^2 + 1', { near: { 'n^2': [1.1, 0.01] } }),
    ],
    ['by a fit that was asked for', fitted('', 'cost ~ n^2 + 1', {}), fitted('', 'cost ~ n', {})],
    ['of a measure that there is', exactly('', 'cost', 4, two), exactly('', 'bits', 4, two)],
  ])('%s', (_, so, not) => {
    expect([so.judge(square).holds, not.judge(square).holds]).toEqual([true, false])
  })
})

/** Findings of 30 normal runs at each of six points; the means are 10 and some deviations. */
function noisy(study: number, off: number, repeat = 30) {
  const random = Random.from(study)
  const sweep = { n: '2..7' }
  const noise = () => Array.from({ length: 12 }, () => random.below(1e6) / 1e6 - 0.5)
  const cost = () => 10 + off + noise().reduce((a, b) => a + b)
  return findings(cost, [], { sweep, repeat })
}

describe('a claim on means', () => {
  const ten = inInterval('', 'cost', 10)
  const verdicts = (off: number) =>
    Array.from({ length: campaign(2000) }, (_, study) => ten.judge(noisy(study, off)).holds)
  const share = (all: readonly unknown[], verdict: boolean) =>
    all.filter((one) => one === verdict).length / all.length

  it('is rejected in 5 % of the studies at most if it is true, and found if it is not', () => {
    // Four standard deviations of that share, since the number of studies is limited.
    const chance = 4 * Math.sqrt((0.05 * 0.95) / campaign(2000))
    expect(share(verdicts(0), false)).toBeLessThan(0.05 + chance)
    expect(share(verdicts(0), true)).toBeGreaterThan(0.95 - chance)
    // At all six points the formula is 1.1 half-widths off, as in a claim that was said to hold.
    expect(share(verdicts(0.5), false)).toBeGreaterThan(0.9)
  })

  it('has the exact interval of rates at its joint level', () => {
    const sweep = { n: '2..21' }
    const never = findings(() => 0, [], { sweep, repeat: 30, elected: () => 1 })
    // 0 of 30 at 1 - 0.05 / 20: the upper end is 1 - 0.00125^(1/30).
    const end = 1 - 0.00125 ** (1 / 30)
    const failing = (chance: number) => inInterval('', 'elected', 1 - chance).judge(never).holds
    expect([failing(end - 0.001), failing(end + 0.001)]).toEqual([true, false])
  })

  it('names a point that it misses', () => {
    expect(ten.judge(noisy(1, 3))).toEqual({
      holds: false,
      found: expect.stringMatching(
        /^in the joint 95 % interval at 0 of 6 points; 1[23]\.\d+ ± 0\.\d+, expected 10 \(n 2\)$/,
      ),
    })
    expect(ten.judge(noisy(1, 0)).found).toBe('in the joint 95 % interval at 6 of 6 points')
  })

  it.each([
    ['one run each', 1],
    ['two runs each', 2],
  ])('cannot tell with %s', (_, repeat) => {
    const { holds, found } = inInterval('', 'cost', 10.01).judge(noisy(1, 0, repeat))
    expect(holds).toBe(null)
    expect(found).toMatch(/^cannot tell: too few runs at \d of 6 points; /)
  })
})

describe('runs fail as often as stated', () => {
  it.each([
    // Each point has 30 runs: failures, the stated chance, and what 120 runs say.
    [[0, 0, 0, 0], 0.00125, null],
    [[3, 3, 3, 3], 0.00125, false],
    [[3, 2, 4, 3], 0.1, true],
    [[0, 0, 0, 0], 0.1, false],
    [[12, 0, 0, 0], 0.1, false],
    [[0, 0, 0, 0], 0, null],
    [[1, 0, 0, 0], 0, false],
  ])('%j of 30 runs, %f stated: %s', (failed, chance, holds) => {
    const elected = (n: number, repeat: number) => Number(repeat >= failed[n - 2])
    const { claims } = findings(() => 0, [], { sweep: { n: '2..5' }, repeat: 30, chance, elected })
    expect(claims.map((claim) => claim.holds)).toEqual([holds])
    const total = failed.reduce((a, b) => a + b)
    expect(claims[0].found).toContain(`${total} of 120 runs failed`)
  })
})

const two = { where: ({ n }: { n: number }) => n === 2 }
