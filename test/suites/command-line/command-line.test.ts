import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byFamily } from '../../../src/algorithms/families.ts'
import { catalogue } from '../../../src/algorithms/index.ts'
import { main } from '../../../src/cli/main.ts'
import { PROGRAM } from '../../support/built-program.ts'
import { shell, shellJson } from '../../support/run-command.ts'

const COMMANDS = ['list', 'explain', 'run', 'check', 'node', 'cluster']
const LISTED = byFamily().map(({ name }) => name)

interface Result {
  readonly scenario: Record<string, unknown>
  readonly leader: { node: number; id: number } | null
  readonly messages: { total: number; byType: Record<string, number> }
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

  it('is also a command: help run is run --help', async () => {
    expect(await shell('help', 'run')).toEqual(await shell('run', '--help'))
    expect(await shell('help')).toEqual(await shell('--help'))
  })
})

describe('list and explain', () => {
  it('list names every algorithm with network, model and cost', async () => {
    const { code, out } = await shell('list')
    expect(code).toBe(0)
    const lines = out.split('\n')
    const begun = lines.filter((line) => /^\S/.test(line)).map((line) => line.split(' ')[0])
    expect(begun).toEqual(['algorithm', ...LISTED])
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    const entries = JSON.parse((await shell('list', '--json')).out)
    expect(entries.map(({ name }: { name: string }) => name)).toEqual(LISTED)
    for (const entry of entries) {
      expect(Object.keys(entry)).toEqual(
        expect.arrayContaining(['name', 'network', 'model', 'cost', 'family', 'also']),
      )
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
    expect(out.indexOf('p1(2) wakes')).toBeLessThan(out.indexOf('id 2 is leader'))
  })

  it('of check have the counterexample, or a sample run where there is none', async () => {
    const place = mkdtempSync(join(folder, 'check-'))
    const files = ['--svg', join(place, 'way.svg'), '--trace', join(place, 'way.jsonl')]
    expect((await shell('check', 'lcr', '-n', '2', ...files)).code).toBe(0)
    expect(readFileSync(join(place, 'way.jsonl'), 'utf8')).toContain('"property":null')
    expect(readFileSync(join(place, 'way.svg'), 'utf8')).toContain('a sample run')
    const broken = ['check', 'lcr', '-n', '2', '--ids', 'same', ...files]
    expect((await shell(...broken)).code).toBe(1)
    const steps = readFileSync(join(place, 'way.jsonl'), 'utf8').trimEnd().split('\n')
    const [head, ...events] = steps.map((step) => JSON.parse(step))
    expect(head).toMatchObject({ event: 'scenario', scenario: { algorithm: 'lcr', ids: 'same' } })
    expect(events.filter(({ event }) => event === 'lead')).toHaveLength(2)
    expect(readFileSync(join(place, 'way.svg'), 'utf8')).toContain('&quot;at most one leader&quot;')
  })
})

describe('text reports', () => {
  const printed = async (colours: boolean, ...words: string[]) => {
    let text = ''
    const out = (more: string) => {
      text += more
    }
    await main(words, { out, err: out, colours, progress: false })
    return text
  }

  it.each(['run lcr -n 4', 'check lcr -n 2', 'list', 'explain lcr'])(
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

  it('a failure comes with the command that reproduces it', async () => {
    const { out } = await shell(...'run lcr -n 4 --crash 1 --detect off --seed 7'.split(' '))
    expect(out).toMatch(/^ {2}reproduce: conclave run lcr -n 4 --crash 1 --detect off --seed 7$/m)
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
    expect(Object.keys(broken.violated as object)).toEqual(['property', 'shortest', 'trace', 'ids'])
  })
})

describe('cluster', () => {
  it('elects the same leader over sockets as run, with as many messages', async () => {
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

  it('names no ids where there are none', () => {
    const say = (...flags: string[]) =>
      spawnSync(process.execPath, [PROGRAM, 'cluster', 'itai-rodeh', '-n', '2', ...flags], {
        encoding: 'utf8',
      }).stdout
    const { leader, nodes } = JSON.parse(say('--json'))
    expect(leader.id).toBeNull()
    for (const { id } of nodes) expect(id).toBeNull()
    expect(say()).toMatch(/^ {2}position [01] leads, \d+ messages/m)
  })
})
