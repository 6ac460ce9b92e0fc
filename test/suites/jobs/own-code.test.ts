import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAM } from '../../support/built-program.ts'
import { WorkerProcess } from '../../support/jobs/worker-process.ts'
import { type NatsServer, startNatsServer } from '../../support/nats-server.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const OWN = join(ROOT, 'examples/smallest-first.ts')
const STUDY = ['experiment', OWN, '--sweep', 'n=2..5', '--json']
const PASSWORD = 'change-me-worker'

let server: NatsServer
const workers: WorkerProcess[] = []
const folder = mkdtempSync(join(tmpdir(), 'conclave-own-code-'))

/** The rights of the example; where it listens and stores, and its certificates, are not here. */
function exampleConfig(): string {
  const text = readFileSync(join(ROOT, 'examples/scaling/nats-server.conf'), 'utf8')
  return text.slice(text.indexOf('CONCLAVE: {'))
}

beforeAll(async () => {
  server = await startNatsServer({ config: exampleConfig() })
})

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const address = () => server.url.replace('//', `//worker:${PASSWORD}@`)

async function startWorker(name: string, ...flags: string[]): Promise<WorkerProcess> {
  const worker = await WorkerProcess.start(address(), name, ...flags)
  workers.push(worker)
  return worker
}

/** A command as a process of its own. */
function program(...words: string[]) {
  const env = { ...process.env, NATS_USER: 'caller', NATS_PASSWORD: 'change-me-caller' }
  return promisify(execFile)(process.execPath, [PROGRAM, ...words], { cwd: folder, env })
}

describe('code of others, with the rights of the example', () => {
  it('waits for a worker that runs it, and gives what one thread gives', async () => {
    const careful = await startWorker('careful')
    const running = program(...STUDY, '--on', server.url)
    let told = ''
    running.child.stderr?.on('data', (data) => {
      told += data
    })
    await expect.poll(() => told, { timeout: 60_000 }).toContain('runs code of others')
    await startWorker('bold', '--allow-code')
    const [there, here] = await Promise.all([running, program(...STUDY)])
    expect(there.stdout).toBe(here.stdout)
    expect(careful.jobs).toBe(0)
    expect(told + JSON.stringify(careful.events)).not.toContain(PASSWORD)
  })

  it.runIf(existsSync('/proc/self/cmdline'))('no password is in the process list', () => {
    const shown = workers.map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    for (const line of shown) expect(line).toMatch(/^conclave worker nats:\/\/127\.0\.0\.1/)
    expect(shown.join()).not.toContain(PASSWORD)
  })
})
