import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bounded } from '../bounded-process.js'

/** The folder in which verifiers are compiled; removed when this process ends. */
let folder

/** How verifiers are compiled for large worlds: collapse compression, and room for long states. */
export const FAST = ['-O2', '-DCOLLAPSE', '-DVECTORSZ=262144']

/** Which program is missing to verify models; null if none is. */
export function missing() {
  const absent = (name, word) => spawnSync(name, [word], { stdio: 'ignore' }).error !== undefined
  return absent('spin', '-V') ? 'spin' : absent('gcc', '--version') ? 'gcc' : null
}

export function modelPath(name) {
  return fileURLToPath(new URL(`${name}.pml`, import.meta.url))
}

/** Generates and compiles the verifier of a model, and runs it within limits. */
export async function verify(model, defines, { flags, seconds, memoryMB }) {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), 'conclave-spin-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
  const cwd = mkdtempSync(join(folder, 'model-'))
  try {
    const steps = [
      ['spin', ...defines.map((define) => `-D${define}`), '-a', model],
      ['gcc', '-w', '-DSAFETY', `-DMEMLIM=${memoryMB}`, ...flags, '-o', 'pan', 'pan.c'],
    ]
    for (const words of steps) {
      const { code, stdout, stderr } = await bounded(words, { seconds: 600, cwd })
      if (code !== 0) throw new Error(`${words.join(' ')} failed:\n${stdout}${stderr}`)
    }
    const { stdout, cpuSeconds } = await bounded(['./pan', '-m1000000'], { seconds, cwd })
    return { ...reported(stdout), cpuSeconds }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** What a verifier prints at its end; one that was stopped prints no result. */
function reported(text) {
  const number = (pattern) => Number(pattern.exec(text)?.[1] ?? Number.NaN)
  const errors = number(/errors: (\d+)/)
  const incomplete = /Search not completed|max search depth too small/.test(text)
  return {
    errors,
    violated: /pan:1: (.*)/.exec(text)?.[1],
    exhausted: errors === 0 && !incomplete,
    states: number(/(\d+) states, stored/),
    memoryMB: number(/([\d.]+)\s+total actual memory usage/),
  }
}
