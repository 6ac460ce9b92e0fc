import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from '../../support/campaign.ts'
import { WorkerProcess } from '../../support/jobs/worker-process.ts'
import { type NatsServer, startNatsServer } from '../../support/nats-server.ts'
import { shell } from '../../support/run-command.ts'

const LONG = process.env.LONG_TESTS !== undefined
const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'conclave-on-workers-'))
let server: NatsServer
let workers: WorkerProcess[] = []

beforeAll(async () => {
  server = await startNatsServer()
  workers = await Promise.all(
    ['one', 'two'].map((name) =>
      WorkerProcess.start(server.url, name, '--parallel', '1', '--allow-code'),
    ),
  )
})

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** All files of a folder with their contents, apart from one. */
function filesIn(path: string): Record<string, string> {
  const files = readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name !== 'execution.json')
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    files.map((file) => [relative(path, file), readFileSync(file).toString('latin1')]),
  )
}

async function bothWays(name: string, ...words: string[]): Promise<void> {
  const [here, there] = [join(folder, `${name}-here`), join(folder, `${name}-there`)]
  const local = await shell('experiment', ...words, '--out', here, '--threads', '1')
  const remote = await shell('experiment', ...words, '--out', there, '--on', server.url)
  expect([remote.code, remote.out]).toEqual([local.code, local.out])
  expect(remote.err).toMatch(/^executed by [12] workers? of nats:/)
  expect(filesIn(there)).toEqual(filesIn(here))
  expect(Object.keys(filesIn(there)).length).toBeGreaterThan(3)
  const execution = JSON.parse(readFileSync(join(there, 'execution.json'), 'utf8'))
  expect(execution).toMatchObject({ server: server.url, givenUp: [] })
}

/** The report of a check without its speed. */
async function checked(...words: string[]): Promise<{ code: number; report: object }> {
  const { code, out, err } = await shell('check', ...words, '--json')
  expect(out, err).not.toBe('')
  const { speed: _, ...report } = JSON.parse(out)
  return { code, report }
}

describe('commands on workers', () => {
  it('write the same files of an experiment', async () => {
    await bothWays('catalogue', 'lcr', '--sweep', 'n=2..6', '--repeat', '5', '--fit', 'auto')
  })

  it('take networks in files along', async () => {
    const links = join(folder, 'links.txt')
    writeFileSync(links, '0 1\n1 2\n2 3\n3 0\n0 2\n')
    await bothWays('network', 'wireless', '-t', `file:${links}`, '--repeat', '4')
  })

  it.runIf(LONG)('take own definitions along', async () => {
    const mine = relative('.', join(EXAMPLES, 'smallest-first.ts'))
    await bothWays('own', mine, '--sweep', 'n=2..5', '--repeat', '2')
  })

  const searches = [
    ['lcr', '--ids', 'all', '-n', '5'],
    ['peterson', '-n', '4', '--order', 'any', '--allow-weaker', '--ids', 'all'],
    ['lcr', '-n', '8', '--reduction', 'off', '--states', '50', '--walk', '200'],
    ['chang-roberts', '-n', '4', '--losses', '1', '--states', '3', '--walk', '200'],
  ]
  it.each(sample(searches, 2))('explore the same: %s %s %s %s %s', async (...words) => {
    const remote = await checked(...words, '--on', server.url)
    expect(remote).toEqual(await checked(...words))
  })

  it('say as JSON lines what happens, and print the same document', async () => {
    const words = ['experiment', 'lcr', '--repeat', '3', '--json']
    const { out } = await shell(...words)
    const remote = await shell(...words, '--on', server.url)
    expect(remote.out).toBe(out)
    const events = remote.err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).what)
    expect(events).toContain('worker-joined')
  })

  it('leave no folder where there is no server', async () => {
    const out = join(folder, 'nowhere')
    const words = ['experiment', 'lcr', '--out', out, '--on', 'nats://127.0.0.1:1']
    const { code, err } = await shell(...words)
    expect([code, err.split('\n').length]).toEqual([2, 2])
    expect(err).toContain('No server listens there.')
    expect(existsSync(out)).toBe(false)
  })

  it('are refused for a single search, which is not divided', async () => {
    const { code, err } = await shell('check', 'lcr', '--ids', '3,1,2', '--on', server.url)
    expect([code, err]).toEqual([2, expect.stringMatching(/^--on: workers explore/)])
  })

  it.runIf(LONG)('grade the same', async () => {
    const submissions = join(folder, 'submissions')
    cpSync(join(EXAMPLES, 'broken'), submissions, { recursive: true })
    const words = ['grade', submissions, '--json']
    const remote = await shell(...words, '--on', server.url)
    expect(remote.out).toBe((await shell(...words)).out)
  })
})
