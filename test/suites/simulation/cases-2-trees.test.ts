import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../src/sim/index.ts'
import { sample } from '../../support/campaign.ts'
import { permutations } from '../../support/oracles.ts'
import { shell } from '../../support/run-command.ts'

/* Figures of independent programs for the elections on trees and hypercubes. */

interface Expected {
  readonly leader?: number
  readonly messages?: Readonly<Record<string, number>>
  readonly round_elected?: number
  readonly round_last?: number | null
  readonly bound_duels?: number
  readonly bound_total?: number
  readonly schedule_independent?: readonly ('leader' | 'messages')[]
  readonly expected_coin_messages?: number
  readonly coin_distribution?: string
  readonly min?: number
  readonly max?: number
  readonly mean?: number
}

interface Case {
  readonly algorithm: string
  readonly input: {
    readonly topology: string
    readonly ids?: readonly number[]
    readonly wake?: string
    readonly starters?: number
    readonly what?: string
  }
  readonly expected: Expected
}

/** All that a case may expect; anything else would go unnoticed. */
const KEYS = [
  ...['leader', 'messages', 'round_elected', 'round_last', 'bound_duels', 'bound_total'],
  ...['schedule_independent', 'expected_coin_messages', 'coin_distribution', 'min', 'max', 'mean'],
]

const cases = ['tree', 'tree-coin', 'hyper-elect'].flatMap((name): Case[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/cases-2/${name}.json`, import.meta.url), 'utf8')),
)

async function run(one: Case, ...flags: string[]): Promise<RunResult> {
  const { topology, ids, wake, starters } = one.input
  const words = [
    ...[one.algorithm, '--topology', topology, '--json'],
    ...(ids ? ['--ids', ids.join()] : []),
    ...['--wake', wake ?? (starters === 1 ? '0' : 'all')],
  ]
  const { out, code } = await shell('run', ...words, ...flags)
  expect(code).toBe(0)
  return JSON.parse(out)
}

/** Counts by type; a type that is not expected counts 0. */
function expectMessages({ messages: { total, byType } }: RunResult, expected: Expected): void {
  const { total: sum = total, ...types } = expected.messages ?? {}
  expect(total).toBe(sum)
  for (const [type, count] of Object.entries(byType))
    if (type !== 'coin') expect(count, type).toBe(types[type] ?? 0)
}

const named = (some: readonly Case[]) =>
  some.map((one) => [`${one.algorithm} ${JSON.stringify(one.input).slice(0, 80)}`, one] as const)

describe('figures of independent programs', () => {
  it('of all three, and nothing of them is left out', () => {
    expect(cases.length).toBe(18)
    for (const { expected } of cases)
      for (const key of Object.keys(expected)) expect(KEYS).toContain(key)
  })

  const runs = cases.filter(({ input, expected }) => input.what === undefined && expected.leader)
  it.each(named(sample(runs, 2)))('%s', async (_, one) => {
    const { expected } = one
    const result = await run(one, '--timing', 'sync')
    expect(result.leader?.id).toBe(expected.leader)
    expectMessages(result, expected)
    expect(result.time.elected).toBe(expected.round_elected)
    expect(result.time.last).toBe(expected.round_last)
    if (expected.bound_duels !== undefined) {
      const bound = result.bounds.find(({ of }) => of === 'messages')!.value
      expect(bound).toBe(expected.bound_duels)
      expect(bound + result.n - 1).toBe(expected.bound_total)
    }
    if (expected.schedule_independent === undefined) return
    expect(expected.schedule_independent).toEqual(['leader', 'messages'])
    for (const order of ['fifo', 'any'])
      for (const seed of ['1', '2', '3']) {
        const flags = ['--delay', 'uniform:1:10', '--order', order, '--seed', seed]
        const other = await run(one, ...flags)
        expect(other.leader?.id).toBe(expected.leader)
        expectMessages(other, expected)
      }
  })

  const tossed = cases.filter(({ algorithm }) => algorithm === 'tree-coin')
  it.each(named(sample(tossed, 3)))('%s', async (_, one) => {
    const { expected } = one
    expect(expected.coin_distribution).toBe('P(2j coins) = 2^-j, j >= 1')
    const runs = 400
    const counts = new Map<number, number>()
    for (let seed = 1; seed <= runs; seed++) {
      const result = await run(one, '--seed', String(seed))
      expectMessages(result, expected)
      const { coin } = result.messages.byType
      counts.set(coin, (counts.get(coin) ?? 0) + 1)
    }
    expect([...counts.keys()].every((coins) => coins >= 2 && coins % 2 === 0)).toBe(true)
    // Five standard deviations: those of a count, and that of 2j is sqrt(8).
    for (const j of [1, 2, 3]) {
      const deviation = Math.sqrt(runs * 2 ** -j * (1 - 2 ** -j))
      expect(Math.abs((counts.get(2 * j) ?? 0) - runs * 2 ** -j)).toBeLessThan(5 * deviation)
    }
    const mean = [...counts].reduce((sum, [coins, times]) => sum + coins * times, 0) / runs
    const error = Math.abs(mean - expected.expected_coin_messages!)
    expect(error).toBeLessThan(5 * Math.sqrt(8 / runs))
  })

  const all = cases.filter(({ input }) => input.what === 'duel messages over all arrangements')
  it.each(named(sample(all, 2)))('%s', async (_, one) => {
    const { topology } = one.input
    const n = 2 ** Number(topology.split(':')[1])
    const counts: number[] = []
    for (const ids of permutations(n)) {
      const { messages } = await run({ ...one, input: { topology, ids } })
      counts.push(messages.byType.duel)
    }
    const mean = counts.reduce((a, b) => a + b) / counts.length
    expect({ min: Math.min(...counts), max: Math.max(...counts), mean }).toEqual(one.expected)
  })

  it('every case is in one of these groups', () => {
    expect(runs.length + tossed.length + all.length).toBe(cases.length)
  })
})
