import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../src/algorithms/index.ts'
import { main } from '../src/cli/main.ts'
import { shell, shellJson } from './shell.ts'

const PROGRAM = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const COMMANDS = ['list', 'explain', 'run', 'check', 'node', 'cluster', 'tour']
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
  readonly speed: { cpuMs: number; messagesPerSecond: number }
}

const run = (line: string) => shellJson<Result>('run', ...line.split(' '))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('help', () => {
  it.each(COMMANDS)('of %s has a usage, an example and no error', async (command) => {
    const { code, out, err } = await shell(command, '--help')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`Usage: conclave ${command}`)
    expect(out).toMatch(new RegExp(`Examples?.*:\n  conclave ${command}`))
  })

  it('is what conclave alone prints, with every command', async () => {
    const { code, out, err } = await shell()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe((await shell('--help')).out)
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'))
    expect(out).toContain('Exit codes: 0')
  })
})

describe('list and explain', () => {
  it('list names every algorithm with network, model and cost', async () => {
    const { code, out } = await shell('list')
    expect(code).toBe(0)
    expect(out.split('\n').filter((line) => line !== '')).toHaveLength(1 + NAMES.length)
    const entries = JSON.parse((await shell('list', '--json')).out)
    expect(entries.map(({ name }: { name: string }) => name)).toEqual(NAMES)
    for (const entry of entries) {
      expect(Object.keys(entry)).toEqual(['name', 'network', 'model', 'cost'])
    }
  })

  it.each(catalogue)('explain $name tells all that is known', async ({ name, theory, kinds }) => {
    const { code, out } = await shell('explain', name)
    expect(code).toBe(0)
    for (const title of ['Idea', 'Assumes', 'Cost', 'Messages', 'What breaks it', 'Try']) {
      expect(out).toMatch(new RegExp(`^${title}$`, 'm'))
    }
    for (const kind of kinds) expect(out).toMatch(new RegExp(`^ {2}${kind.name} `, 'm'))
    for (const { formula } of theory.bounds) expect(out).toContain(formula)
    const document = JSON.parse((await shell('explain', name, '--json')).out)
    expect(document).toMatchObject({ name, idea: theory.idea, breaks: theory.breaks })
  })

  it.each(catalogue)('the example of $name runs', async ({ name, theory }) => {
    const [program, ...words] = theory.example.split(' ')
    expect([program, words[1]]).toEqual(['conclave', name])
    expect((await shell(...words)).code).toBe(0)
  })
})

describe('run --json', () => {
  it('has the fields of the contract, in one line', async () => {
    const { out } = await shell('run', 'lcr', '-n', '3', '--json')
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    const result: Result = JSON.parse(out)
    const keys = ['scenario', 'n', 'links', 'leader', 'leaders', 'messages', 'bits', 'time']
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

describe('files that are written', () => {
  it('--trace has the scenario and every event as JSON lines', async () => {
    const path = join(folder, 'run.jsonl')
    const { messages, scenario } = await run(`lcr -n 6 --wake 0,3 --trace ${path}`)
    const text = readFileSync(path, 'utf8')
    const [first, ...events] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(text.endsWith('\n')).toBe(true)
    expect(first).toEqual({ event: 'scenario', scenario })
    const count = (event: string) => events.filter((one) => one.event === event).length
    expect(count('wake')).toBe(2)
    expect(count('send')).toBe(messages.total)
    expect(count('receive')).toBe(messages.total)
    expect(count('lead')).toBe(1)
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b))
  })

  it('--svg is a picture of the run', async () => {
    const path = join(folder, 'run.svg')
    await run(`peterson --ids 11,33,22 --svg ${path}`)
    const picture = readFileSync(path, 'utf8')
    expect(picture).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/)
    expect(picture.trimEnd().endsWith('</svg>')).toBe(true)
    for (const word of ['peterson on ring:3', 'leader 33', 'p0(11)']) {
      expect(picture).toContain(word)
    }
  })

  it('replace what was there and leave nothing beside it', async () => {
    const place = mkdtempSync(join(folder, 'place-'))
    const path = join(place, 'run.jsonl')
    writeFileSync(path, 'old')
    await run(`lcr -n 2 --trace ${path} --svg ${join(place, 'run.svg')}`)
    expect(readFileSync(path, 'utf8')).not.toContain('old')
    expect(readdirSync(place).toSorted()).toEqual(['run.jsonl', 'run.svg'])
  })

  it('--trace - is a transcript before the report', async () => {
    const { out } = await shell('run', 'lcr', '--ids', '1,2', '--trace', '-')
    expect(out).toMatch(/^time 0 +p0\(1\) wakes, sends election\(id 1\) to p1\(2\)\n/)
    expect(out.indexOf('p1(2) wakes')).toBeLessThan(out.indexOf('id 2 leads'))
  })

  it('a counterexample of check is written, if there is one', async () => {
    const place = mkdtempSync(join(folder, 'check-'))
    const files = ['--svg', join(place, 'way.svg'), '--trace', join(place, 'way.jsonl')]
    expect((await shell('check', 'lcr', '-n', '2', ...files)).code).toBe(0)
    expect(readdirSync(place)).toEqual([])
    const broken = ['check', 'lcr', '-n', '2', '--ids', 'same', ...files]
    expect((await shell(...broken)).code).toBe(1)
    const steps = readFileSync(join(place, 'way.jsonl'), 'utf8').trimEnd().split('\n')
    expect(steps.every((step) => typeof JSON.parse(step).text === 'string')).toBe(true)
    expect(readFileSync(join(place, 'way.svg'), 'utf8')).toContain('&quot;at most one leader&quot;')
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

  it('does not count receipts of the dead', async () => {
    const { nodes, messages } = await run('lcr --ids 1,2,3,4 --crash 2 --nodes')
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
    expect(holds(JSON.parse(out))).toEqual([true, true, null, null, null, null, null])
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

  it('of check are said in the first line, with exit code 0', async () => {
    const { code, out } = await shell('check', 'lcr', '-n', '5', '--states', '20')
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toMatch(/^Not exhausted: /)
    const document = JSON.parse((await shell('check', 'lcr', '--states', '20', '--json')).out)
    expect(document).toMatchObject({ exhausted: false, violated: null })
    expect(document.properties.map((one: { holds: unknown }) => one.holds)).toContain(null)
  })
})

describe('crashes', () => {
  it('of a node that nobody needs do no harm: verdicts are those with faults', async () => {
    const { verdict } = await run('lcr -n 1 --crash 0')
    expect(verdict.properties.map(({ name }) => name)).toEqual([
      'no two live leaders',
      'all live nodes follow the largest',
    ])
  })

  it('break a ring: nobody is elected, exit code 1', async () => {
    const { code, out } = await shell('run', 'lcr', '--crash', '3', '--json')
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

  it('of the leader leave none', async () => {
    const { verdict, leader, leaders } = await run('lcr --ids 1,2,3,4 --crash 3@100')
    expect({ ok: verdict.ok, leader, leaders }).toEqual({ ok: false, leader: null, leaders: [3] })
  })
})

describe('the smallest rings', () => {
  it.each(NAMES)('%s elects on one node and on two', async (name) => {
    for (const ids of ['5', '0', '4,9', '9,4', '0,1']) {
      const numbers = ids.split(',').map(Number)
      const smallest = ['time-slice', 'slow-fast'].includes(name)
      const id = smallest ? Math.min(...numbers) : Math.max(...numbers)
      const { verdict, leader, n } = await run(`${name} --ids ${ids}`)
      expect({ ok: verdict.ok, leader }).toEqual({
        ok: true,
        leader: { node: numbers.indexOf(id), id },
      })
      expect(n).toBe(numbers.length)
    }
  })
})

describe('equal ids', () => {
  it.each(NAMES)('%s: all lead or none, and all states stay equal', async (name) => {
    const { leaders, symmetry, verdict } = await run(`${name} -n 5 --ids same`)
    expect([0, 5]).toContain(new Set(leaders).size)
    expect(symmetry!.length).toBeGreaterThan(1)
    expect(symmetry!.map((round) => (round as { distinctStates: number }).distinctStates)).toEqual(
      symmetry!.map(() => 1),
    )
    expect(verdict.ok).toBe(false)
  })
})

describe('what people see', () => {
  const printed = async (colours: boolean, ...words: string[]) => {
    let text = ''
    const out = (more: string) => {
      text += more
    }
    await main(words, { out, err: out, colours, progress: false })
    return text
  }

  it.each(['run lcr -n 4', 'check lcr -n 2', 'list', 'explain lcr', 'tour'])(
    '%s has colours on a terminal and nowhere else',
    async (line) => {
      const words = line.split(' ')
      const plain = (await printed(false, ...words)).replace(/[\d.,]+ ms/, '')
      const coloured = (await printed(true, ...words)).replace(/[\d.,]+ ms/, '')
      expect(plain).not.toContain('\x1b')
      expect(coloured).toContain('\x1b[')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
      expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(plain)
    },
  )

  it('a failure comes with the command that shows it again', async () => {
    const { out } = await shell('run', 'lcr', '-n', '4', '--crash', '1', '--seed', '7')
    expect(out).toMatch(/^ {2}again: conclave run lcr -n 4 --crash 1 --seed 7$/m)
  })

  it('the tour runs three elections', async () => {
    const { code, out } = await shell('tour')
    expect(code).toBe(0)
    expect(out.match(/^\$ conclave run/gm)).toHaveLength(3)
  })
})

describe('check --json', () => {
  it('has the fields of the contract', async () => {
    const document = await shellJson('check', 'lcr', '-n', '3')
    const contract = [
      'states',
      'transitions',
      'depth',
      'exhausted',
      'properties',
      'violated',
      'speed',
    ]
    expect(Object.keys(document)).toEqual(expect.arrayContaining(contract))
    expect(document).toMatchObject({ exhausted: true, violated: null })
    const broken = await shellJson('check', 'lcr', '-n', '2', '--ids', 'same')
    expect(broken.violated).toMatchObject({ property: 'at most one leader' })
    expect(Object.keys(broken.violated as object)).toEqual(['property', 'trace'])
  })
})

describe('cluster', () => {
  it('elects over sockets whom run elects, with as many messages', async () => {
    const words = ['cluster', 'lcr', '-n', '5', '--json']
    const { stdout, status } = spawnSync(process.execPath, [PROGRAM, ...words], {
      encoding: 'utf8',
    })
    const { leader, messages } = JSON.parse(stdout)
    const simulated = await run('lcr -n 5')
    expect(status).toBe(0)
    expect(leader).toEqual(simulated.leader)
    expect(messages).toEqual({
      total: simulated.messages.total,
      byType: simulated.messages.byType,
    })
  })
})
