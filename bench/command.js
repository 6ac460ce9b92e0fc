import { fileURLToPath } from 'node:url'
import { measured, program } from './measured-process.js'

/*
 * Where the CPU time of a whole command goes, in milliseconds: `run lcr` of several sizes, turn by
 * turn, the best of some runs. The phases between loading and report are those of a process that
 * calls them one by one (phases.js), as cold as in the command; the report is the rest.
 */
const ROUNDS = 5
const SIZES = [8, 100_000, 1_000_000]
const PHASES = ['preparation', 'set-up', 'run', 'judging']
const print = (line) => process.stdout.write(`${line}\n`)
const phases = fileURLToPath(new URL('phases.js', import.meta.url))

const best = new Map()
const note = (name, cost) =>
  best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, cost))
for (let round = 0; round < ROUNDS; round++) {
  note('node', measured(['-e', '0']).cpuMs)
  for (const n of SIZES) {
    note(`whole ${n}`, measured([program, 'run', 'lcr', '-n', `${n}`]).cpuMs)
    for (const [name, cost] of Object.entries(JSON.parse(measured([phases, `${n}`]).stdout)))
      note(`${name} ${n}`, cost)
  }
}

const cell = (cost) => Math.max(0, cost).toFixed(1).padStart(12)
const columns = ['n', 'node', 'loading', ...PHASES, 'report, rest', 'whole']
print(columns.map((name) => name.padStart(12)).join(''))
for (const n of SIZES) {
  const node = best.get('node')
  const loading = best.get(`loading ${n}`)
  const parts = PHASES.map((name) => best.get(`${name} ${n}`))
  const whole = best.get(`whole ${n}`)
  const rest = whole - node - loading - parts.reduce((a, b) => a + b)
  print(`${n}`.padStart(12) + [node, loading, ...parts, rest, whole].map(cell).join(''))
}
print(`\nrun lcr -n 8 takes ${(best.get('whole 8') / best.get('node')).toFixed(2)} times node -e 0`)
