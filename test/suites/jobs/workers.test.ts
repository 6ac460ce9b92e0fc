import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CATALOGUE_ONLY } from '../../../src/cli/experiment/experiment-work.ts'
import { workKinds } from '../../../src/cli/jobs/work-kinds.ts'
import { VERSION } from '../../../src/cli/version.ts'
import { jobsOf, type ResultRow, readExperiment } from '../../../src/experiment/index.ts'
import type { ExecutorEvent } from '../../../src/jobs/executor.ts'
import { jetstreamExecutor } from '../../../src/jobs/jetstream/caller.ts'
import { thisThread } from '../../../src/jobs/this-thread.ts'
import { PROGRAM } from '../../support/built-program.ts'
import { executed } from '../../support/jobs/conformance.ts'
import { WorkerProcess } from '../../support/jobs/worker-process.ts'
import { type NatsServer, startNatsServer } from '../../support/nats-server.ts'
import { builtShell, shell } from '../../support/run-command.ts'

const LONG = process.env.LONG_TESTS !== undefined
const EXPERIMENT = { kind: 'experiment', given: CATALOGUE_ONLY }

let server: NatsServer
let workers: WorkerProcess[] = []

beforeEach(async () => {
  server = await startNatsServer()
})

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
  workers = []
  await server.stop()
})

async function startWorker(name: string, ...flags: string[]): Promise<WorkerProcess> {
  const worker = await WorkerProcess.start(server.url, name, ...flags)
  workers.push(worker)
  return worker
}

function runs(n: number, repeat: number) {
  const base = { algorithm: 'hirschberg-sinclair', n }
  return jobsOf(
    readExperiment(
      { base, repeat },
      (field) => field,
      () => false,
    ),
  )
}

function caller(resume = false) {
  return jetstreamExecutor({ connection: { servers: server.url }, version: VERSION, resume })
}

async function inThisThread(jobs: ReturnType<typeof runs>): Promise<ResultRow[]> {
  const { outputs } = await executed<ResultRow>(thisThread(workKinds), EXPERIMENT, jobs)
  return jobs.map((_, i) => outputs.get(i)!)
}

describe('workers', () => {
  it('execute an experiment as this thread does, are listed, and leave', async () => {
    const worker = await startWorker('one', '--parallel', '2')
    const list = await shell('workers', server.url, '--json')
    expect(JSON.parse(list.out)).toMatchObject([{ name: 'one', parallel: 2, allowsCode: false }])
    const jobs = runs(16, 40)
    const executor = await caller()
    const { outputs } = await executed<ResultRow>(executor, EXPERIMENT, jobs)
    expect(jobs.map((_, i) => outputs.get(i))).toEqual(await inThisThread(jobs))
    await executor.close()
    expect(await worker.end()).toBe(0)
    expect(worker.jobs).toBe(40)
    expect((await shell('workers', server.url)).out).toContain('No worker on')
  })
})

describe.runIf(LONG)('2,000 runs on three workers', () => {
  it('survive a killed worker, a frozen one and a restart of the server', async () => {
    const [killed, frozen] = [await startWorker('killed'), await startWorker('frozen')]
    await startWorker('steady')
    const jobs = runs(1024, 2000)
    const expected = await inThisThread(jobs)
    const executor = await caller()
    const events: ExecutorEvent[] = []
    let done = 0
    const progress = async (count: number) => {
      while (done < count) await sleep(20)
    }
    const disturb = async () => {
      await progress(100)
      killed.signal('SIGKILL')
      await progress(300)
      frozen.signal('SIGSTOP')
      await progress(500)
      await server.restart()
      await sleep(10_000)
      frozen.signal('SIGCONT')
    }
    const disturbed = disturb()
    const { outputs, failed, repeated } = await executed<ResultRow>(executor, EXPERIMENT, jobs, {
      done: () => {
        done++
      },
      event: (event) => {
        if (event.what !== 'progress') events.push(event)
      },
    })
    expect(jobs.map((_, i) => outputs.get(i))).toEqual(expected)
    expect([failed.size, repeated]).toEqual([0, []])
    await disturbed
    const told = events.map((event) => [event.what, 'worker' in event && event.worker].join(' '))
    for (const name of ['killed', 'frozen', 'steady'])
      expect(told.some((line) => line.startsWith(`worker-joined ${name}`))).toBe(true)
    expect(told.some((line) => line.startsWith('worker-left killed'))).toBe(true)
    const seen = new Set(events.map(({ what }) => what))
    expect(
      ['redelivered', 'disconnected', 'reconnected'].filter((one) => !seen.has(one as never)),
    ).toEqual([])
    await executor.close()
  })
})

describe.runIf(LONG)('an experiment on workers', () => {
  const study = 'hirschberg-sinclair --sweep n=64,512 --repeat 300'.split(' ')

  /** The file of the results, and of the rows that an interrupted call has. */
  const lines = (folder: string, name: string) => {
    const path = join(folder, name)
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  }

  it.each(['SIGKILL', 'SIGINT'] as const)('is continued after %s of its caller', async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'conclave-callers-'))
    const [here, there] = [join(folder, 'here'), join(folder, 'there')]
    try {
      expect((await builtShell('experiment', ...study, '--out', here)).code).toBe(0)
      const worker = await startWorker('one', '--parallel', '1')
      const on = ['--out', there, '--on', server.url]
      const child = spawn(process.execPath, [PROGRAM, 'experiment', ...study, ...on])
      const exited = new Promise((resolve) => child.once('exit', resolve))
      while (lines(there, 'journal.jsonl').length < 50) await sleep(20)
      child.kill(signal)
      await exited
      const rows = lines(there, 'journal.jsonl').length
      expect(rows).toBeLessThan(600)
      const resumed = await builtShell('experiment', ...study, ...on, '--resume')
      expect(resumed.code).toBe(0)
      for (const name of ['results.csv', 'summary.json'])
        expect(lines(there, name)).toEqual(lines(here, name))
      // Most of what was done was not done again.
      expect(worker.jobs).toBeLessThan(900)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
