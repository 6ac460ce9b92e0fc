import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/*
 * CPU time of whole short commands against that of an empty program, turn by turn, the best of
 * twenty runs each: what a user waits for before anything is simulated.
 */
const ROUNDS = 20
const preloaded = ['--require', fileURLToPath(new URL('cpu-at-exit.cjs', import.meta.url))]
const program = fileURLToPath(new URL('../bin/conclave.js', import.meta.url))
const print = (line) => process.stdout.write(`${line}\n`)

const commands = {
  'node -e 0': ['-e', '0'],
  'conclave run lcr -n 8': [program, 'run', 'lcr', '-n', '8'],
  'conclave check lcr -n 4': [program, 'check', 'lcr', '-n', '4'],
  'conclave list': [program, 'list'],
}

function milliseconds(words) {
  const { stderr } = spawnSync(process.execPath, [...preloaded, ...words], { encoding: 'utf8' })
  return Number(stderr.split('\n').at(-1)) / 1000
}

const best = new Map(Object.keys(commands).map((name) => [name, Number.POSITIVE_INFINITY]))
for (let round = 0; round < ROUNDS; round++)
  for (const [name, words] of Object.entries(commands))
    best.set(name, Math.min(best.get(name), milliseconds(words)))

const floor = best.get('node -e 0')
print('command                    CPU        ratio')
for (const [name, cost] of best)
  print(
    `${name.padEnd(24)} ${cost.toFixed(1).padStart(6)} ms ${(cost / floor).toFixed(2).padStart(8)}`,
  )
