import { describe, expect, it } from 'vitest'
import { lcr } from '../algorithms/index.ts'
import { experiment } from './experiment.ts'

const mine = { ...lcr, name: 'mine' }

describe('an experiment', () => {
  it('measures an own algorithm at every point, as often as asked', async () => {
    const result = await experiment(mine, { sweep: { n: [8, 16, 32] }, repeat: 10 })
    expect(result.runs).toBe(30)
    expect(result.points.map(({ n, runs }) => [n, runs])).toEqual([
      [8, 10],
      [16, 10],
      [32, 10],
    ])
    const [first] = result.points
    expect(first.measures.messages?.mean).toBeGreaterThan(8)
    expect(result.failures).toEqual([])
    expect(result.measures).toContain('messages')
    expect(result.rows).toHaveLength(30)
    expect(result.csv.split('\n')).toHaveLength(32)
  })

  it('gives the measures of each run by name, beside what was run', async () => {
    const { rows } = await experiment('lcr', {
      sweep: { n: [3, 4] },
      ids: 'decreasing',
      measures: ['messages', 'cost/n', 'perLink'],
      ownMeasures: { perLink: ({ messages, links }) => messages.total / links },
    })
    expect(rows.map(({ n, messages, perLink }) => ({ n, messages, perLink }))).toEqual([
      { n: 3, messages: 9, perLink: 3 },
      { n: 4, messages: 14, perLink: 3.5 },
    ])
    expect(rows[1]).toMatchObject({ run: 1, point: { n: 4 }, ok: true, elected: 1, 'cost/n': 2.5 })
  })

  it('refuses a measure with the name of something that every run has', async () => {
    const ownMeasures = { seed: () => 1 }
    await expect(experiment('lcr', { n: 3, ownMeasures, measures: ['seed'] })).rejects.toThrow(
      'ownMeasures: there is a measure seed already.',
    )
  })

  it('has the rows of the algorithm of the catalogue, in however many threads', async () => {
    const options = { sweep: { n: '4..6' }, repeat: 3, measures: 'messages' } as const
    const { csv } = await experiment('lcr', options)
    expect((await experiment(mine, options)).csv).toBe(csv)
    await expect(experiment(mine, { ...options, threads: 2 })).rejects.toThrow(
      'threads: mine is not of the catalogue',
    )
  })

  it('compares several algorithms, and fits their growth', async () => {
    const { points, fits } = await experiment(['lcr', 'peterson', mine], {
      sweep: { n: '2^2..2^6' },
      ids: 'decreasing',
      measures: ['cost'],
      fits: 'cost ~ auto',
    })
    expect(points).toHaveLength(15)
    expect(fits.map(({ series }) => series)).toEqual(['lcr', 'peterson', 'mine'])
    expect(fits[0].growth?.candidates[0].fit.form).toBeDefined()
  })

  it('sweeps parameters and options, of aggregations too', async () => {
    const { points } = await experiment('gossip-average', {
      n: 20,
      timing: 'cycles',
      sweep: { 'set.evaporation': [0, 0.1], until: [3, 6] },
    })
    expect(points.map(({ point }) => point)).toHaveLength(4)
    const swept = await experiment('wireless', { n: 6, sweep: { electBy: ['id', 'degree'] } })
    expect(swept.points.map(({ point }) => point['elect-by'])).toEqual(['id', 'degree'])
  })

  it('tells how far it is', async () => {
    const seen: string[] = []
    const onProgress = (done: number, all: number) => seen.push(`${done}/${all}`)
    await experiment('lcr', { n: 3, repeat: 2, onProgress })
    expect(seen).toEqual(['1/2', '2/2'])
  })

  it('refuses what cannot be, and names the option', async () => {
    await expect(experiment('lcr', { repeat: 0 })).rejects.toThrow('repeat: ')
    await expect(experiment('lcr', { sweep: { n: [] } })).rejects.toThrow('sweep: ')
    await expect(experiment('lcr', { measures: 'money' })).rejects.toThrow('measures: ')
    await expect(experiment('lcr', { measures: 'messages.token' })).rejects.toThrow('measures: ')
    // @ts-expect-error There is no such option.
    await expect(experiment('lcr', { repeats: 3 })).rejects.toThrow('repeats: there is no option')
    await expect(experiment([lcr, 'lcr'])).rejects.toThrow('algorithm: two algorithms')
    await expect(experiment('lcr', { sweep: { n: [3] }, crash: [7] })).rejects.toThrow(
      'crash (n 3): ',
    )
    await expect(experiment('lcr', { threads: 0 })).rejects.toThrow('threads: ')
  })
})
