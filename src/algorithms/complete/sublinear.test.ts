import { describe, expect, it } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import { simulate } from '../../../test/support/random-worlds.ts'
import { expectUsageError, shell, shellJson } from '../../../test/support/run-command.ts'
import type { Algorithm } from '../../core/index.ts'
import { candidacy, referees, sublinear } from './sublinear.ts'

const RUNS = process.env.LONG_TESTS ? 4000 : 1000

const facts = (n: number) => ({ n }) as Parameters<NonNullable<typeof sublinear.theory.fails>>[0]
const chance = (n: number) => sublinear.theory.fails!(facts(n))

/** Runs with the seeds 1 to `runs`. */
function runs(count: number, given: Parameters<typeof simulate>[1], what: Algorithm = sublinear) {
  return Array.from({ length: count }, (_, i) => simulate(what, { ...given, seed: i + 1 }))
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

/** Whether a count of independent runs is near what a probability says: four deviations. */
function near(count: number, total: number, p: number): boolean {
  return Math.abs(count - total * p) <= 4 * Math.sqrt(total * p * (1 - p)) + 1
}

describe('sublinear', () => {
  it('sends exactly 2 r messages for each candidate, and elects in round 3', () => {
    for (const n of [2, 3, 5, 12, 13, 30, 64, 200])
      for (const { messages, nodes, leaders, time, bounds } of runs(20, { n })) {
        const candidates = nodes!.filter(({ state }) => state.rank !== null).length
        const r = Math.min(n - 1, Math.ceil(2 * Math.sqrt(n * Math.log(n))))
        const { candidate, best, leader } = messages.byType
        expect({ candidate, best, leader }).toEqual({
          ...{ candidate: r * candidates, best: r * candidates, leader: 0 },
        })
        expect(time.elected).toBe(leaders.length === 0 ? null : 3)
        expect(leaders.length > 0).toBe(candidates > 0)
        expect(bounds.every(({ within }) => within)).toBe(true)
      }
  })

  it('asks distinct random referees, all equally often', () => {
    const times = new Array<number>(30).fill(0)
    const all = runs(400, { n: 30 })
    for (const { nodes } of all)
      for (const { node, state } of nodes!) {
        const askers = state.askers as number[]
        expect(new Set(askers).size).toBe(askers.length)
        times[node] += askers.length
      }
    const [least, most] = [Math.min(...times), Math.max(...times)]
    expect(most / least).toBeLessThan(1.3)
    expect(referees(30)).toBe(21)
  })

  it('has its expected number of messages', () => {
    for (const [n, expected] of [
      [64, 549],
      [1024, 4686],
    ] as const) {
      const totals = runs(n === 64 ? 400 : 60, { n }).map(({ messages }) => messages.total)
      const p = candidacy(n)
      const deviation = 2 * referees(n) * Math.sqrt((n * p * (1 - p)) / totals.length)
      expect(Math.round(2 * referees(n) * n * p)).toBe(expected)
      expect(Math.abs(sum(totals) / totals.length - expected)).toBeLessThan(4 * deviation)
    }
  })

  it.each(sample([2, 3, 4, 8], 2))('fails as often as stated, n = %i', (n) => {
    const results = runs(RUNS, { n })
    const failed = results.filter(({ leaders }) => leaders.length !== 1)
    expect(near(failed.length, RUNS, chance(n))).toBe(true)
    for (const { failure, leaders, verdict } of results) {
      expect(failure).toEqual({ failed: leaders.length !== 1, chance: chance(n) })
      expect(verdict.ok).toBe(leaders.length === 1)
    }
  })

  it('states the chance that follows from all choices of two nodes', () => {
    const p = Math.log(2)
    expect(chance(1)).toBe(0)
    expect(chance(2)).toBeCloseTo((1 - p) ** 2 + p ** 2 / 16, 12)
    // Three nodes: two tie with 1/81; of three the largest is tied in 161 of 6,561 cases.
    const q = candidacy(3)
    const three = (1 - q) ** 3 + (3 * q ** 2 * (1 - q)) / 81
    const tied = 1 - (81 * 80 * 161) / 2 / 81 ** 3
    expect(chance(3)).toBeCloseTo(three + q ** 3 * tied, 9)
    expect(chance(64)).toBeCloseTo(1.35e-4, 6)
  })

  it('leads alone, without a message; and tells the others if asked', () => {
    const alone = simulate(sublinear, { n: 1 })
    expect(alone).toMatchObject({ leaders: [0], messages: { total: 0 }, time: { elected: 1 } })
    const { messages, verdict, time } = simulate(sublinear, { n: 64, set: 'announce=on' })
    expect(messages.byType.leader).toBe(63)
    expect(time).toMatchObject({ elected: 3, last: 4 })
    const names = verdict.properties.map(({ name }) => name)
    expect(names).toContain('the others know the leader')
    const implicit = simulate(sublinear, { n: 64 }).verdict.properties.map(({ name }) => name)
    expect(implicit).not.toContain('the others know the leader')
    expect(implicit).toContain('the others know they lost')
  })

  it('elects both of two nodes in almost half of the runs if referees forget their rank', () => {
    const { start, ...rest } = sublinear
    const forgetful: Algorithm = {
      ...rest,
      start(my, net) {
        start(my, net)
        my.best = null
      },
    }
    const both = runs(RUNS, { n: 2 }, forgetful).filter(({ leaders }) => leaders.length === 2)
    expect(near(both.length, RUNS, Math.log(2) ** 2)).toBe(true)
  })

  it('reports a failure with its chance, and ends with 1', async () => {
    const results = runs(40, { n: 2 })
    const seed = 1 + results.findIndex(({ leaders }) => leaders.length === 0)
    const { code, out } = await shell('run', 'sublinear', '-n', '2', '--seed', `${seed}`)
    expect(code).toBe(1)
    expect(out).toContain('failed, chance 0.124')
    const words = ['run', 'sublinear', '-n', '2', '--coins']
    const { leaders } = await shellJson<{ leaders: number[] }>(...words, '0:1,3,2;1:1,3,2')
    expect(leaders).toEqual([0, 1])
    const larger = await shellJson<{ leaders: number[] }>(...words, '0:1,3,2;1:1,3,3')
    expect(larger.leaders).toEqual([1])
  })

  it('is compared with its chance by experiments', async () => {
    const { code, out } = await shell(
      ...['experiment', 'sublinear', '--sweep', 'n=2,3', '--repeat', '100', '--threads', '1'],
    )
    expect(out).toContain('runs fail as often as stated')
    expect(code).toBe(0)
  })

  it('needs rounds; what holds in every run is explored', async () => {
    const words = ['run', 'sublinear', '-n', '4', '--timing', 'async']
    await expectUsageError(words, '--timing', 'synchronous rounds')
    const report = await shellJson<object>('check', 'sublinear', '-n', '2')
    expect(report).toMatchObject({ exhausted: true, violated: null })
  })

  it('ignores answers to what a node asked before it crashed', async () => {
    const crash = '0@12,2@4,3@19,4@18,6@11,7@12,9@15,10@5'
    const recover = '2@32,4@46,9@20,10@21'
    const { code, out, err } = await shell(
      ...['run', 'sublinear', '-n', '11', '--seed', '444719', '--step'],
      ...['--crash', crash, '--recover', recover],
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('✓ no two leaders that reach each other')
    const faults = ['--crashes', '1', '--recoveries', '1', '--states', '20000']
    expect(await shell('check', 'sublinear', '-n', '2', ...faults)).toMatchObject({ err: '' })
  })

  it('with slow messages referees answer too early', () => {
    const given = { n: 8, timing: 'async', delay: 'uniform:1:9', 'allow-weaker': true }
    expect(runs(30, given).some(({ leaders }) => leaders.length > 1)).toBe(true)
  })
})
