import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { executed } from '../../../test/support/jobs/conformance.ts'
import { startJobWorker } from '../../../test/support/jobs/job-worker.ts'
import { type NatsServer, startNatsServer } from '../../../test/support/nats-server.ts'
import { connectNats } from '../../nats/connection.ts'
import type { ExecutorEvent, Work } from '../executor.ts'
import { jetstreamExecutor } from './caller.ts'
import { SUBJECT } from './protocol.ts'
import { StudyQueue } from './study-queue.ts'
import type { JobWorker, WorkerEvent, WorkerOptions } from './worker.ts'

const LONG = process.env.LONG_TESTS !== undefined
const MULTIPLY: Work = { kind: 'multiply', given: { by: 3 } }
const NUMBERS = Array.from({ length: 60 }, (_, i) => i)

let server: NatsServer
let workers: JobWorker[] = []

beforeAll(async () => {
  server = await startNatsServer()
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.leave()))
  workers = []
})
afterAll(() => server.stop())

async function work(options: Partial<WorkerOptions> = {}): Promise<WorkerEvent[]> {
  const events: WorkerEvent[] = []
  const tell = (event: WorkerEvent) => void events.push(event)
  workers.push(await startJobWorker(server.url, { tell, ...options }))
  return events
}

function jobsIn(events: readonly WorkerEvent[]): number {
  return events.reduce((sum, event) => sum + (event.what === 'batch' ? event.jobs : 0), 0)
}

function caller(options = {}) {
  return jetstreamExecutor({ connection: { servers: server.url }, version: 'test', ...options })
}

/** Executes a study with an executor of its own. */
async function study(jobs: readonly unknown[], options = {}, listener = {}) {
  const executor = await caller(options)
  try {
    return await executed<number>(executor, MULTIPLY, jobs, listener)
  } finally {
    await executor.close()
  }
}

/** A study of which an interrupted caller got some results. */
async function interrupted(): Promise<void> {
  const stop = new AbortController()
  let done = 0
  const listener = {
    signal: stop.signal,
    done: () => {
      if (++done === 20) stop.abort()
    },
  }
  expect((await study(NUMBERS, {}, listener)).outputs.size).toBe(20)
}

describe('a study on JetStream', () => {
  it('is continued by a caller that comes back, and begun anew by another', async () => {
    const events = await work()
    await interrupted()
    const { outputs } = await study(NUMBERS, { resume: true })
    expect(NUMBERS.map((i) => outputs.get(i))).toEqual(NUMBERS.map((i) => 3 * i))
    // The worker tells of a batch after it has reported it, so the last one may be told later.
    await expect.poll(() => jobsIn(events)).toBe(60)
    await interrupted()
    const again = jobsIn(events)
    await study(NUMBERS)
    // A continued study would leave 40 at most; batches of the interrupted one may be told later.
    await expect.poll(() => jobsIn(events) - again).toBeGreaterThanOrEqual(60)
  })

  it('has one caller: two that ask for the same one do not disturb each other', async () => {
    await work()
    const studies = await Promise.all([study(NUMBERS), study(NUMBERS), study(NUMBERS)])
    for (const { outputs } of studies)
      expect(NUMBERS.map((i) => outputs.get(i))).toEqual(NUMBERS.map((i) => 3 * i))
  })

  it('shares workers with others fairly', async () => {
    await work({ parallel: 1 })
    const order: string[] = []
    const slow = { kind: 'compute', given: null }
    const executor = await caller()
    const other = await caller({ study: 'other' })
    const run = (of: typeof executor, name: string) =>
      executed(of, slow, [50, 51, 52, 53, 54, 55, 56, 57], { done: () => void order.push(name) })
    await Promise.all([run(executor, 'a'), run(other, 'b')])
    // Neither waits for the end of the other.
    expect(order.indexOf('b')).toBeLessThan(order.lastIndexOf('a'))
    expect(order.indexOf('a')).toBeLessThan(order.lastIndexOf('b'))
    const middle = order.slice(4, 12)
    expect(new Set(middle).size).toBe(2)
    await Promise.all([executor.close(), other.close()])
  })

  it('gets back the jobs of a worker that leaves', async () => {
    const events = await work({ parallel: 1 })
    const jobs = Array.from({ length: 12 }, (_, i) => 20 + i)
    let done = 0
    const executor = await caller()
    const { outputs, failed } = await executed(executor, { kind: 'compute', given: null }, jobs, {
      done: () => {
        if (++done === 3)
          void workers
            .shift()!
            .leave()
            .then(() => work({ name: 'second' }))
      },
    })
    expect([outputs.size, failed.size]).toEqual([12, 0])
    expect(jobsIn(events)).toBeLessThan(12)
    await executor.close()
  })

  it.runIf(LONG)('goes on when the server has lost its store', async () => {
    await work()
    let done = 0
    const lose = async () => {
      await server.halt('SIGKILL')
      rmSync(join(server.folder, 'store'), { recursive: true })
      await server.restart()
    }
    let lost = Promise.resolve()
    const listener = {
      done: () => {
        if (++done === 5) lost = lose()
      },
    }
    const executor = await caller()
    const jobs = Array.from({ length: 100 }, (_, i) => 20 + i)
    const slow = { kind: 'compute', given: null }
    const { outputs, failed, repeated } = await executed(executor, slow, jobs, listener)
    expect([outputs.size, failed.size, repeated]).toEqual([100, 0, []])
    await lost
    await executor.close()
  })

  it('leaves nothing on the server', async () => {
    await work()
    await study([...NUMBERS, 'x'.repeat(10)])
    const connection = await connectNats({ servers: server.url })
    const queue = await StudyQueue.open(connection, 'here')
    expect(await queue.studies()).toEqual([])
    expect(await queue.stored()).toEqual({ jobs: 0, results: 0, studies: 0 })
    await connection.close()
  })

  it('refuses and counts what is foreign on its subjects', async () => {
    const heard = await work()
    const connection = await connectNats({ servers: server.url })
    const queue = await StudyQueue.open(connection, 'here')
    const told: ExecutorEvent[] = []
    let garbage = false
    const spoil = async () => {
      garbage = true
      const [id] = await queue.studies()
      for (const text of ['garbage', '{}', '{"protocol":1,"object":"no/such"}', '\0'.repeat(9999)])
        for (const subject of [SUBJECT.jobs, SUBJECT.results, SUBJECT.workers, SUBJECT.callers])
          connection.publish(`${subject}.${id}`, text)
      await connection.flush()
    }
    const { outputs, failed } = await study(
      NUMBERS,
      {},
      {
        done: () => void (garbage || spoil()),
        event: (event: ExecutorEvent) => void told.push(event),
      },
    )
    expect([outputs.size, failed.size]).toEqual([60, 0])
    const refused = (events: readonly (ExecutorEvent | WorkerEvent)[]) =>
      events.flatMap((event) => (event.what === 'refused' ? [event.reason] : []))
    expect(refused(told).join()).toMatch(/a report of a worker: /)
    expect(refused(told).join()).toMatch(/a notice of a worker: /)
    expect(refused(heard).join()).toMatch(/a notice of a caller: /)
    await connection.close()
  })

  it('waits for a worker of its version, and both say why', async () => {
    const heard = await work({ version: 'other' })
    const told: string[] = []
    const stop = new AbortController()
    await study(
      NUMBERS,
      {},
      {
        signal: stop.signal,
        event: (event: ExecutorEvent) => {
          if (!('reason' in event)) return
          told.push(`${event.what}: ${event.reason}`)
          if (event.what === 'waiting') stop.abort()
        },
      },
    )
    expect(told[0]).toMatch(
      /^refused: worker here on .* has version other \(protocol 1\), not test/,
    )
    expect(told).toContain('waiting: there is no worker of version test (protocol 1)')
    expect(heard).toContainEqual({
      what: 'refused',
      reason: expect.stringMatching(/^the study of .* has version test \(protocol 1\), not other/),
    })
  })

  it('with code waits for a worker that executes it', async () => {
    const heard = await work()
    const code = Buffer.from('code')
    const running = study(NUMBERS, { code })
    await expect
      .poll(() => heard, { timeout: 60_000 })
      .toContainEqual({
        what: 'refused',
        reason: expect.stringContaining('brings code of its own'),
      })
    await work({ name: 'open', allowsCode: true })
    expect((await running).outputs.size).toBe(60)
    expect(jobsIn(heard)).toBe(0)
  })
})

describe('a server', () => {
  it('without JetStream, or with too little space, is refused in one line', async () => {
    const bare = await startNatsServer({ jetStream: false })
    const options = { connection: { servers: bare.url }, version: 'test' }
    await expect(jetstreamExecutor(options)).rejects.toThrow(
      `${bare.url}: This server has no JetStream, or this account may not use it. Start`,
    )
    await bare.stop()
    await withSpace('1MB', async (url) => {
      const small = jetstreamExecutor({ connection: { servers: url }, version: 'test' })
      await expect(small).rejects.toThrow(/The store of this server is full \(.*\)\. Remove/)
    })
  })

  it.runIf(LONG)('whose store is full makes studies wait, and loses nothing', async () => {
    await withSpace('12MB', async (url) => {
      const worker = await startJobWorker(url)
      const executor = await jetstreamExecutor({ connection: { servers: url }, version: 'test' })
      const texts = Array.from({ length: 40 }, (_, i) => 300_000 + i)
      const told: ExecutorEvent[] = []
      const { outputs } = await executed<{ text: string }>(
        executor,
        { kind: 'text', given: null },
        texts,
        { event: (event) => void told.push(event) },
      )
      expect(texts.map((_, i) => outputs.get(i)?.text.length)).toEqual(texts)
      const reason = 'the store of the server is full'
      expect(told).toContainEqual({ what: 'waiting', reason })
      await executor.close()
      await worker.leave()
    })
  })

  it.runIf(LONG)('gives up a job that three workers took and did not answer', async () => {
    const executor = await caller()
    const connection = await connectNats({ servers: server.url })
    const queue = await StudyQueue.open(connection, 'here')
    let ended = false
    const running = executed<number>(executor, MULTIPLY, [7]).finally(() => {
      ended = true
    })
    let deliveries = 0
    while (!ended) {
      const [id] = await queue.studies()
      if (id !== undefined && (await queue.pull(id))) deliveries++
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    const { failed } = await running
    expect(deliveries).toBe(3)
    expect(failed.get(0)).toBe('none of 3 workers that got it answered')
    expect((await queue.stored()).jobs).toBe(0)
    await executor.close()
    await connection.close()
  })
})

/** A server whose store has this much space. */
async function withSpace(size: string, use: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-space-'))
  const config = `jetstream { store_dir: ${JSON.stringify(folder)}, max_file_store: ${size} }`
  const small = await startNatsServer({ jetStream: false, config })
  try {
    await use(small.url)
  } finally {
    await small.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
