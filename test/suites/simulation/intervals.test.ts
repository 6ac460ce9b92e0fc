import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { experiment, lcr } from '../../../src/index.ts'
import { campaign } from '../../support/campaign.ts'
import { confusionRows, coverageOf, coverageRows } from '../../support/synthetic-studies.ts'

const isLong = Boolean(process.env.LONG_TESTS)

describe('95 % intervals with 30 repeats', () => {
  const studies = campaign(4000)
  // 1,000 studies of the long campaign are those of the docs; few of them scatter more.
  const [least, most] = isLong ? [93, 97] : [87, 100]

  it.each([5, 7])('of means and coefficients contain the truth, at %i points', (points) => {
    for (const { spread, mean, slope, constant } of coverageOf(isLong ? 1000 : studies, 30, points))
      for (const percent of [mean, slope, constant]) {
        expect([spread, percent >= least, percent]).toEqual([spread, true, percent])
        expect([spread, percent <= most, percent]).toEqual([spread, true, percent])
      }
  })

  it('contain the factor 1 of n H(n) messages of LCR', async () => {
    const runs = isLong ? 40 : 10
    let inside = 0
    for (let seed = 1; seed <= runs; seed++) {
      const { fits } = await experiment(lcr, {
        sweep: { n: [8, 16, 32, 64, 128] },
        repeat: 30,
        seed,
        measures: ['cost'],
        fits: ['cost ~ 0 + n H(n)'],
      })
      const [{ low, high }] = fits[0].fit!.coefficients
      if (low! <= 1 && 1 <= high!) inside++
    }
    // Fewer than 35 of 40, or 7 of 10, have a chance of about 1 % if each contains it with 95 %.
    expect(inside).toBeGreaterThanOrEqual(isLong ? 35 : 7)
  })
})

describe.runIf(isLong)('the tables of docs/experiments.md', () => {
  const page = readFileSync(new URL('../../../docs/experiments.md', import.meta.url), 'utf8')
  /** Lines of tables without their alignment. */
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(2, -1)
        .split('|')
        .map((cell) => cell.trim())
        .join(' | '),
    )

  it('of coverage are those of 1,000 studies each', () => {
    for (const row of coverageRows(1000)) expect(rows).toContain(row)
  })

  it('of growth laws are those of 50 studies each', () => {
    for (const row of confusionRows(50)) expect(rows).toContain(row)
  })
})
