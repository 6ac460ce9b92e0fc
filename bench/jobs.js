/*
 * npm run bench:jobs: the jobs of experiments in threads and on workers of a NATS server, all on
 * this machine. Jobs of about a second: runs per second with 1, 2 and 4 workers of one job each,
 * and with as many threads. Small jobs: what each costs on a worker. Then a caller with 100,000
 * small runs. A number as argument divides the amount of work, for a first look.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { fromSource } from './from-source.js'

const PROGRAM = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const DIVISOR = Number(process.argv[2] ?? 1)
const COUNTS = [1, 2, 4]
/** The better of two, since other programs may disturb one of them. */
const ROUNDS = 2
const POLL_MS = 100

const { startNatsServer } = await fromSource('test/support/nats-server.ts')
const server = await startNatsServer()
process.stdout.write(`${availableParallelism()} processors\n\n`)
try {
  const long = ['hirschberg-sinclair', '-n', String(await sizeOfOneSecond())]
  await throughput(long, Math.ceil(24 / DIVISOR))
  await overhead(Math.ceil(20_000 / DIVISOR))
  await manyRuns(Math.ceil(100_000 / DIVISOR))
} finally {
  await server.stop()
}

/** Doubles the ring until runs take long enough, and scales the size to one second. */
async function sizeOfOneSecond() {
  const repeat = 10
  for (let n = 2 ** 15; ; n *= 2) {
    const { seconds } = await experiment(['hirschberg-sinclair', '-n', String(n)], repeat, 1)
    if (seconds > repeat / 2) return Math.round((repeat * n) / seconds)
  }
}

async function throughput(scenario, repeat) {
  row(['runs per second', 'threads', 'workers', 'share'])
  for (const count of COUNTS) {
    const [threads, workers] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      threads.push(await experiment(scenario, repeat, count))
      workers.push(await withWorkers(count, () => experiment(scenario, repeat)))
    }
    const [here, there] = [threads, workers].map(
      (runs) => repeat / Math.min(...runs.map(({ seconds }) => seconds)),
    )
    row([count, here.toFixed(2), there.toFixed(2), (there / here).toFixed(2)])
  }
}

/** Small jobs take much less than what is done for each of them. */
async function overhead(repeat) {
  const small = ['lcr', '-n', '8']
  const empty = await withWorkers(1, () => experiment(small, 1))
  const threads = await experiment(small, repeat, 1)
  const worker = await withWorkers(1, () => experiment(small, repeat))
  const each = (seconds) => `${((seconds * 1e6) / repeat).toFixed(0)} us`
  row(['\nsmall jobs', 'one thread', 'one worker', 'a study of one'])
  const first = `${empty.seconds.toFixed(1)} s`
  row([repeat, each(threads.seconds), each(worker.seconds - empty.seconds), first])
}

async function manyRuns(repeat) {
  const small = ['lcr', '-n', '8']
  row(['\nmany runs', 'runs per s', 'caller CPU', 'caller MB'])
  for (const count of [1, 2]) {
    const run = await withWorkers(count, () => experiment(small, repeat))
    const { seconds, cpu, megabytes } = run
    const cells = [(repeat / seconds).toFixed(0), `${cpu.toFixed(1)} s`, megabytes.toFixed(0)]
    row([`${repeat}, ${count} workers`, ...cells])
  }
}

async function withWorkers(count, measure) {
  const workers = Array.from({ length: count }, (_, i) => startWorker(`w${i}`))
  try {
    await Promise.all(workers.map(({ started }) => started))
    return await measure()
  } finally {
    for (const { child } of workers) child.kill('SIGTERM')
    await Promise.all(workers.map(({ ended }) => ended))
  }
}

function startWorker(name) {
  const words = [PROGRAM, 'worker', server.url, '--parallel', '1', '--name', name, '--json']
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const started = new Promise((resolve) => child.stdout.once('data', resolve))
  child.stdout.resume()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return { child, started, ended }
}

/** In so many threads, or on the workers. */
async function experiment(scenario, repeat, threads) {
  const where = threads === undefined ? ['--on', server.url] : ['--threads', String(threads)]
  const words = ['experiment', ...scenario, '--repeat', String(repeat), ...where, '--json']
  const begun = performance.now()
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stdout.resume()
  child.stderr.on('data', (data) => {
    errors = (errors + data).slice(-2000)
  })
  let used = { cpu: 0, megabytes: 0 }
  const poll = setInterval(() => {
    used = usedBy(child.pid) ?? used
  }, POLL_MS)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(poll)
  if (code !== 0) throw new Error(`conclave ${words.join(' ')} ended with ${code}:\n${errors}`)
  return { seconds: (performance.now() - begun) / 1000, ...used }
}

/** Processor time and the largest memory of a process so far, where /proc tells it. */
function usedBy(pid) {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, megabytes: kilobytes / 1024 }
  } catch {
    return null
  }
}

function row([first, ...cells]) {
  const rest = cells.map((cell) => String(cell).padStart(16))
  process.stdout.write(`${String(first).padEnd(20)}${rest.join('')}\n`)
}
