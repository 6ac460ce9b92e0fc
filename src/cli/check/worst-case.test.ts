import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { shell, shellJson } from '../../../test/support/run-command.ts'
import type { CheckReport } from './explore.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-worst-'))
afterAll(() => rmSync(folder, { recursive: true }))

const words = (line: string) => line.split(' ')
const worst = async (line: string) => (await shellJson<CheckReport>('check', ...words(line))).worst!

describe('check --worst', () => {
  it.each([2, 3, 5])(
    'reaches the bounds of LCR with the ids of its worst case, n = %i',
    async (n) => {
      const { figures, bounds } = await worst(
        `lcr -n ${n} --ids decreasing --order fifo --worst messages`,
      )
      const value = (n * (n + 1)) / 2
      expect(figures).toEqual([
        { name: 'messages', most: value + n, least: value + n },
        { name: 'without the announcement', most: value, least: value },
      ])
      expect(bounds).toEqual([
        { kind: 'worst', formula: 'n(n+1)/2', value, within: true, reached: true },
        {
          kind: 'best',
          formula: '2n-1',
          value: 2 * n - 1,
          within: true,
          reached: value === 2 * n - 1,
        },
      ])
    },
  )

  it('takes the worst and the best case of all permutations', async () => {
    const all = await worst('lcr -n 4 --ids all --worst messages')
    expect(all.figures[1]).toMatchObject({ most: 10, least: 7 })
    expect(all.bounds.map(({ reached }) => reached)).toEqual([true, true])
    const sent = (trace: readonly { sends: readonly unknown[] }[]) =>
      trace.reduce((sum, { sends }) => sum + sends.length, 0)
    expect([sent(all.samples!.most.trace), sent(all.samples!.least.trace)]).toEqual([14, 11])
  })

  it.each([1, 2, 3])('writes the worst-case run, not a random one, seed %i', async (seed) => {
    const file = join(folder, `${seed}.jsonl`)
    const line = `chang-roberts --ids 1,4,3,2 --seed ${seed} --worst messages --trace ${file}`
    // All start, and each id goes on to 4: 4 + 3 + 2 + 1 links; only 4 starts: 4. And the news.
    expect((await worst(line)).figures[0]).toMatchObject({ most: 14, least: 8 })
    const sent = readFileSync(file, 'utf8').match(/"event":"send"/g)
    expect(sent).toHaveLength(14)
    expect((await shell('run', '--replay', file)).code).toBe(0)
  })

  it('writes the run of the costliest permutation, and names its ids', async () => {
    const files = { trace: join(folder, 'all.jsonl'), svg: join(folder, 'all.svg') }
    const line = `lcr -n 4 --ids all --worst messages --trace ${files.trace} --svg ${files.svg}`
    const { samples } = await worst(line)
    // Every id goes on to the largest: 4 + 3 + 2 + 1 links, where they decrease; and the news.
    expect(samples).toMatchObject({ most: { ids: [4, 3, 2, 1] }, least: { ids: [4, 1, 2, 3] } })
    const [head, ...events] = readFileSync(files.trace, 'utf8').trim().split('\n')
    expect(JSON.parse(head)).toMatchObject({ scenario: { ids: [4, 3, 2, 1] } })
    expect(events.filter((event) => event.includes('"event":"send"'))).toHaveLength(14)
    expect(readFileSync(files.svg, 'utf8')).toContain('a run with the most messages')
    expect((await shell('run', '--replay', files.trace)).code).toBe(0)
    const { out } = await shell(...words(`check ${line}`))
    expect(out).toContain('A worst-case run (14), with ids 4,3,2,1:')
    expect(out).toContain('A best-case run (11), with ids 4,1,2,3:')
  })

  it('evaluates bounds for every number of starters if any nodes may start', async () => {
    const { figures, bounds } = await worst('ring-list -n 3 --worst messages')
    // One trip round for each that starts, apart from the announcement.
    expect(figures[1]).toMatchObject({ most: 9, least: 3 })
    expect(bounds).toMatchObject([{ value: 9, within: true, reached: true }])
    const one = await worst('ring-list -n 3 --wake 1 --worst messages')
    expect(one.figures[1]).toMatchObject({ most: 3, least: 3 })
    expect(one.bounds).toMatchObject([{ value: 3, within: true }])
  })

  it('measures time in the largest delay when it compares it with a bound', async () => {
    const { unit, figures, bounds } = await worst('lcr -n 3 --worst time --mode clocked:2')
    // Two hops to wake the largest, three round, and three more to tell.
    expect(unit).toBe('clock')
    expect(figures).toEqual([
      { name: 'last receipt', most: 16, least: 6 },
      { name: 'elected', most: 10, least: 3 },
    ])
    expect(bounds).toMatchObject([{ formula: '2n-1', value: 5, within: true, reached: true }])
  })

  it.each([1, 2, 3])(
    'prints figures and bounds in one unit, the clock, delays up to %i',
    async (d) => {
      for (const line of ['lcr -n 3', 'lcr -n 3 --ids all', 'bully -n 3']) {
        const { out } = await shell('check', ...words(`${line} --worst time --mode clocked:${d}`))
        const [, most] = /elected +\d+ at best, (\d+) at worst/.exec(out)!
        const [, value] = /proven bound: at most .* = (\d+) \(reached\)/.exec(out)!
        expect([line, value]).toEqual([line, most])
      }
    },
  )

  it('has no bounds for models in which none is proven', async () => {
    for (const line of ['bully -n 2 --worst messages --mode untimed', 'lcr -n 2 --losses 1'])
      expect(
        (await worst(`${line}${line.includes('worst') ? '' : ' --worst messages'}`)).bounds,
      ).toEqual([])
  })

  it('says why it is unknown', async () => {
    const { out } = await shell(...words('check lcr -n 4 --worst messages --states 20'))
    expect(out).toContain('unknown because the limit of 20 states was reached')
  })

  it.each([
    ['lcr -n 3 --worst speed', '--worst'],
    ['lcr -n 3 --worst time --order any', 'messages may arrive in any order'],
    ['lcr -n 3 --worst time --crashes 1', 'faults are allowed'],
    // Before anything is searched: not even where the search would end at once.
    ['lcr -n 3 --worst time --order any --states 1', 'messages may arrive in any order'],
    ['lcr -n 3 --worst time --order any --ids all --states 1', 'messages may arrive in any order'],
    ['lcr -n 3 --worst time --losses 1 --states 1', 'faults are allowed'],
  ])('rejects %s in one line', async (line, usageError) => {
    const { code, out, err } = await shell('check', ...words(line))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(usageError)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})
