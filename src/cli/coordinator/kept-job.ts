import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { BUILT } from '../../core/built.ts'
import { elapsed, monotonic } from './job-clocks.ts'

/** The time in which a job may run, as a term of a role has it. */
export interface JobLease {
  readonly token: number
  /** Milliseconds until the lease ends. */
  readonly remaining: number
  /** Aborted when the job must end. */
  readonly signal: AbortSignal
}

export interface JobOptions {
  readonly command: readonly string[]
  readonly role: string
  /** Length of the lease in milliseconds. */
  readonly lease: number
  /** Time between SIGTERM and SIGKILL at the end of a lease, in milliseconds. */
  readonly grace: number
  /** Gets what the keeper does: `started 17`, `signalled SIGTERM`. */
  readonly told?: (what: string) => void
}

/** How a job ended; `failure` where it could not be started. */
export interface JobEnd {
  readonly code: number | null
  readonly signal: string | null
  readonly failure: string | null
}

const PROGRAM = fileURLToPath(new URL('cli/coordinator/keeper-process.js', BUILT))

/** The variable that marks the processes of a job. */
const MARK = 'CONCLAVE_JOB'
const MOST_LOOKS = 10

/** SIGKILL comes this share of a lease before the end, in case the keeper is late. */
const KILL_SHARE = 16

/** Runs a command through a keeper, which ends it before the lease ends; resolves when it ended. */
export function keepJob(lease: JobLease, options: JobOptions): Promise<JobEnd> {
  return new KeptJob(lease, options).ended
}

class KeptJob {
  readonly ended: Promise<JobEnd>
  /** What all its processes have in their environment, the keeper included. */
  private readonly mark = randomUUID()
  private readonly keeper: ChildProcess
  private end = Number.NEGATIVE_INFINITY
  private pid: number | null = null
  private outcome: JobEnd | null = null

  constructor(
    private readonly lease: JobLease,
    private readonly options: JobOptions,
  ) {
    this.keeper = this.started()
    this.ended = new Promise((resolve) => {
      this.keeper.once('close', () => resolve(this.closed()))
      this.keeper.once('error', ({ message }) => resolve(failed(message)))
    })
    createInterface({ input: this.keeper.stdio[3] as Readable }).on('line', (line) =>
      this.reported(line),
    )
    const renew = () => this.renew()
    const timer = setInterval(renew, this.options.lease / 8)
    const stop = () => this.send('stop')
    if (lease.signal.aborted) stop()
    else lease.signal.addEventListener('abort', stop, { once: true })
    void this.ended.then(() => {
      clearInterval(timer)
      lease.signal.removeEventListener('abort', stop)
    })
    renew()
  }

  private started(): ChildProcess {
    const { command, role, lease, grace } = this.options
    const kill = lease / KILL_SHARE
    const times = JSON.stringify({ terminate: kill + grace, kill })
    const token = String(this.lease.token)
    const keeper = spawn(process.execPath, [PROGRAM, times, ...command], {
      stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
      // Ctrl-C reaches the coordinator alone, which then ends the job.
      detached: true,
      env: {
        ...process.env,
        CONCLAVE_ROLE: role,
        CONCLAVE_TOKEN: token,
        CONCLAVE_TERM: token,
        [MARK]: this.mark,
      },
    })
    keeper.stdin?.on('error', () => {})
    return keeper
  }

  /** Tells the keeper when the lease ends, if that has moved. */
  private renew(): void {
    // The clocks first: a pause between the two readings then makes the end earlier, never later.
    const [now, counted] = [monotonic(), elapsed()]
    const { remaining } = this.lease
    if (remaining <= 0 || now + remaining <= this.end + 1) return
    this.end = now + remaining
    this.send(`end ${this.end} ${counted + remaining}`)
  }

  private send(line: string): void {
    if (this.keeper.stdin?.writable) this.keeper.stdin.write(`${line}\n`)
  }

  private reported(line: string): void {
    const [word, first, second] = line.split(' ')
    if (word === 'started') this.pid = Number(first)
    if (word === 'failed') this.outcome = failed(line.slice(word.length + 1))
    if (word === 'ended') {
      const code = first === '-' ? null : Number(first)
      this.outcome = { code, signal: second === '-' ? null : second, failure: null }
    }
    this.options.told?.(line)
  }

  /** The keeper is gone. If it did not say how the job ended, the job is killed here. */
  private closed(): JobEnd {
    if (this.outcome !== null) return this.outcome
    if (this.pid !== null) killed(-this.pid)
    // It may have started the job, and was killed before it could say so.
    const found = killMarked(`${MARK}=${this.mark}`)
    return failed(
      this.pid === null && !found
        ? 'its keeper ended before it was started'
        : 'its keeper ended before the job did',
    )
  }
}

/** Kills the processes with this in their environment, where /proc shows it; whether any was. */
function killMarked(mark: string): boolean {
  let found = false
  // Again, as long as there are any: one of them may have started another meanwhile.
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const marked = processes().filter((pid) => environmentOf(pid).includes(mark))
    if (marked.length === 0) break
    for (const pid of marked) killed(pid)
    found = true
  }
  return found
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Empty where the process is gone, or is that of another user. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    return []
  }
}

function failed(failure: string): JobEnd {
  return { code: null, signal: null, failure }
}
