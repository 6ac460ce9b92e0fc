import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { elapsed, monotonic } from './job-clocks.ts'

/*
 * The keeper of a job: a process between a coordinator and the command that it runs while it
 * leads. It starts the command in a process group of its own, and ends that group before the
 * lease ends, by its own clock. So the job does not outlive the lease, also when the coordinator
 * is killed, stopped or blocked.
 *
 * Standard input: lines `end MONOTONIC ELAPSED` with the end of the lease by both clocks, and
 * `stop`. File descriptor 3: lines `started PID`, `signalled NAME`, `ended CODE SIGNAL`, `failed
 * WHY`.
 */

/** How long before the end of the lease the job gets SIGTERM, and SIGKILL, in milliseconds. */
interface KeeperTimes {
  readonly terminate: number
  readonly kill: number
}

/** Suspended time is noticed after so long, in milliseconds. */
const LOOK = 100
/** A killed process that nobody buries is waited for only so long: it does nothing any more. */
const BURIAL = 1000

const [timesText, file, ...words] = process.argv.slice(2)
const times: KeeperTimes = JSON.parse(timesText)
const reports = createWriteStream('', { fd: 3 })

let job: ChildProcess | null = null
let mainEnded: readonly [code: number | null, signal: string | null] | null = null
let end = { monotonic: 0, elapsed: 0 }
let stopping = false
/** Nobody moves the end of the lease any more. */
let abandoned = false
let terminatedAt: number | null = null
let killedAt: number | null = null
let done = false

const remaining = () => Math.min(end.monotonic - monotonic(), end.elapsed - elapsed())

// The coordinator may be gone: who keeps the job goes on.
reports.on('error', () => {})
function report(line: string): void {
  reports.write(`${line}\n`)
}

function signalJob(signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-job!.pid!, signal)
  } catch {
    return false
  }
}

function terminate(): void {
  terminatedAt = monotonic()
  if (signalJob('SIGTERM')) report('signalled SIGTERM')
}

function kill(): void {
  killedAt = monotonic()
  if (signalJob('SIGKILL')) report('signalled SIGKILL')
}

/** Looks at the clocks and at the job, and does what is due. */
function look(): void {
  if (job?.pid === undefined || done) return
  if (mainEnded !== null) {
    const buried = killedAt !== null && monotonic() - killedAt > BURIAL
    if (buried || !signalJob(0)) {
      finish(mainEnded)
      return
    }
    // What is left in its group ends like a job whose coordinator is gone.
    stopping = true
    abandoned = true
  }
  const left = remaining()
  if (terminatedAt === null && (stopping || left <= times.terminate)) terminate()
  const grace = times.terminate - times.kill
  const overdue = abandoned && terminatedAt !== null && monotonic() - terminatedAt >= grace
  if (killedAt === null && (left <= times.kill || overdue)) kill()
}

function finish([code, signal]: readonly [number | null, string | null]): void {
  done = true
  report(`ended ${code ?? '-'} ${signal ?? '-'}`)
  reports.end(() => process.exit(0))
}

function start(): void {
  job = spawn(file, words, { stdio: ['ignore', 'inherit', 'inherit'], detached: true })
  job.once('error', ({ message }) => {
    report(`failed ${message}`)
    reports.end(() => process.exit(0))
  })
  job.once('spawn', () => report(`started ${job!.pid}`))
  job.once('exit', (code, signal) => {
    mainEnded = [code, signal]
    look()
  })
  const tick = () => {
    look()
    const left = remaining()
    const due = terminatedAt === null ? left - times.terminate : left - times.kill
    setTimeout(tick, Math.max(5, Math.min(LOOK, due)))
  }
  tick()
}

/** The lease was over before the job could be started, and nobody has renewed it. */
function giveUp(): void {
  if (job !== null || remaining() > 0) return
  report('failed the lease ended before it could be started')
  reports.end(() => process.exit(0))
}

/** The job ends now, and in any case before the lease does. */
function stop(): void {
  stopping = true
  if (job === null) process.exit(0)
  look()
}

const input = createInterface({ input: process.stdin })
input.on('line', (line) => {
  const [word, ...numbers] = line.split(' ')
  if (word === 'stop') {
    stop()
    return
  }
  const [byMonotonic, byElapsed] = numbers.map(Number)
  end = { monotonic: byMonotonic, elapsed: byElapsed }
  if (job === null && remaining() > times.terminate) start()
  else if (job === null) setTimeout(giveUp, LOOK)
})
input.on('close', () => {
  abandoned = true
  stop()
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
process.on('exit', () => {
  if (job?.pid !== undefined) signalJob('SIGKILL')
})
