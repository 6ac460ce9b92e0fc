import { describe, expect, it } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { traitsOf } from '../../../src/algorithms/traits.ts'
import { sample } from '../../support/campaign.ts'
import { shell, shellJson } from '../../support/run-command.ts'

interface Result {
  readonly bits: number
  readonly leader: null
  readonly messages: { total: number }
  readonly cycles: readonly { alive: number; mean: number; massError: number }[]
}

const run = (line: string) => shellJson<Result>('run', ...line.split(' '))

describe.each(['', ' --timing cycles'])('gossip%s', (timing) => {
  it('has begun with the old values when something happens in the first cycle', async () => {
    const changed = await run(`gossip-average -n 6 --values index;0@1=60 --until 2${timing}`)
    expect(changed.cycles.map(({ mean, massError }) => [mean, massError])).toEqual([
      [2.5, 0],
      [2.5, 0],
      [2.5, 0],
    ])
    const { cycles } = await run(
      `gossip-average -n 6 --values index --crash 2@1 --until 3${timing}`,
    )
    expect(cycles.map(({ alive }) => alive)).toEqual([6, 5, 5, 5])
    expect([cycles[0].mean, cycles[0].massError]).toEqual([2.5, 0])
    // Position 2 takes its 2 along: the other five have 13 where six had 15.
    expect(cycles[3].massError).toBeCloseTo((13 / 5 - 15 / 6) / (15 / 6), 12)
  })

  it('begins no cycle after the limit of messages, which is no violation', async () => {
    const line = `gossip-average -n 100 --max-messages 500${timing}`
    const { messages, cycles } = await run(line)
    expect(messages.total).toBeGreaterThanOrEqual(500)
    expect(messages.total).toBeLessThan(500 + 2 * 2 * 100)
    expect(cycles.length).toBeLessThan(6)
    expect((await shell('run', ...line.split(' '))).code).toBe(0)
  })

  it('reports the bits of its messages, and no leader', async () => {
    const { bits, leader, messages } = await run(`gossip-average -n 10 --until 3${timing}`)
    expect(leader).toBeNull()
    // One of two types, and one real number.
    expect(bits).toBe(65 * messages.total)
  })
})

it.each([
  ['period=1e-15', '"1e-15"'],
  ['tolerance=-2', '"-2"'],
  ['evaporation=-0.5', '"-0.5"'],
])('--set %s is refused as it was given', async (setting, complaint) => {
  const { code, out, err } = await shell('run', 'gossip-average', '-n', '5', '--set', setting)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(complaint)
})

interface Outcome {
  readonly verdict: { readonly ok: boolean; readonly properties: readonly { holds: unknown }[] }
  readonly percolation: { readonly components: number; readonly deadContacts: number }
  readonly cycles: readonly { readonly alive: number; readonly factor: number | null }[]
}

/** The shares in a report, in per cent. */
function sharesIn(text: string): number[] {
  return [...text.matchAll(/([\d.,]+) % of/g)].map(([, share]) => Number(share.replace(',', '')))
}

describe('a gossip whose nodes crash', () => {
  const worlds = aggregations.flatMap(({ name }) =>
    ['cycles', 'async'].flatMap((timing) =>
      ['complete:10', 'ring:10'].map((topology) => [name, timing, topology] as const),
    ),
  )

  it.each(sample(worlds, 6))('%s in %s on %s knows when nobody is left', async (...world) => {
    const [name, timing, topology] = world
    const words = [name, '--timing', timing, '--topology', topology, '--until', '6']
    for (const crash of ['100%@1', '100%@3', '90%@2', '50%@2']) {
      const { code, out, err } = await shell('run', ...words, '--crash', crash)
      // Some exist in one timing alone, or on complete networks.
      if (code === 2) {
        expect(err).toMatch(/timing|topology|needs/)
        continue
      }
      expect(out).not.toMatch(/NaN|Infinity/)
      for (const share of sharesIn(out)) expect(share).toBeLessThanOrEqual(100)
      const json = ['run', ...words, '--crash', crash, '--json']
      const { verdict, percolation, cycles } = JSON.parse((await shell(...json)).out) as Outcome
      const { alive } = cycles[cycles.length - 1]
      expect(percolation.deadContacts).toBeLessThanOrEqual(1)
      if (crash === '90%@2') expect(out).toContain('1 of 10 nodes alive; it has nobody')
      expect([alive === 0, code !== 0 && !verdict.ok]).toEqual(
        crash.startsWith('100') ? [true, true] : [false, !verdict.ok],
      )
      if (alive > 0) continue
      expect(out).toContain('nobody is left: every node has crashed')
      expect(out).not.toContain('✓')
      for (const { holds } of verdict.properties) expect(holds).toBeNull()
    }
  })
})

describe('an election whose nodes all crash', () => {
  const tolerant = catalogue.filter((it) => traitsOf(it).crashes).map(({ name }) => name)

  it.each(sample(tolerant, 2))('of %s decides nothing about those who are left', async (name) => {
    for (const crash of ['100%@0', '100%@2', '100%@40']) {
      const { code, out } = await shell('run', name, '-n', '4', '--crash', crash)
      expect(code).toBe(1)
      expect(out).toMatch(/\? .*: no node is alive/)
      expect(out).not.toMatch(/stable since|nothing is promised/)
    }
  })
})

describe('a run in which nodes retire', () => {
  it('is about the nodes that stand, and says so', async () => {
    const { out, code } = await shell(
      ...['run', 'bully', '-n', '5', '--ids', '1,2,5,3,4', '--retire', '2@10', '--wake', 'all'],
    )
    expect(code).toBe(0)
    expect(out).toContain('✓ all live nodes follow the largest that stands')
    expect(out).not.toContain('follow the largest\n')
    const later = await shell(
      'run',
      'bully',
      '-n',
      '4',
      '--retire',
      '3@10,2@20,1@30,0@40',
      '--json',
    )
    const { verdict, leader } = JSON.parse(later.out)
    // If all have retired, the first of them ranks highest.
    expect([leader.node, verdict.ok]).toEqual([3, true])
    expect(verdict.properties[1].detail).toContain('stands no more')
    const usual = await shell('run', 'bully', '-n', '5', '--crash', '4@10')
    expect(usual.out).toContain('✓ all live nodes follow the largest\n')
  })
})
