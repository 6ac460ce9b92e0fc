import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readExperiment } from './document.ts'
import { jobsOf, shardOf } from './jobs.ts'

function experiment(given: Record<string, unknown>) {
  return readExperiment({ base: { algorithm: 'lcr' }, ...given }, (field) => field)
}

describe('jobs', () => {
  it('have seeds that other points and repeats do not change', () => {
    const few = jobsOf(experiment({ sweep: { n: '4..6' }, repeat: 2 }))
    const many = jobsOf(experiment({ sweep: { n: '2..9' }, repeat: 5 }))
    for (const job of few) {
      const twin = many.find(
        ({ point, repeat }) => point.n === job.point.n && repeat === job.repeat,
      )
      expect(twin?.scenario).toEqual(job.scenario)
    }
    expect(new Set(many.map(({ scenario }) => scenario.seed)).size).toBe(many.length)
  })

  it('of different algorithms have the same seeds at the same point', () => {
    const sweep = { algorithm: 'lcr,peterson', n: '4..6' }
    const jobs = jobsOf(experiment({ sweep, repeat: 3 }))
    const seeds = (name: string) =>
      jobs.filter(({ point }) => point.algorithm === name).map(({ scenario }) => scenario.seed)
    expect(seeds('lcr')).toEqual(seeds('peterson'))
    expect(new Set(seeds('lcr')).size).toBe(9)
  })

  it('depend on the seed of the experiment', () => {
    const [one, two] = [1, 2].map((seed) => jobsOf(experiment({ sweep: { n: '4' }, seed })))
    expect(one[0].scenario.seed).not.toBe(two[0].scenario.seed)
  })

  it('keep a seed that the base fixes', () => {
    const jobs = jobsOf(experiment({ base: { algorithm: 'lcr', seed: 7 }, repeat: 3 }))
    expect(jobs.map(({ scenario }) => scenario.seed)).toEqual([7, 7, 7])
  })

  it('are partitioned into shards', () => {
    const jobs = jobsOf(experiment({ sweep: { n: '2..20' }, repeat: 3 }))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), (of) => {
        const shares = Array.from({ length: of }, (_, i) => shardOf(jobs, { index: i + 1, of }))
        const runs = shares.flat().map(({ run }) => run)
        expect(runs.toSorted((a, b) => a - b)).toEqual(jobs.map(({ run }) => run))
      }),
    )
  })
})
