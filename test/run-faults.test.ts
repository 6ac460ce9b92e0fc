import { describe, expect, it } from 'vitest'
import { lcr } from '../src/algorithms/index.ts'
import { shell, shellJson } from './shell.ts'
import { preparation } from './worlds.ts'

interface Result {
  readonly leader: unknown
  readonly verdict: {
    ok: boolean
    properties: { name: string; holds: boolean | null; detail: string }[]
  }
}

const words = (line: string) => ['run', ...line.split(' ')]

describe('a run in which everybody dies', () => {
  it.each([
    'lcr -n 3 --crash 0,1,2',
    'bully -n 3 --crash 0@1,1@2,2@3',
    'wireless -n 4 --crash 0@5,1@5,2@5,3@5',
    'singh -n 3 --crash 0,1,2',
    'itai-rodeh -n 1 --crash 0',
  ])('%s decides nothing', async (line) => {
    const { leader, verdict } = await shellJson<Result>(...words(line))
    expect(leader).toBeNull()
    expect(verdict.ok).toBe(false)
    const open = verdict.properties.filter(({ holds }) => holds === null)
    expect(open.map(({ detail }) => detail)).toEqual(['no node is alive to lead or to follow'])
    const { code, out } = await shell(...words(line))
    expect(code).toBe(1)
    expect(out).toContain('nobody is alive')
  })

  it('is judged where one is left', async () => {
    const { verdict } = await shellJson<Result>(...words('bully -n 3 --wake 0 --crash 1@9,2@9'))
    expect(verdict.ok).toBe(true)
  })
})

describe('a run that does not end', () => {
  it.each([
    ['lcr -n 8 --max-messages 5', 'stopped after 5 messages; --max-messages raises it'],
    ['lcr -n 8 --until 3', 'stopped after time 3; --until raises it'],
    ['lcr -n 8 --until 3 --timing sync', 'stopped after round 3; --until raises it'],
  ])('%s says by what it was stopped', async (line, says) => {
    const { verdict } = await shellJson<Result>(...words(line))
    const open = verdict.properties.filter(({ holds }) => holds === null)
    expect(new Set(open.map(({ detail }) => detail))).toEqual(new Set([says]))
  })

  it('may take as many messages as theory lets it', () => {
    const most = (given: object) =>
      preparation(lcr, { ids: 'random', ...given }).scenario['max-messages']
    expect(most({ n: 10_000 })).toBeGreaterThanOrEqual((10_000 * 10_001) / 2)
    expect(most({ n: 100_000 })).toBeGreaterThan((100_000 * 100_001) / 2)
    // Who loses messages may send all of them again a few times.
    expect(most({ n: 2000, loss: 0.1 })).toBeGreaterThan(10 * ((2000 * 2001) / 2))
    // Where nothing is proven, and few messages are enough to see it, there is no long wait.
    for (const unproven of [{ loss: 0.1 }, { duplicate: 0.3 }, { 'allow-weaker': true }])
      expect(most({ n: 8, ...unproven })).toBe(10_000_000)
    expect(most({ n: 8, loss: 0.1, 'max-messages': 7 })).toBe(7)
  })
})
