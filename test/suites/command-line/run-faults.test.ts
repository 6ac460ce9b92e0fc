import { describe, expect, it } from 'vitest'
import { lcr } from '../../../src/algorithms/index.ts'
import { sealed } from '../../../src/core/runtime/sealed/sealed.ts'
import { preparation } from '../../support/random-worlds.ts'
import { shell, shellJson } from '../../support/run-command.ts'

interface Result {
  readonly leader: unknown
  readonly verdict: {
    ok: boolean
    properties: { name: string; holds: boolean | null; detail: string }[]
  }
}

const words = (line: string) => ['run', ...line.split(' ')]

describe('a run in which all nodes crash', () => {
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
    expect(out).toContain('no live node')
  })

  it('is evaluated if one node is left', async () => {
    const { verdict } = await shellJson<Result>(...words('bully -n 3 --wake 0 --crash 1@9,2@9'))
    expect(verdict.ok).toBe(true)
  })
})

describe('a run that does not end', () => {
  it.each([
    ['lcr -n 8 --max-messages 5', 'stopped after 5 messages, the limit of the run'],
    ['lcr -n 8 --until 3', 'stopped after time 3, the limit of the run'],
    ['lcr -n 8 --until 3 --timing sync', 'stopped after round 3, the limit of the run'],
  ])('%s says by what it was stopped', async (line, says) => {
    const { verdict } = await shellJson<Result>(...words(line))
    const open = verdict.properties.filter(({ holds }) => holds === null)
    expect(new Set(open.map(({ detail }) => detail))).toEqual(new Set([says]))
  })

  it('may take as many messages as its bound allows', () => {
    const most = (given: object) =>
      preparation(lcr, { ids: 'random', ...given }).scenario['max-messages']
    expect(most({ n: 10_000 })).toBeGreaterThanOrEqual((10_000 * 10_001) / 2)
    expect(most({ n: 100_000 })).toBeGreaterThan((100_000 * 100_001) / 2)
    // With message loss all messages may be sent several times.
    expect(most({ n: 2000, loss: 0.1 })).toBeGreaterThan(10 * ((2000 * 2001) / 2))
    // Where nothing is proven, and few messages are enough to see it, there is no long wait.
    for (const unproven of [{ loss: 0.1 }, { duplicate: 0.3 }, { 'allow-weaker': true }])
      expect(most({ n: 8, ...unproven })).toBe(10_000_000)
    expect(preparation(sealed(lcr), { n: 8 }).scenario['max-messages']).toBe(10_000_000)
    expect(most({ n: 8, loss: 0.1, 'max-messages': 7 })).toBe(7)
  })
})

describe('to wireless a ring is a network like others', () => {
  /** The same ring, named as one and edge by edge. */
  const both = (line: string, n: number) => {
    const edges = Array.from({ length: n }, (_, i) => `${i}-${(i + 1) % n}`).join()
    return [`wireless -t ring:${n} ${line}`, `wireless -t edges:${edges} ${line}`]
  }

  it.each([
    ['--crash 2@20,6@20', 8, 2],
    ['--crash 1@30,4@30', 6, 2],
    ['--wake 0,2 --crash 2@38.1,1@21 --recover 2@40.1 --seed 43319', 3, 1],
    ['--crash 2@27,1@71.1 --partition 0/1,2@12..37 --seed 370294', 3, 1],
    ['--crash 1@12 --recover 1@30.3 --cut 0-1@5..17 --seed 231249', 3, 1],
  ])('%s', async (line, n, leaders) => {
    for (const one of both(line, n)) {
      const { verdict, leading } = await shellJson<Result & { leading: number[] }>(...words(one))
      expect([verdict.ok, leading.length]).toEqual([true, leaders])
    }
  })
})

describe('an election whose initiators crash', () => {
  it.each([
    'bully --crash 0',
    'ring-list -n 4 --crash 0,1',
    'bully --crash 0@5 --again 50',
    'ring-list -n 4 --crash 0@20 --again 60',
  ])('%s is started by the first live node', async (line) => {
    expect((await shellJson<Result>(...words(line))).verdict.ok).toBe(true)
  })
})

it('a link that fails after the election of a closed ring changes nothing', async () => {
  const line = 'lcr -n 6 --crash 2@3 --cut 0-1@60..70'
  expect((await shellJson<Result>(...words(line))).verdict.ok).toBe(true)
})

it('two leaders at the end of a run are no hand-over', async () => {
  const line = 'wireless --ids 0,1,2,3,4,5,6,7 --crash 3@10 --recover 3@30:id=7'
  const { verdict } = await shellJson<Result>(...words(line))
  expect(verdict.properties.map(({ holds }) => holds)).toEqual([false, false])
})
