import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { winner } from '../../support/random-worlds.ts'
import { shell, shellJson } from '../../support/run-command.ts'

const NAMES = catalogue.map(({ name }) => name)

interface Result {
  readonly scenario: Record<string, unknown>
  readonly n: number
  readonly leader: { node: number; id: number } | null
  readonly leaders: number[]
  readonly messages: Record<'total' | 'toDead' | 'lost' | 'duplicated', number> & {
    byType: Record<string, number>
  }
  readonly time: { unit: string; elected: number | null; last: number | null }
  readonly verdict: { ok: boolean; properties: { name: string; holds: boolean | null }[] }
  readonly bounds: Record<string, unknown>[]
  readonly nodes?: { id: number; status: string; sent?: number; received?: number }[]
  readonly traffic?: { from: number; to: number; messages: number }[]
  readonly symmetry?: unknown[]
  readonly tree?: { links: number; weight?: number; edges?: number[][] }
  readonly speed: { cpuMs: number; messagesPerSecond: number }
}

const run = (line: string) => shellJson<Result>('run', ...line.split(' '))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('names nodes by their ids as they were given', async () => {
  const { out } = await shell('run', 'lcr', '--ids', '5,123456,7')
  expect(out).toContain('id 123456 is leader (position 1)')
})

describe('run --json', () => {
  it('has the fields of the contract, in one line', async () => {
    const { out } = await shell('run', 'lcr', '-n', '3', '--json')
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    const result: Result = JSON.parse(out)
    const heads = ['scenario', 'n', 'links', 'leader', 'leaders', 'leading']
    const keys = [...heads, 'messages', 'bits', 'time']
    expect(Object.keys(result)).toEqual([...keys, 'verdict', 'bounds', 'nodes', 'speed'])
    const counts = ['total', 'byType', 'toDead', 'lost', 'duplicated']
    expect(Object.keys(result.messages)).toEqual(counts)
    expect(Object.keys(result.time)).toEqual(['unit', 'elected', 'last'])
    expect(Object.keys(result.verdict)).toEqual(['ok', 'properties'])
    for (const property of result.verdict.properties) {
      expect(Object.keys(property)).toEqual(['name', 'holds', 'detail'])
    }
    for (const bound of result.bounds) {
      expect(Object.keys(bound)).toEqual(['of', 'formula', 'value', 'measured', 'within'])
    }
    for (const node of result.nodes!) {
      expect(Object.keys(node)).toEqual(['node', 'id', 'status', 'leader', 'state'])
    }
    expect(Object.keys(result.speed)).toEqual(['cpuMs', 'messagesPerSecond'])
  })

  it('tells the tree where one is built, and leaves out a long one unless asked', async () => {
    const diamond = 'ghs -t edges:0-1,0-2,1-2,1-3,2-3 --weights 4,1,3,2,5'.split(' ')
    const edges = [
      [0, 2, 1],
      [1, 2, 3],
      [1, 3, 2],
    ]
    expect(await shellJson('run', ...diamond)).toMatchObject({
      tree: { links: 3, weight: 6, edges },
    })
    const { out } = await shell('run', ...diamond)
    expect(out).toContain('tree: 3 edges of total weight 6\n  0-2 (1), 1-2 (3), 1-3 (2)\n')
    const path = ['ghs', '-t', 'path:1200', '--weights', 'random']
    const weight = (1199 * 1200) / 2
    const { tree } = await shellJson<Result>('run', ...path)
    expect(tree).toEqual({ links: 1199, weight })
    const short = (await shell('run', ...path)).out
    expect(short).toContain('tree: 1,199 edges of total weight 719,400\n  1,199 listed with')
    const listed = (await shell('run', ...path, '--nodes')).out
    for (const edge of ['0-1 (', '598-599 (', '1198-1199 (']) expect(listed).toContain(edge)
    expect((await shell('run', 'ghs', '-t', 'path:40')).out).toContain('7 more with --nodes')
  })

  it('gives the figures of the contract', async () => {
    expect(await run('hirschberg-sinclair --ids 3,2,7,8,5,4,1,6 --timing sync')).toMatchObject({
      n: 8,
      links: 8,
      leader: { node: 3, id: 8 },
      leaders: [3],
      messages: { total: 87, byType: { probe: 55, reply: 24, leader: 8 } },
      bits: 739,
      time: { unit: 'round', elected: 23, last: 31 },
      verdict: { ok: true },
      bounds: [{ of: 'messages', formula: '8n ceil(log2 n) + 4n', value: 224, within: true }, {}],
    })
  })

  it('writes every default out', async () => {
    expect((await run('lcr')).scenario).toEqual({
      algorithm: 'lcr',
      topology: 'ring:8',
      ids: 'random',
      timing: 'async',
      delay: 'unit',
      order: 'fifo',
      wake: 'all',
      crash: 'none',
      recover: 'none',
      retire: 'none',
      detect: 1,
      suspect: 'none',
      loss: 0,
      duplicate: 0,
      partition: 'none',
      cut: 'none',
      tamper: 'none',
      again: 'never',
      mobility: 0,
      'elect-by': 'id',
      set: {},
      until: Number.MAX_SAFE_INTEGER,
      'max-messages': 100_000_000,
      seed: 1,
      'allow-weaker': false,
    })
    expect((await run('slow-fast')).scenario).not.toHaveProperty('delay')
    expect((await run('slow-fast')).scenario).toMatchObject({ timing: 'sync' })
    expect((await run('lcr --ids same')).scenario).toMatchObject({ timing: 'sync' })
  })

  it.each([
    'lcr --ids 5,9,2 --wake 1 --crash 2@4',
    'peterson -n 9 --delay uniform:2:5 --seed 4 --order any --allow-weaker',
    'slow-fast -n 6 --wake 0@3,4@1 --until 50',
  ])('can be replayed from its scenario: %s', async (line) => {
    const { speed: _, ...result } = await run(line)
    const path = join(folder, 'again.json')
    writeFileSync(path, JSON.stringify(result.scenario))
    const { speed: __, ...again } = await run(path)
    expect(again).toEqual(result)
  })

  it('leaves nodes out above a thousand, unless they are asked for', async () => {
    expect((await run('lcr -n 1000')).nodes).toHaveLength(1000)
    expect((await run('lcr -n 1001')).nodes).toBeUndefined()
    expect((await run('lcr -n 1001 --nodes')).nodes).toHaveLength(1001)
  })
})

describe('scenario files', () => {
  const written = (name: string, document: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(document))
    return join(folder, name)
  }

  it('give one JSON line each, in their order', async () => {
    const names = ['lcr', 'peterson', 'time-slice']
    const files = names.map((algorithm) => written(`${algorithm}.json`, { algorithm, n: 4 }))
    const { code, out } = await shell('run', ...files, '--json')
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(code).toBe(0)
    expect(lines.map(({ scenario }) => scenario.algorithm)).toEqual(names)
  })

  it('that fail make the exit code 1, and the others still run', async () => {
    const files = ['same', 'random'].map((ids) => written(`${ids}.json`, { algorithm: 'lcr', ids }))
    const { code, out } = await shell('run', ...files, '--json')
    expect(code).toBe(1)
    expect(out.trimEnd().split('\n')).toHaveLength(2)
  })

  it('say the same as flags, as texts and as JSON values', async () => {
    const flags = await run('lcr --ids 3,1,2 --wake 0,2 --seed 9 --until 40')
    const texts = { ids: '3,1,2', wake: '0,2', seed: '9', until: '40' }
    const values = { ids: [3, 1, 2], wake: '0,2', seed: 9, until: 40 }
    for (const document of [texts, values]) {
      const { scenario, messages } = await run(
        written('both.json', { algorithm: 'lcr', ...document }),
      )
      expect({ scenario, messages }).toEqual({ scenario: flags.scenario, messages: flags.messages })
    }
  })

  it('give way to flags', async () => {
    const file = written('weak.json', { algorithm: 'lcr', n: 5, seed: 3, timing: 'sync' })
    const { scenario } = await run(`${file} -n 7 --seed 4`)
    expect(scenario).toMatchObject({ topology: 'ring:7', seed: 4, timing: 'sync' })
  })
})

describe('--nodes', () => {
  it('adds counts per node and link that add up', async () => {
    const { nodes, traffic, messages } = await run('hirschberg-sinclair -n 7 --nodes')
    const sum = (numbers: (number | undefined)[]) => numbers.reduce<number>((a, b) => a + b!, 0)
    expect(sum(nodes!.map(({ sent }) => sent))).toBe(messages.total)
    expect(sum(nodes!.map(({ received }) => received))).toBe(messages.total)
    expect(sum(traffic!.map((link) => link.messages))).toBe(messages.total)
    for (const { from, to } of traffic!) expect([1, 6]).toContain((to - from + 7) % 7)
  })

  it('does not count messages to crashed nodes', async () => {
    const { nodes, messages } = await run('lcr --ids 1,2,3,4 --crash 2 --detect off --nodes')
    expect(messages.toDead).toBe(2)
    const received = nodes!.reduce((sum, node) => sum + node.received!, 0)
    expect(received).toBe(messages.total - 2)
    expect(nodes![2]).toMatchObject({ status: 'dead', sent: 0, received: 0 })
  })

  it('lists them for people', async () => {
    const { out } = await shell('run', 'lcr', '--ids', '2,1', '--nodes')
    expect(out).toMatch(/position +id +status +leader +sent +received\n +0 +2 +leader +2 +2 +3\n/)
  })
})

describe('limits', () => {
  const holds = ({ verdict }: Result) => verdict.properties.map((property) => property.holds)

  it.each(['--until 3', '--max-messages 12'])('%s leaves the end undecided', async (limit) => {
    const line = `lcr --ids 8,7,6,5,4,3,2,1 ${limit}`
    const { code, out } = await shell('run', ...line.split(' '), '--json')
    expect(code).toBe(1)
    expect(holds(JSON.parse(out))).toEqual([true, true, null, null, null, null, null, null])
    expect(JSON.parse(out).verdict.ok).toBe(false)
  })

  it('are not hit by a run that ends exactly there', async () => {
    const line = 'lcr --ids 8,7,6,5,4,3,2,1 --timing sync'
    const { messages, time } = await run(line)
    expect((await run(`${line} --max-messages ${messages.total}`)).verdict.ok).toBe(true)
    expect((await run(`${line} --until ${time.last}`)).verdict.ok).toBe(true)
    const short = await run(`${line} --max-messages ${messages.total - 1}`)
    expect(short.messages.total).toBe(messages.total - 1)
    expect(short.verdict.ok).toBe(false)
    expect((await run(`${line} --until ${time.last! - 1}`)).time.last).toBe(time.last! - 1)
  })

  it('of check are said in the first line, with exit code 3', async () => {
    const { code, out } = await shell('check', 'lcr', '-n', '5', '--states', '20')
    expect(code).toBe(3)
    expect(out.split('\n')[0]).toMatch(/^Not exhausted: /)
    expect(out).toContain('undecided (exit code 3)')
    const document = JSON.parse((await shell('check', 'lcr', '--states', '20', '--json')).out)
    expect(document).toMatchObject({ exhausted: false, violated: null, holds: null })
    const reason = 'not decided because the limit of 20 states was reached'
    const open = document.properties.map(({ name }: { name: string }) => ({
      property: name,
      reason,
    }))
    expect(document.undecided).toEqual(open)
  })

  it.each([
    ['lcr -n 3', 0, true],
    ['lcr -n 3 --ids all', 0, true],
    ['lcr -n 3 --losses 1', 1, false],
    ['lcr -n 3 --ids all --states 9', 3, null],
    ['lcr -n 4 --states 9 --walk 3', 3, null],
    ['lcr -n 12 --ids decreasing --reduction off --seconds 0.01', 3, null],
    ['lcr -n 3 --role a --role b', 0, true],
    ['lcr -n 3 --role a --role b=peterson --states 15', 3, null],
    ['lcr -n 3 --losses 1 --role a --role b', 1, false],
    // Explored whole, but only for runs with few random choices.
    ['itai-rodeh -n 2 --draws 2', 3, null],
    ['itai-rodeh -n 1 --draws 2', 0, true],
  ])('of check %s: exit code %d', async (line, expected, holds) => {
    const { code, out } = await shell('check', ...line.split(' '), '--json')
    const document = JSON.parse(out)
    expect([code, document.holds]).toEqual([expected, holds])
    expect(document.undecided?.length > 0).toBe(holds === null)
    const { out: text } = await shell('check', ...line.split(' '))
    expect(text.includes('undecided (exit code 3)')).toBe(holds === null)
  })
})

describe('crashes', () => {
  it('of a node that is not needed do no harm: verdicts are those with faults', async () => {
    const { verdict } = await run('lcr -n 1 --crash 0')
    expect(verdict.properties.map(({ name }) => name)).toEqual([
      'no two leaders that reach each other',
      'all live nodes follow the largest',
    ])
  })

  it('without notice break a ring: no node is elected, exit code 1', async () => {
    const line = 'run lcr --crash 3 --detect off --json'
    const { code, out } = await shell(...line.split(' '))
    const { leader, verdict, bounds, nodes } = JSON.parse(out) as Result
    expect({ code, leader, ok: verdict.ok, bounds }).toEqual({
      code: 1,
      leader: null,
      ok: false,
      bounds: [],
    })
    expect(nodes![3].status).toBe('dead')
    expect(verdict.properties.map(({ holds }) => holds)).toEqual([true, false])
  })

  it('after the election leave a leader that all follow', async () => {
    const { verdict, leader } = await run('lcr --ids 1,2,3,4 --crash 0@100')
    expect({ ok: verdict.ok, leader }).toEqual({ ok: true, leader: { node: 3, id: 4 } })
  })

  it('of the leader leave none without notice, else the next largest', async () => {
    const line = 'lcr --ids 1,2,3,4 --crash 3@100'
    const untold = await run(`${line} --detect off`)
    expect(untold).toMatchObject({ verdict: { ok: false }, leader: null, leaders: [3] })
    expect(await run(line)).toMatchObject({ verdict: { ok: true }, leaders: [3, 2] })
  })

  it('from the start close the ring before anything is sent', async () => {
    const { verdict, leader, messages } = await run('lcr --ids 1,2,3,4 --crash 3')
    expect({ ok: verdict.ok, id: leader?.id, toDead: messages.toDead }).toEqual({
      ok: true,
      id: 3,
      toDead: 0,
    })
  })
})

describe('the smallest networks', () => {
  it.each(NAMES)('%s elects on one node and on two', async (name) => {
    for (const ids of ['5', '0', '4,9', '9,4', '0,1']) {
      const numbers = ids.split(',').map(Number)
      const { verdict, leader, n } = await run(`${name} --ids ${ids}`)
      const algorithm = catalogue.find((it) => it.name === name)!
      const starters = algorithm.starters === 'first' ? [0] : numbers.keys()
      const id = winner(algorithm, numbers, starters) ?? leader!.id
      const node = id === null ? leader!.node : numbers.indexOf(id)
      expect({ ok: verdict.ok, leader }).toEqual({ ok: true, leader: { node, id } })
      expect(n).toBe(numbers.length)
    }
  })
})

describe('equal ids', () => {
  const rings = catalogue.filter(({ needs }) => needs.topology === 'ring' && needs.ids)

  const names = rings.map(({ name }) => name)

  it.each(names)('%s: all lead or none, and all states stay equal', async (name) => {
    const { leaders, symmetry, verdict } = await run(`${name} -n 5 --ids same`)
    expect([0, 5]).toContain(new Set(leaders).size)
    expect(symmetry!.length).toBeGreaterThan(1)
    expect(symmetry!.map((round) => (round as { distinctStates: number }).distinctStates)).toEqual(
      symmetry!.map(() => 1),
    )
    expect(verdict.ok).toBe(false)
  })
})
