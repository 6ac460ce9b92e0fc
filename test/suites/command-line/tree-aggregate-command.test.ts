import { describe, expect, it } from 'vitest'
import { waveOrGossip } from '../../../src/algorithms/wave-or-gossip.ts'
import type { Figures } from '../../../src/core/index.ts'
import type { RunResult } from '../../../src/sim/index.ts'
import { shell, shellJson } from '../../support/run-command.ts'

interface Report extends RunResult {
  readonly truth: Figures
  readonly known: Figures | null
  readonly components: { nodes: number; source: object | null; known: Figures; truth: Figures }[]
}

describe('run tree-aggregate', () => {
  const run = (line: string) => shellJson<Report>('run', 'tree-aggregate', ...line.split(' '))

  it('has what is known and what is true, of all and by component', async () => {
    const { truth, known, components } = await run('-t path:4 --values 1,2,4,9 --wake 2')
    const all = { min: 1, max: 9, sum: 16, count: 4, mean: 4, variance: 9.5 }
    expect(truth).toEqual(all)
    expect(known).toEqual(all)
    expect(components).toEqual([{ nodes: 4, source: { node: 2, id: 2 }, known: all, truth: all }])
  })

  it('gives every component its own truth, and no node knows that of all', async () => {
    const line = '-t edges:0-1,2-3,3-4 --values 1,3,5,5,8 --wake 0,4 --ids 5,4,3,2,1'
    const { truth, known, components, leader } = await run(line)
    expect([truth.sum, known, leader]).toEqual([22, null, null])
    expect(components.map(({ known: { sum }, truth: { count } }) => [sum, count])).toEqual([
      [4, 2],
      [18, 3],
    ])
    expect(components.map(({ source }) => source)).toEqual([
      { node: 0, id: 5 },
      { node: 4, id: 1 },
    ])
  })

  it('values are drawn where none are given, and ids still decide', async () => {
    const { scenario, nodes, leader } = (await run('-n 12 --wake all')) as Report & {
      scenario: object
    }
    expect(scenario).toMatchObject({ values: 'uniform:0:1', 'elect-by': 'id' })
    expect(leader?.id).toBe(12)
    expect(nodes!.every(({ value }) => value! >= 0 && value! < 1)).toBe(true)
  })

  it('prints the figures, how far off they are, and the verdict', async () => {
    const { out, code } = await shell(
      ...'run tree-aggregate -t geometric:100:0.2 --values index'.split(' '),
    )
    expect(code).toBe(0)
    expect(out).toMatch(/^ {2}100 nodes +known +truth +off by {2}source id \d+ \(position 0\)$/m)
    // The numbers 0 to 99 add up to 4950, and their variance is (100^2 - 1) / 12.
    expect(out).toMatch(/^ {2}sum +4950 +4950 +0$/m)
    expect(out).toMatch(/^ {2}variance +833.25 +833.25 /m)
    expect(out).toContain('✓ all know the truth')
  })

  it('says when no node knows', async () => {
    const { out, code } = await shell(
      ...'run tree-aggregate -t path:5 --cut 3-4 --loss 1'.split(' '),
    )
    expect(code).toBe(1)
    expect(out).toMatch(/✗ all know the truth: [^✓✗?]* ha(s|ve)\s+no\s+result/)
  })
})

describe('a wave or gossip', () => {
  it('costs what the comparison says', async () => {
    const wave = async (topology: string) =>
      (await shellJson<RunResult>('run', 'tree-aggregate', '-t', topology)).messages.total
    const gossip = async (topology: string, tolerance: string, until: number) => {
      const line = `gossip-average -t ${topology} --timing cycles --until ${until}`
      const words = [...line.split(' '), '--set', `tolerance=${tolerance}`]
      const { time, n } = await shellJson<{ time: { reached: number }; n: number }>('run', ...words)
      return 2 * n * time.reached
    }
    const numbers = [
      await wave('random:1000:0.01'),
      await gossip('random:1000:0.01', '0.01', 60),
      await gossip('random:1000:0.01', '0.000001', 60),
      // 4E - N + 1, which other tests find on any network; two million messages take their time.
      2 * 1000 * 999 - 1000 + 1,
      await gossip('complete:1000', '0.01', 30),
      await gossip('complete:1000', '0.000001', 30),
      await wave('grid:32x32'),
      await gossip('grid:32x32', '0.01', 700),
    ]
    const said = waveOrGossip.says.match(/\d{1,3}(,\d{3})+/g)!.filter((it) => it !== '4,848')
    expect(said).toEqual(numbers.map((number) => number.toLocaleString('en-US')))
  })

  it.each(['tree-aggregate', 'gossip-average'])('is explained by explain %s', async (name) => {
    const { out } = await shell('explain', name)
    expect(out).toMatch(/^A wave or gossip$/m)
    const whole = out.replace(/ \\\n\s+/g, ' ')
    for (const command of waveOrGossip.commands) expect(whole).toContain(`  ${command}\n`)
  })

  it.each(waveOrGossip.commands)('%s', async (command) => {
    expect((await shell(...command.split(' ').slice(1))).code).toBe(0)
  })
})
