/*
 * Runs every experiment of this folder, keeps what is small, and writes docs/reproduction.md. The
 * words are names of experiments; flags from the first one on, such as --on nats://host:4222, are
 * passed on.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = join(folder, '..')
const given = process.argv.slice(2)
const firstFlag = given.findIndex((word) => word.startsWith('-'))
const wanted = firstFlag < 0 ? given : given.slice(0, firstFlag)
const flags = firstFlag < 0 ? [] : given.slice(firstFlag)
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()
const scratch = mkdtempSync(join(tmpdir(), 'conclave-experiments-'))

let failed = 0
for (const name of names.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  const begun = Date.now()
  const out = join(scratch, name)
  let verdict = 'every claim holds'
  try {
    const words = [
      'dist/cli/bin.js',
      'experiment',
      `experiments/${name}.ts`,
      '--out',
      out,
      ...flags,
    ]
    execFileSync(process.execPath, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (error) {
    if (error.status !== 1 && error.status !== 3) throw error
    verdict = error.status === 1 ? 'a claim does not hold' : 'a claim cannot be told'
    failed++
  }
  keep(name, out)
  process.stdout.write(`${name}: ${verdict}, ${((Date.now() - begun) / 1000).toFixed(1)} s\n`)
}
rmSync(scratch, { recursive: true })
const page = 'test/suites/docs/reproduction-page.test.ts'
execFileSync('npx', ['vitest', 'run', '--mode', 'docs', page], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
})
process.exitCode = failed > 0 ? 1 : 0

/** The means, the figures on white and what was found; runs one by one can be had again. */
function keep(name, out) {
  const results = join(folder, 'results', name)
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  cpSync(join(out, 'summary.csv'), join(results, 'summary.csv'))
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))
  const { title, discussion, command, version, seed, runs, claims, fits, figures } = summary
  for (const figure of figures) {
    cpSync(join(out, 'figures', `${figure}.svg`), join(results, `${figure}.svg`))
  }
  const growth = fits.map(({ sentence }) => sentence)
  const kept = { title, discussion, command, version, seed, runs, claims, growth, figures }
  writeFileSync(join(results, 'findings.json'), `${JSON.stringify(kept, null, 2)}\n`)
}
