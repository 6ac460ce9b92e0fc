import { spawn } from 'node:child_process'

/* Other programs for a bounded CPU time. If this process ends, so do they. */

const running = new Set()

function endAll() {
  for (const { pid } of running)
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
}
process.once('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130))

/** The shell limits the CPU time of the program and says at the end how much it took. */
const SCRIPT = 'ulimit -t "$0"; "$@"; code=$?; times >&2; exit $code'

/** Runs a program; its output, exit code and CPU seconds. Ended after twenty times that. */
export function bounded(words, { seconds, cwd }) {
  return new Promise((resolve, reject) => {
    const limit = String(Math.ceil(seconds))
    // What a compiler leaves behind when it is ended lies in its own folder.
    const env = cwd === undefined ? process.env : { ...process.env, TMPDIR: cwd }
    const child = spawn('sh', ['-c', SCRIPT, limit, ...words], { cwd, env, detached: true })
    const late = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 20_000 * seconds)
    running.add(child)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (text) => {
      stdout += text
    })
    child.stderr.on('data', (text) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(late)
      running.delete(child)
      resolve({ stdout, stderr, code, cpuSeconds: childSeconds(stderr) })
    })
  })
}

/** `times` prints two lines: user and system time of the shell, then of its children. */
function childSeconds(stderr) {
  const times = [...stderr.matchAll(/(\d+)m([\d.]+)s/g)].slice(-2)
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  )
}
