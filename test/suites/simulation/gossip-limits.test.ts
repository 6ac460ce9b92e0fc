import { describe, expect, it } from 'vitest'
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
