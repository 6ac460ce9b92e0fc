import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { BUILT } from '../../core/built.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { JobContext, Work, WorkPlace } from '../../jobs/executor.ts'
import type { ConfinedJob, ConfinedOrder, ConfinedReport } from './confined-process.ts'
import { confinedCommand, endCause, unprivilegedUser } from './confinement.ts'

/** What the code of others may use. */
export interface ConfinedLimits {
  readonly memoryMB: number
  /** For one job, by the clock on the wall. */
  readonly seconds: number
}

/** The work of a study that brings its own code, in child processes that only compute. */
export interface ConfinedWork {
  /** Executes one job. Mistakes in the code are a UsageError with its place. */
  execute(input: unknown, context?: JobContext): Promise<unknown>
  close(): void
}

const PROCESS = fileURLToPath(new URL('cli/own-code/confined-process.js', BUILT))
const PROGRAM = fileURLToPath(BUILT)
const PACKAGE = fileURLToPath(new URL('../package.json', BUILT))
const DEFAULTS: ConfinedLimits = { memoryMB: 2048, seconds: 3600 }

/** What protects on every system. */
const LAYERS = ['no modules', 'permission model', 'empty environment', 'memory limit', 'time limit']

/** The protection from the code of others on this machine. */
export function confinementLayers(): readonly string[] {
  const { layers } = confinedCommand({ script: PROCESS, readable: [], memoryMB: 0 })
  return [...LAYERS, ...layers, ...(unprivilegedUser() === null ? [] : ['unprivileged user'])]
}

/** Opens a study with the bundle of its code; mistakes in loading it are a UsageError. */
export async function openConfined(
  work: Work,
  code: Uint8Array,
  { parallel }: WorkPlace,
  limits: ConfinedLimits = DEFAULTS,
): Promise<ConfinedWork> {
  const text = Buffer.from(code).toString()
  const start = () => ConfinedChild.start({ work, parallel, code: text }, limits)
  const first = await start()
  const all = new Set([first])
  const idle = [first]
  let closed = false
  return {
    async execute(input, context = {}) {
      if (closed) throw new Error('the work was closed')
      const child = idle.pop() ?? (await start())
      all.add(child)
      try {
        return await child.execute(input, context)
      } finally {
        if (child.ended || closed) {
          all.delete(child)
          child.kill()
        } else idle.push(child)
      }
    },
    close() {
      closed = true
      for (const child of all) child.kill()
    },
  }
}

interface Waiting {
  resolve(output: unknown): void
  reject(error: Error): void
  doing(what: string): void
}

/** One process, which executes one job at a time. */
class ConfinedChild {
  ended = false
  private waiting: Waiting | null = null
  private job = 0
  private late = false
  /** What went wrong while nothing was asked. */
  private failure: Error | null = null
  private errors = ''

  private constructor(
    private readonly child: ChildProcess,
    private readonly secret: string,
    private readonly limits: ConfinedLimits,
  ) {
    child.stdin?.on('error', () => {})
    child.stderr?.on('data', (data: Buffer) => {
      this.errors = (this.errors + data.toString('latin1')).slice(-10_000)
    })
    const channel = child.stdio[3] as Readable
    channel.on('error', () => {})
    createInterface({ input: channel }).on('line', (line) => this.read(line))
    child.once('error', (error) => this.end(error.message))
    child.once('close', (_, signal) => this.end(this.reason(signal)))
  }

  static async start(
    order: Omit<ConfinedOrder, 'secret' | 'user'>,
    limits: ConfinedLimits,
  ): Promise<ConfinedChild> {
    const { memoryMB } = limits
    const may = { script: PROCESS, readable: [`${PROGRAM}*`, PACKAGE], memoryMB }
    const { command, words } = confinedCommand(may)
    const secret = randomBytes(16).toString('hex')
    const process = spawn(command, words, {
      env: {},
      // No file of a user lies below: paths in errors stay as they are.
      cwd: PROGRAM,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    const child = new ConfinedChild(process, secret, limits)
    await child.ask({ ...order, secret, user: unprivilegedUser() }, {})
    return child
  }

  execute(input: unknown, context: JobContext): Promise<unknown> {
    this.job++
    return this.ask({ job: this.job, input }, context)
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }

  private async ask(
    message: ConfinedOrder | ConfinedJob,
    { doing, signal }: JobContext,
  ): Promise<unknown> {
    if (this.failure !== null) throw this.failure
    const timer = setTimeout(() => {
      this.late = true
      this.kill()
    }, this.limits.seconds * 1000)
    const abort = () => this.kill()
    signal?.addEventListener('abort', abort)
    try {
      return await new Promise((resolve, reject) => {
        this.waiting = { resolve, reject, doing: doing ?? (() => {}) }
        this.child.stdin?.write(`${JSON.stringify(message)}\n`)
      })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Lines without the secret come from nobody that we know. */
  private read(line: string): void {
    if (!line.startsWith(this.secret)) return
    const report = JSON.parse(line.slice(this.secret.length)) as ConfinedReport
    if ('ready' in report) this.answer(null)
    else if ('doing' in report) this.waiting?.doing(report.doing)
    else if ('output' in report) this.answer(report.output)
    else if ('error' in report) this.fail(new UsageError(...report.error))
    else this.fail(new Error(report.failed))
  }

  private end(reason: string): void {
    this.ended = true
    this.fail(new Error(reason))
  }

  /** What follows in the same chunk of lines belongs to the next question. */
  private answer(output: unknown): void {
    this.waiting?.resolve(output)
    this.waiting = null
  }

  private fail(error: Error): void {
    if (this.waiting === null) this.failure ??= error
    else this.waiting.reject(error)
    this.waiting = null
  }

  private reason(signal: string | null): string {
    const { memoryMB, seconds } = this.limits
    const end = endCause(this.late, signal, this.errors)
    if (end === 'memory') return `the code of the study needs more than ${memoryMB} MB of memory`
    return this.late
      ? `the code of the study did not finish a job within ${seconds} s`
      : 'the code of the study ended its process'
  }
}
