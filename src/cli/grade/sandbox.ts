import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { BUILT } from '../../core/built.ts'
import type { GradeStep } from '../../experiment/grade/grade.ts'
import type { WorkModule } from '../../jobs/executor.ts'
import { confinedCommand, endCause, unprivilegedUser } from '../own-code/confinement.ts'
import type { RealmReport } from './realm.ts'
import type { SandboxOrder } from './sandbox-process.ts'

/** What a file may use before it is stopped. */
export interface SandboxLimits {
  /** Of processor time, where the system counts it; else of time. */
  readonly seconds: number
  readonly memoryMB: number
}

/** How grading a file ended. */
export type SandboxResult =
  | Extract<RealmReport, { done: unknown } | { failed: unknown }>
  | {
      readonly stopped: 'time' | 'memory' | 'ended'
      /** What it was doing, and what it had found. */
      readonly progress: GradeStep
    }

export interface SandboxRun {
  readonly result: SandboxResult
  /** The protection that was in force. */
  readonly layers: readonly string[]
}

const PROCESS = fileURLToPath(new URL('cli/grade/sandbox-process.js', BUILT))
const REALM = fileURLToPath(new URL('cli/grade/realm.js', BUILT))
/** The file is loaded within this processor time. */
const LOADING_SECONDS = 5
/** Under load a process gets a share of a processor: the clock on the wall is not fair. */
const [WALL_FACTOR, WALL_SECONDS] = [10, 30]
const POLL_MS = 200
const MOST_TEXT = 1 << 24

/** A file to grade, as a script with its name in stack traces, and what its realm is asked for. */
export interface GradeJob {
  readonly code: string
  readonly name: string
  readonly request: string
}

/** Grades scripts, as work for this and other machines. */
export const gradeWork: WorkModule<SandboxLimits, GradeJob, SandboxRun> = {
  async open(limits) {
    return (job, { doing = () => {}, signal }) => runInSandbox(job, limits, doing, signal)
  },
}

/** Grades a script in a child process that can do nothing but compute. */
export async function runInSandbox(
  script: GradeJob,
  { seconds, memoryMB }: SandboxLimits,
  onProgress: (doing: string) => void,
  signal?: AbortSignal,
): Promise<SandboxRun> {
  const { command, words, layers } = confinedCommand({
    script: PROCESS,
    readable: [REALM],
    seconds,
    memoryMB,
    flags: ['--disallow-code-generation-from-strings'],
  })
  const secret = randomBytes(16).toString('hex')
  const child = spawn(command, words, {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  })
  const order: SandboxOrder = {
    secret,
    realm: REALM,
    ...script,
    user: unprivilegedUser(),
  }
  child.stdin?.on('error', () => {})
  child.stdin?.end(JSON.stringify(order))
  const watched = new WatchedChild(child, secret, onProgress)
  const result = await watched.result(seconds, layers.includes('CPU time limit'))
  const user = watched.unprivileged ? ['unprivileged user'] : []
  return { result, layers: [...LAYERS, ...layers, ...user] }
}

/** What protects on every system. */
const LAYERS = ['bare realm', 'permission model', 'empty environment', 'memory limit', 'time limit']

/** Reads the reports of a child, and stops it when it takes too long. */
class WatchedChild {
  unprivileged = false
  private progress: GradeStep = { doing: STARTING, violated: [] }
  private last: SandboxResult | null = null
  private stopped = false
  private errors = ''
  /** When the present step began, and the processor time then. */
  private stepCpu = 0

  constructor(
    private readonly child: ChildProcess,
    private readonly secret: string,
    private readonly onProgress: (doing: string) => void,
  ) {
    const channel = child.stdio[3] as Readable
    channel.on('error', () => {})
    createInterface({ input: channel }).on('line', (line) => this.read(line))
    child.stderr?.on('data', (data: Buffer) => {
      if (this.errors.length < MOST_TEXT) this.errors += data.toString('latin1')
    })
  }

  async result(seconds: number, cpu: boolean): Promise<SandboxResult> {
    const { child } = this
    const wall = cpu ? WALL_FACTOR * seconds + WALL_SECONDS : seconds
    const timer = setTimeout(() => this.stop(), wall * 1000)
    const poll = setInterval(() => {
      if (this.progress.doing !== LOADING) return
      if (cpuSeconds(child.pid) - this.stepCpu > LOADING_SECONDS) this.stop()
    }, POLL_MS)
    const signal = await new Promise<string | null>((resolve) => {
      child.once('error', (error) => {
        this.errors += error.message
        resolve(null)
      })
      child.once('close', (_, name) => resolve(name))
    })
    clearTimeout(timer)
    clearInterval(poll)
    return (
      this.last ?? { stopped: endCause(this.stopped, signal, this.errors), progress: this.progress }
    )
  }

  private stop(): void {
    this.stopped = true
    this.child.kill('SIGKILL')
  }

  /** Lines without the secret come from nobody that we know. */
  private read(line: string): void {
    if (!line.startsWith(this.secret) || this.last !== null) return
    const report = JSON.parse(line.slice(this.secret.length)) as
      | RealmReport
      | { readonly ready: { readonly user: boolean } }
    if ('ready' in report) this.unprivileged = report.ready.user
    else if ('doing' in report) {
      this.progress = report
      this.stepCpu = cpuSeconds(this.child.pid)
      this.onProgress(report.doing)
    } else this.last = report
  }
}

/** Before the file is loaded. */
export const STARTING = 'starting'
const LOADING = 'loading the file'
/** Clock ticks per second of /proc: the same on every Linux. */
const TICKS = 100

/** The processor time of a process so far; 0 where the system does not tell it. */
function cpuSeconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return 0
  }
}
