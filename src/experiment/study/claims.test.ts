import { describe, expect, it } from 'vitest'
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

/** Findings of an experiment whose every run measures what a function says. */
function findings(cost: (n: number, repeat: number) => number, fits: string[] = []) {
  const experiment = readExperiment(
    { base: { algorithm: 'lcr' }, sweep: { n: '2..12' }, repeat: 5, measures: ['cost'], fits },
    (field) => field,
  )
  const rows = jobsOf(experiment).map(({ run, point, repeat, scenario }): ResultRow => {
    const n = Number(point.n)
    const values = [cost(n, repeat)]
    return { run, point, n, repeat, seed: Number(scenario.seed), values, ok: true, replay: '' }
  })
  return findingsOf(experiment, rows)
}

const square = findings((n) => n * n, ['cost ~ auto', 'cost ~ n^2'])
const scattered = findings((n, repeat) => n + repeat)

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

  it('in the interval of the mean', () => {
    // The runs are n..n+4: the mean is n + 2, and its interval reaches about 2 to either side.
    const at = (off: number) => inInterval('', 'cost', ({ n }) => n + 2 + off).judge(scattered)
    expect([at(0).holds, at(1.9).holds, at(-4.5).holds]).toEqual([true, true, false])
    expect(at(1.9).found).toBe('in the 95 % interval at 11 of 11 points')
  })
})

const two = { where: ({ n }: { n: number }) => n === 2 }
