import { describe, expect, it } from 'vitest'
import { Random } from '../../core/index.ts'
import { fitSentence } from '../report/documents.ts'
import { meansTables } from '../report/tables.ts'
import { readExperiment } from '../study/document.ts'
import { jobsOf } from '../study/jobs.ts'
import { findingsOf } from './summary.ts'

type Values = (n: number, repeat: number) => Readonly<Record<string, number | null>>

/** The findings of made-up runs. */
function study(given: object, valuesOf: Values, sweep: object = { n: '2^3..2^9' }) {
  const own = Object.keys(valuesOf(8, 0))
  const ownMeasures = Object.fromEntries(own.map((name) => [name, () => null]))
  const experiment = readExperiment(
    { base: {}, sweep, measures: own, ownMeasures, ...given },
    (field) => field,
  )
  const rows = jobsOf(experiment).map(({ run, point, repeat, scenario }) => {
    const values = valuesOf(Number(point.n), repeat)
    return {
      ...{ run, point, repeat, seed: Number(scenario.seed), n: Number(point.n) },
      values: experiment.measures.map((name) => values[name] ?? null),
      ...{ ok: true, replay: '' },
    }
  })
  return { experiment, findings: findingsOf(experiment, rows) }
}

const sentences = (...given: Parameters<typeof study>) =>
  study(...given).findings.fits.map(fitSentence)

describe('a fit', () => {
  it('is made over the points that have a value, and says so', () => {
    const some = (n: number) => ({ some: n % 3 === 1 || n > 100 ? 2 * n : null })
    expect(sentences({ fits: ['some ~ n', 'some ~ auto'] }, some)).toEqual([
      expect.stringMatching(/^some ~ n \+ 1: 2 n, .*; fitted over 5 of 7 points$/),
      expect.stringMatching(/^some ~ auto: grows like n \(clear\); .*; fitted over 5 of 7 points$/),
    ])
  })

  it('leaves the others alone if there is none', () => {
    const values = (n: number) => ({
      few: n < 32 ? n : null,
      none: null,
      negative: -n,
      all: 3 * n,
    })
    const fits = ['few ~ auto', 'none ~ auto', 'negative ~ auto', 'none ~ n', 'all ~ auto']
    const { experiment, findings } = study({ fits }, values)
    expect(findings.fits.map(fitSentence)).toEqual([
      expect.stringMatching(/^few ~ auto: not fitted: over 2 of 7 points: auto needs at least 5 /),
      expect.stringMatching(/^none ~ auto: not fitted: over 0 of 7 points: /),
      expect.stringMatching(/^negative ~ auto: not fitted: only positive values have a growth law/),
      expect.stringMatching(/^none ~ n \+ 1: not fitted: over 0 of 7 points: /),
      expect.stringMatching(/^all ~ auto: grows like n \(clear\); best fit 3 n, exact/),
    ])
    const [table] = meansTables(experiment, findings)
    expect(table.head).toEqual(['n', 'few', 'none', 'negative', 'all'])
    expect(table.rows.map((row) => row[2])).toEqual(Array(7).fill('-'))
  })

  it('that falls has the R² and the intervals of the power law that it tells', () => {
    const [{ fit, growth }] = study({ fits: ['y ~ auto'] }, (n) => ({ y: 1 / n })).findings.fits
    expect(growth!.verdict).toBe('falls as n grows, roughly like 1 n^-1')
    expect(fit).toBe(growth!.power)
    expect(fit!.r2).toBeCloseTo(1, 10)
  })

  it('says if it does not fit within the spread of the runs', () => {
    const square = (n: number, repeat: number) => ({ y: n * n + (repeat % 3) })
    const [linear, exact] = sentences({ repeat: 9, fits: ['y ~ n', 'y ~ n^2'] }, square)
    expect(linear).toMatch(/does not fit within the spread of the runs, lack of fit p = /)
    expect(exact).not.toContain('does not fit')
  })

  const sweep = { n: '2^3..2^7', loss: [0, 0.1, 0.2] }
  it.each([
    ['messages ~ loss', undefined, 'is along loss, but x is n. Choose it with --x loss.'],
    ['messages ~ n', 'loss', 'is along n, but x is loss. Choose it with --x n.'],
    [
      'messages ~ lss',
      undefined,
      'lss, which is not swept; swept numbers are n and loss. Did you mean loss?',
    ],
    ['messages ~ m^k', 'loss', 'm, which is not swept'],
    ['mesages ~ n', undefined, 'Did you mean messages?'],
  ])('%s with x %s is refused', (fit, x, why) => {
    const read = () => readExperiment({ base: {}, sweep, fits: [fit], ...(x && { x }) }, (f) => f)
    expect(read).toThrow(why)
  })

  it.each([
    ['messages ~ loss', 'loss'],
    ['messages ~ 1', 'loss'],
    ['messages ~ n log2 n', undefined],
  ])('%s with x %s is not', (fit, x) => {
    readExperiment({ base: {}, sweep, fits: [fit], ...(x && { x }) }, (field) => field)
  })

  it('may be along a parameter', () => {
    const given = {
      base: {},
      sweep: { 'set.epoch': '1..9' },
      fits: ['messages ~ set.epoch', 'auto'],
    }
    expect(readExperiment(given, (field) => field).fits[0]).toBe('messages ~ set.epoch + 1')
  })
})

describe('the summary of a rate', () => {
  it('is never certain, nor below 0 or above 1', () => {
    const random = Random.from(3)
    const { findings } = study({ repeat: 30 }, (n) => ({
      never: 0,
      always: 1,
      rarely: Number(random.unit() < 2 / n),
      count: 2,
    }))
    for (const { measures } of findings.points) {
      expect(measures.never).toMatchObject({ mean: 0, low: 0, high: expect.closeTo(0.1157, 4) })
      expect(measures.always).toMatchObject({ mean: 1, low: expect.closeTo(0.8843, 4), high: 1 })
      expect(measures.count).toMatchObject({ low: 2, high: 2 })
      const { mean, low, high } = measures.rarely!
      expect(low! >= 0 && low! <= mean && mean < high! && high! <= 1).toBe(true)
    }
  })
})
