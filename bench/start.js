import { measured, program } from './measured-process.js'

/*
 * CPU time of whole short commands against that of an empty program, turn by turn, the best of
 * twenty runs each: what a user waits for before anything is simulated.
 */
const ROUNDS = 20
const print = (line) => process.stdout.write(`${line}\n`)

const commands = {
  'node -e 0': ['-e', '0'],
  'conclave run lcr -n 8': [program, 'run', 'lcr', '-n', '8'],
  'conclave check lcr -n 4': [program, 'check', 'lcr', '-n', '4'],
  'conclave list': [program, 'list'],
}

const best = new Map(Object.keys(commands).map((name) => [name, Number.POSITIVE_INFINITY]))
for (let round = 0; round < ROUNDS; round++)
  for (const [name, words] of Object.entries(commands))
    best.set(name, Math.min(best.get(name), measured(words).cpuMs))

const floor = best.get('node -e 0')
print('command                    CPU        ratio')
for (const [name, cost] of best)
  print(
    `${name.padEnd(24)} ${cost.toFixed(1).padStart(6)} ms ${(cost / floor).toFixed(2).padStart(8)}`,
  )
