import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRunning } from '../../../test/support/built-program.ts'
import { type JobLease, type JobOptions, keepJob } from './kept-job.ts'

/** The tests wait for what must happen, and never longer than vitest lets them. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Whether a process executes anything: one that nobody has buried yet does not. */
async function isAlive(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isRunning(pid)
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '0 (gone) Z')
  return !/^\d+ \(.*\) Z/s.test(status)
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conclave-job-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A lease that is renewed as long as the process that looks at it runs. */
function lease(ends: AbortSignal = new AbortController().signal): JobLease {
  return { token: 7, remaining: LEASE, signal: ends }
}

/** So long that no job is late on a busy machine. */
const LEASE = 60_000
const OPTIONS = { role: 'cron', lease: LEASE, grace: 250 }
const shell = (script: string, more: Partial<JobOptions> = {}): JobOptions => ({
  ...OPTIONS,
  command: ['sh', '-c', script],
  ...more,
})

describe('a job', () => {
  it('gets its token, and ends by itself', async () => {
    const file = join(folder, 'environment')
    const script = `echo $CONCLAVE_ROLE $CONCLAVE_TOKEN $CONCLAVE_TERM > ${file}; exit 3`
    expect(await keepJob(lease(), shell(script))).toEqual({ code: 3, signal: null, failure: null })
    expect(await readFile(file, 'utf8')).toBe('cron 7 7\n')
  })

  it('that cannot be started says why', async () => {
    const end = await keepJob(lease(), { ...OPTIONS, command: [join(folder, 'missing')] })
    expect(end.failure).toContain('ENOENT')
  })

  it('gets SIGTERM when the term ends, and may end in order', async () => {
    const ends = new AbortController()
    const told: string[] = []
    const file = join(folder, 'ready')
    await writeFile(file, '')
    const script = `trap 'exit 9' TERM; echo ready > ${file}; while :; do sleep 0.02; done`
    const ended = keepJob(lease(ends.signal), shell(script, { told: (line) => told.push(line) }))
    await until(async () => told.length > 0 && (await readFile(file, 'utf8')) !== '')
    ends.abort()
    expect(await ended).toEqual({ code: 9, signal: null, failure: null })
    expect(told.slice(1)).toEqual(['signalled SIGTERM', 'ended 9 -'])
  })

  it('is killed before a lease that nobody renews ends, with all of its group', async () => {
    const told: string[] = []
    const file = join(folder, 'child')
    const stubborn = `trap '' TERM; while :; do sleep 0.1; done`
    const script = `trap '' TERM; (${stubborn}) & echo $! > ${file}; wait`
    let end = 0
    const running: JobLease = {
      ...lease(),
      get remaining() {
        return told.length === 0 ? 1000 : end - performance.now()
      },
    }
    const tell = (line: string) => {
      if (told.push(line) === 1) end = performance.now() + 800
    }
    const ended = await keepJob(running, shell(script, { lease: 1000, told: tell }))
    expect(ended).toEqual({ code: null, signal: 'SIGKILL', failure: null })
    expect(told.slice(1)).toEqual(['signalled SIGTERM', 'signalled SIGKILL', 'ended - SIGKILL'])
    expect(await isAlive(Number(await readFile(file, 'utf8')))).toBe(false)
  })

  it('is not started when the lease is over', async () => {
    const ended = await keepJob({ ...lease(), remaining: 1 }, shell('exit 0'))
    expect(ended.failure).toBe('the lease ended before it could be started')
  })

  it('that leaves processes behind ends when they have ended', async () => {
    const file = join(folder, 'left')
    const end = await keepJob(lease(), shell(`sleep 1000 & echo $! > ${file}; exit 0`))
    expect(end.code).toBe(0)
    expect(await isAlive(Number(await readFile(file, 'utf8')))).toBe(false)
  })

  it('is killed when its keeper is killed', async () => {
    const told: string[] = []
    const ended = keepJob(lease(), shell('sleep 1000', { told: (line) => told.push(line) }))
    await until(() => told.length > 0)
    const job = Number(told[0].split(' ')[1])
    const status = await readFile(`/proc/${job}/stat`, 'utf8')
    process.kill(Number(status.split(' ')[3]), 'SIGKILL')
    expect((await ended).failure).toBe('its keeper ended before the job did')
    await until(async () => !(await isAlive(job)))
  })

  it.runIf(process.platform === 'linux')(
    'is found when its keeper is killed and has not said which processes it is',
    async () => {
      const file = join(folder, 'elsewhere')
      await writeFile(file, '')
      const script = `echo $PPID $$ > ${file}.new; mv ${file}.new ${file}; sleep 1000`
      const pids = async () => (await readFile(file, 'utf8')).trim().split(' ').map(Number)
      // In a session of its own, so that killing its group would not reach it.
      const ended = keepJob(lease(), shell(`setsid sh -c '${script}' & wait`))
      await until(async () => (await pids()).length === 2)
      const [leader, child] = await pids()
      const status = await readFile(`/proc/${leader}/stat`, 'utf8')
      process.kill(Number(status.split(' ')[3]), 'SIGKILL')
      expect((await ended).failure).toBe('its keeper ended before the job did')
      await until(async () => !(await isAlive(child)))
    },
  )
})

describe('a job whose coordinator', () => {
  let program = ''
  const parents: ChildProcess[] = []
  beforeAll(async () => {
    program = join(folder, 'parent.mjs')
    const contents = `
      import { keepJob } from './kept-job.ts'
      const [file, stubborn] = process.argv.slice(2)
      const lease = { token: 1, remaining: 1000, signal: new AbortController().signal }
      const trap = stubborn ? "trap '' TERM;" : ''
      const script = trap + 'echo $$ > ' + file + '; while :; do sleep 0.05; done'
      keepJob(lease, { command: ['sh', '-c', script], role: 'cron', lease: 1000, grace: 250 })
      process.on('SIGUSR2', () => { for (;;); })`
    buildSync({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      define: {
        'import.meta.url': JSON.stringify(new URL('../../core/built.ts', import.meta.url)),
      },
    })
  })
  afterAll(() => {
    for (const parent of parents) parent.kill('SIGKILL')
  })

  /** Starts a coordinator; returns it and its job. */
  async function started(name: string, stubborn: boolean) {
    const file = join(folder, name)
    await writeFile(file, '')
    const parent = spawn(process.execPath, [program, file, ...(stubborn ? ['stubborn'] : [])])
    parents.push(parent)
    await until(async () => (await readFile(file, 'utf8')) !== '')
    return { parent, job: Number(await readFile(file, 'utf8')) }
  }

  it.each([false, true])('is killed ends; stubborn: %s', async (stubborn) => {
    const { parent, job } = await started(`killed-${stubborn}`, stubborn)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await until(async () => !(await isAlive(job)))
  })

  it.each([
    ['stopped', 'SIGSTOP'],
    ['blocked', 'SIGUSR2'],
  ] as const)('is %s ends, while that lasts', async (name, signal) => {
    const { parent, job } = await started(name, true)
    parent.kill(signal)
    await until(async () => !(await isAlive(job)))
    expect(parent.exitCode).toBe(null)
  })
})
