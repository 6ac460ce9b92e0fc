import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { COMMANDS } from '../../../src/cli/main.ts'
import { PROGRAM } from '../../support/built-program.ts'
import { sample } from '../../support/campaign.ts'
import { expectUsageError, shell } from '../../support/run-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Runs the built program in this environment alone, with a pipe for its output. */
function run(line: string, env: NodeJS.ProcessEnv = {}, cwd = root): string {
  const path = process.env.PATH
  const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...line.split(' ')], {
    ...{ cwd, encoding: 'utf8', env: { PATH: path, ...env } },
  })
  return stdout + stderr
}

describe('the built program', () => {
  it('uses colours where the environment asks for them', () => {
    expect(run('run lcr -n 3')).not.toContain('\x1b[')
    expect(run('run lcr -n 3', { FORCE_COLOR: '1' })).toContain('\x1b[')
    expect(run('run lcr -n 3', { FORCE_COLOR: '1', NO_COLOR: '1' })).not.toContain('\x1b[')
    expect(run('run lcr -n 3 --no-color', { FORCE_COLOR: '1' })).not.toContain('\x1b[')
    expect(run('--no-color run lcr -n 3', { FORCE_COLOR: '1' })).not.toContain('\x1b[')
  })

  it('keeps to ASCII where the locale is not UTF-8, but not in JSON', () => {
    const line = 'run lcr --ids 3,1,2 --timing sync'
    const [some, none] = [run(line, { LC_ALL: 'en_US.UTF-8' }), run(line, { LC_ALL: 'C' })]
    expect(some).toMatch(/✓/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
    expect(none).toMatch(/^[\x00-\x7f]*$/)
    expect(none.split('\n').map((it) => it.length)).toEqual(some.split('\n').map((it) => it.length))
    const json = (env: NodeJS.ProcessEnv) => run('list --json', env)
    expect(json({ LC_ALL: 'C' })).toBe(json({ LC_ALL: 'C.UTF-8' }))
  })

  it('names a command that works where it was called', () => {
    const failing = 'run lcr -n 4 --until 1'
    expect(run(failing)).toContain('reproduce: npx conclave run lcr')
    expect(run(failing, {}, tmpdir())).toMatch(/reproduce: node \S+bin\.js run lcr/)
    expect(run('run --help')).toContain('\n  npx conclave run lcr ')
    expect(run('runn')).toContain('Did you mean run?')
  })
})

describe('lines', () => {
  const lines = (text: string) => text.split('\n')

  it.each([
    ['list'],
    ...Object.keys(COMMANDS).map((name) => [`${name} --help`]),
    ...sample(catalogue, 3).map(({ name }) => [`explain ${name}`]),
    ...sample(catalogue, 3).map(({ name }) => [`run ${name}`]),
    ['check lcr --ids 1,2,3 --crashes 1 --detect off'],
    ['check lcr -n 3 --ids all'],
    ['experiment lcr --sweep n=1..5 --repeat all'],
  ])('of %s fit into 80 columns', async (line) => {
    const { out } = await shell(...line.split(' '))
    // Commands are to be copied, and stay whole.
    const wide = lines(out).filter((it) => it.length > 80 && !/conclave (run|check) /.test(it))
    expect(wide).toEqual([])
  })

  it('are as wide as COLUMNS says', () => {
    const widest = (columns: string) =>
      Math.max(...lines(run('explain lcr', { COLUMNS: columns })).map((it) => it.length))
    expect(widest('60')).toBeLessThanOrEqual(60)
    expect(widest('120')).toBeGreaterThan(100)
    expect(widest('120')).toBeLessThanOrEqual(120)
  })
})

/** Runs the built program, and interrupts it after two seconds. */
async function interrupted(words: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let err = ''
  let out = ''
  child.stderr.on('data', (text) => {
    err += text
  })
  child.stdout.on('data', (text) => {
    out += text
  })
  // A signal before the program listens would end it without a word.
  const timer = setInterval(() => child.kill('SIGINT'), 2000)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearInterval(timer)
  return { code, out, err }
}

describe('Ctrl-C in check', () => {
  const trace = join(tmpdir(), `interrupted-${process.pid}.jsonl`)

  it
    .skipIf(process.platform === 'win32')
    .each([
      `raft --states 90000000 --trace ${trace}`,
      'hirschberg-sinclair -n 7 --ids all --order any --states 90000000',
      'hirschberg-sinclair -n 8 --reduction off --threads 2 --states 90000000',
      'chang-roberts -n 10 --worst messages --reduction off --states 90000000',
    ])('says what was explored and what is open: %s', async (line) => {
    const { code, out } = await interrupted(['check', ...line.split(' '), '--json'])
    expect(code).toBe(130)
    const { holds, exhausted, reason, properties, violated, states } = JSON.parse(out)
    expect({ holds, exhausted, violated }).toEqual({
      holds: null,
      exhausted: false,
      violated: null,
    })
    expect(reason).toBe('it was interrupted')
    expect(states).toBeGreaterThan(0)
    expect(properties.length).toBeGreaterThan(0)
    for (const { holds, detail } of properties)
      expect([holds, detail]).toEqual([null, expect.stringContaining('it was interrupted')])
    expect(existsSync(trace)).toBe(false)
  })
})

describe('Ctrl-C in run', () => {
  it.skipIf(process.platform === 'win32')('says what was reached', async () => {
    const words = [
      'run',
      'lcr',
      '-n',
      '60000',
      '--ids',
      'decreasing',
      '--max-messages',
      '2000000000',
    ]
    const { code, out, err } = await interrupted(words)
    expect(out).toBe('')
    expect(code).toBe(130)
    expect(err).toMatch(/^interrupted: [\d,]+ messages, time [\d,]+, no leader yet\n$/)
  })
})

describe('the folder of results', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'conclave-out-'))
    mkdirSync(join(folder, 'theirs'))
    mkdirSync(join(folder, 'empty'))
    writeFileSync(join(folder, 'theirs/results.csv'), 'a,b\n')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const words = ['experiment', 'lcr', '--sweep', 'n=2,3', '--threads', '1', '--out']

  it('is none with files of others, nor the root', async () => {
    await expectUsageError([...words, join(folder, 'theirs')], '--out', 'such as results.csv')
    await expectUsageError([...words, '/'], '--out', 'no results of an experiment')
    expect(readdirSync(join(folder, 'theirs'))).toEqual(['results.csv'])
  })

  it('may be new, empty, or of the same experiment', async () => {
    for (const name of [...sample(['new', 'empty'], 2), 'empty'])
      expect((await shell(...words, join(folder, name))).code).toBe(0)
    expect(existsSync(join(folder, 'empty/results.csv'))).toBe(true)
  })
})
