import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PRELOADED = ['--require', fileURLToPath(new URL('cpu-at-exit.cjs', import.meta.url))]

/** The command line as it is installed. */
export const program = fileURLToPath(new URL('../bin/conclave.js', import.meta.url))

/** Runs Node.js with these words; its output, CPU time and largest memory. */
export function measured(words) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...PRELOADED, ...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0) throw new Error(`node ${words.join(' ')} failed: ${stderr}`)
  const [microseconds, kibibytes] = stderr.split('\n').at(-1).split(' ').map(Number)
  return { stdout, cpuMs: microseconds / 1000, bytes: kibibytes * 1024 }
}
