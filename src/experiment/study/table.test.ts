import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readExperiment } from './document.ts'
import { jobsOf } from './jobs.ts'
import { csvOf, type ResultRow, rowsOf } from './table.ts'

const experiment = readExperiment(
  {
    base: { algorithm: 'lcr', topology: 'ring:{n}' },
    sweep: { n: '2..4', delay: ['unit', 'uniform:1:10'] },
    repeat: 2,
    measures: ['messages', 'time'],
  },
  (field) => field,
)
const jobs = jobsOf(experiment)
const names = Object.keys(experiment.sweep)

const row = fc.record({
  n: fc.nat(),
  values: fc.tuple(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), fc.nat()),
  ok: fc.boolean(),
  replay: fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', "'", '\n', '=') }),
})

describe('results.csv', () => {
  it('round-trips every row, in any order and with any texts', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: jobs.length, maxLength: jobs.length }), (parts) => {
        const rows: ResultRow[] = jobs.map(({ run, point, repeat, scenario }, i) => ({
          ...{ run, point, repeat, seed: Number(scenario.seed) },
          ...parts[i],
          // A float64 knows -0, a table of numbers does not.
          values: parts[i].values.map((value) => (value === 0 ? 0 : value)),
        }))
        const csv = csvOf(rows.toReversed(), names, experiment.measures)
        expect(rowsOf(csv, jobs, 'results.csv')).toEqual(rows)
        expect(csvOf(rows, names, experiment.measures)).toBe(csv)
      }),
    )
  })

  it('has a header and one line per run', () => {
    const rows = jobs.map(({ run, point, repeat }) => ({
      ...{ run, point, n: Number(point.n), repeat, seed: 5 },
      ...{ values: [run, null], ok: true, replay: '' },
    }))
    expect(csvOf(rows.slice(0, 2), names, experiment.measures)).toBe(
      'run,delay,n,repeat,seed,messages,time,ok,replay\n0,unit,2,0,5,0,,true,\n1,unit,2,1,5,1,,true,\n',
    )
  })

  it.each(['run\nx\n', 'run,delay,n,repeat,seed,messages,time,ok,replay\n99,,,,,,,,\n', 'a,"b\n'])(
    'rejects %j',
    (csv) => {
      expect(() => rowsOf(csv, jobs, 'here')).toThrow(/^here: line \d is not/)
    },
  )
})
