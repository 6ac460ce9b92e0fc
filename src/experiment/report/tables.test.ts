import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findingsOf } from '../statistics/summary.ts'
import { readExperiment } from '../study/document.ts'
import { jobsOf } from '../study/jobs.ts'
import { summaryCsv } from '../study/table.ts'
import { runsSentence } from './documents.ts'
import { meansTables, validateLayout } from './tables.ts'

function study(sweep: object) {
  const experiment = readExperiment(
    { base: {}, sweep, repeat: 2, measures: ['messages', 'time'] },
    (field) => field,
  )
  const rows = jobsOf(experiment).map(({ run, point, repeat, scenario }) => ({
    ...{ run, point, repeat, seed: Number(scenario.seed), ok: true, replay: '' },
    n: Number(point.n),
    values: [Number(point.n) * (point.algorithm === 'lcr' ? 1 : 10) + repeat, null],
  }))
  return { experiment, findings: findingsOf(experiment, rows) }
}

const both = study({ algorithm: ['lcr', 'peterson'], n: [8, 1024] })

describe('a table of means', () => {
  it('has one field down and one across', () => {
    const [table, ...others] = meansTables(both.experiment, both.findings, {
      table: 'n x algorithm',
    })
    expect(others).toEqual([
      {
        caption: 'time',
        head: ['n', 'lcr', 'peterson'],
        rows: [
          ['8', '-', '-'],
          ['1,024', '-', '-'],
        ],
        left: 0,
      },
    ])
    expect(table).toMatchObject({
      caption: 'messages',
      head: ['n', 'lcr', 'peterson'],
      rows: [
        ['8', expect.stringMatching(/^8\.5 ± /), expect.stringMatching(/^80\.5 ± /)],
        ['1,024', expect.stringMatching(/^1,02[45] ± /), expect.stringMatching(/^10,24[01] ± /)],
      ],
    })
    const turned = meansTables(both.experiment, both.findings, { table: 'algorithm x n' })
    expect(turned[0].head).toEqual(['algorithm', '8', '1,024'])
  })

  it('is one table for each value of a third field', () => {
    const { experiment, findings } = study({ loss: [0, 0.5], algorithm: ['lcr'], n: [2, 4] })
    const captions = meansTables(experiment, findings, { table: 'n x algorithm' })
    expect(captions.map(({ caption }) => caption)).toEqual([
      'messages, loss 0',
      'messages, loss 0.5',
      'time, loss 0',
      'time, loss 0.5',
    ])
  })

  it('says over how many runs a mean is, whatever runs have a value, and how many elected', () => {
    const value = fc.option(fc.integer({ min: 0, max: 99 }))
    const run = fc.record({ value, elected: fc.integer({ min: 0, max: 1 }) })
    const runs = fc.array(run, { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(runs, { minLength: 4, maxLength: 4 }), (points) => {
        const experiment = readExperiment(
          { base: { algorithm: 'lcr' }, sweep: { n: '2..5' }, repeat: 3, measures: ['time'] },
          (field) => field,
        )
        const rows = jobsOf(experiment).map(({ run, point, repeat }) => ({
          ...{ run, point, repeat, seed: 1, ok: true, replay: '', n: Number(point.n) },
          values: [points[Number(point.n) - 2][repeat].value],
          elected: points[Number(point.n) - 2][repeat].elected,
        }))
        const findings = findingsOf(experiment, rows)
        const [{ head, rows: lines }] = meansTables(experiment, findings)
        const csv = summaryCsv(experiment, findings).split('\n')
        for (const [i, its] of points.entries()) {
          // Means are over the runs that elected.
          const known = its.filter((one) => one.value !== null && one.elected === 1).length
          const elected = its.filter((one) => one.elected === 1).length
          const { time, elected: rate } = findings.points[i].measures
          expect([time?.count ?? 0, Math.round(rate!.mean * 3)]).toEqual([known, elected])
          const over =
            known === 0 ? /^-$/ : known < 3 ? new RegExp(`\\(${known} of 3\\)$`) : /^[^()]*$/
          expect(lines[i][1]).toMatch(over)
          expect(csv).toContainEqual(expect.stringMatching(`^${i + 2},time,${known},`))
          if (head.includes('elected'))
            expect(lines[i][2]).toMatch(new RegExp(`^${elected} of 3 \\(`))
          else expect(elected).toBe(3)
        }
        const sentence = runsSentence(experiment, findings)
        expect(sentence.includes('all elected')).toBe(!head.includes('elected'))
      }),
    )
  })

  it('leaves out points where there are many, unless all are asked for', () => {
    const { experiment, findings } = study({ n: '1..100' })
    const [some] = meansTables(experiment, findings)
    expect(some.rows.length + some.left).toBe(100)
    expect(some.left).toBeGreaterThan(50)
    const [all] = meansTables(experiment, findings, { all: true })
    expect([all.rows.length, all.left]).toEqual([100, 0])
  })

  it.each(['n', 'n x n', 'n x loss', 'n x algorithm x n', ''])('%j is refused', (table) => {
    expect(() => validateLayout({ table }, both.experiment, 'table')).toThrow('"n x algorithm"')
  })
})

describe('a title', () => {
  it('names what is swept', () => {
    expect(both.experiment.title).toBe('lcr, peterson by n')
    const algorithm = ['lcr', 'peterson', 'franklin', 'chang-roberts', 'itai-rodeh']
    expect(study({ algorithm, n: [2, 3] }).experiment.title).toBe('5 algorithms by n')
  })
})
