import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { PROGRAM } from '../../support/built-program.ts'
import { sample } from '../../support/campaign.ts'
import { shell, shellJson } from '../../support/run-command.ts'

/** Everything that is drawn at random is drawn in one of these. */
const LINES = [
  'lcr -n 40 --delay uniform:1:10',
  'lcr -n 40 --delay uniform:1:10 --order any --wake rate:0.3',
  'chang-roberts -n 40 --delay exponential:2.5 --wake rate:0.5',
  'hirschberg-sinclair -n 40 --delay uniform:3:200000',
  'hirschberg-sinclair-one-way -n 40 --timing sync --wake rate:0.2',
  'peterson -n 40 --delay exponential:0.1 --crash 0.2@3',
  'franklin -n 40 --delay uniform:1:3',
  'slow-fast -n 20 --wake rate:0.4',
  'time-slice -n 20',
]

/** The result without the speed, which depends on the machine. */
function lasting(json: string): string {
  const { speed, ...rest } = JSON.parse(json)
  expect(Object.keys(speed)).toEqual(['cpuMs', 'messagesPerSecond'])
  return JSON.stringify(rest)
}

describe('the same scenario and seed', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'conclave-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  async function inProcess(line: string) {
    const path = join(folder, 'here.jsonl')
    const { out } = await shell('run', ...line.split(' '), '--json', '--trace', path)
    return { result: lasting(out), trace: readFileSync(path, 'utf8') }
  }

  function asProcess(line: string) {
    const path = join(folder, 'there.jsonl')
    const words = [PROGRAM, 'run', ...line.split(' '), '--json', '--trace', path]
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    return { result: lasting(stdout), trace: readFileSync(path, 'utf8') }
  }

  it.each(LINES)('give the same bytes twice: %s', async (line) => {
    const once = await inProcess(line)
    expect(await inProcess(line)).toEqual(once)
    expect(once.trace.split('\n').length).toBeGreaterThan(20)
  })

  it.each(sample(LINES.slice(0, 4), 4))(
    'give the same bytes in two other processes: %s',
    async (line) => {
      const once = asProcess(line)
      expect(asProcess(line)).toEqual(once)
      expect(await inProcess(line)).toEqual(once)
    },
  )

  it.each(LINES.filter((line) => !line.startsWith('time-slice')))(
    'another seed gives another run: %s',
    async (line) => {
      const ids = `--ids ${Array.from({ length: 40 }, (_, i) => ((i * 7) % 41) + 1).join()}`
      const fixed = line.includes('-n 40') ? line.replace('-n 40', ids) : line
      const events = async (seed: number) =>
        (await inProcess(`${fixed} --seed ${seed}`)).trace.split('\n').slice(1).join('\n')
      expect(await events(2)).not.toBe(await events(3))
      expect(await events(2)).toBe(await events(2))
    },
  )

  it('gives what a watched run gives', async () => {
    for (const line of LINES) {
      const { out } = await shell('run', ...line.split(' '), '--json')
      expect(lasting(out)).toBe((await inProcess(line)).result)
    }
  })

  it('gives what every other machine gives', async () => {
    const line = 'hirschberg-sinclair -n 64 --delay exponential:2.5 --wake rate:0.5 --seed 20'
    const { trace } = await inProcess(line)
    const events = trace.slice(trace.indexOf('\n') + 1)
    expect(createHash('sha256').update(events).digest('hex')).toBe(
      '43788bcc39c32ae460557b65b2c6dd6bbb016a75c377174ce965010107c954e5',
    )
  })
})

describe('random ids', () => {
  interface Result {
    readonly nodes: readonly { readonly id: number }[]
  }
  const ids = async (...words: string[]) =>
    (await shellJson<Result>('run', ...words)).nodes.map(({ id }) => id)

  it('depend on seed and size only', async () => {
    const expected = await ids('lcr', '-n', '12', '--seed', '5')
    expect(expected.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    const sixteen = await ids('lcr', '-n', '16', '--seed', '5')
    for (const { name, needs } of catalogue) {
      const [n, same] = needs.topology === 'hypercube' ? ['16', sixteen] : ['12', expected]
      if (needs.ids) expect(await ids(name, '-n', n, '--seed', '5')).toEqual(same)
    }
    const otherwise = ['--wake', '3', '--delay', 'exponential:4', '--order', 'any', '--crash', '2']
    expect(await ids('lcr', '-t', 'ring:12', '--seed', '5', ...otherwise)).toEqual(expected)
    expect(await ids('lcr', '-n', '12', '--seed', '5', '--timing', 'sync')).toEqual(expected)
  })

  it('are other ones for another seed or size', async () => {
    const expected = await ids('lcr', '-n', '12', '--seed', '5')
    expect(await ids('lcr', '-n', '12', '--seed', '6')).not.toEqual(expected)
    expect((await ids('lcr', '-n', '13', '--seed', '5')).slice(0, 12)).not.toEqual(expected)
  })

  it('are the same for every user', async () => {
    expect(await ids('lcr', '-n', '8')).toEqual([3, 7, 4, 6, 8, 2, 5, 1])
  })
})
