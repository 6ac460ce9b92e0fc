import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bounded } from './bounded-process.js'
import { worlds } from './reach-worlds.js'
import { FAST, missing, modelPath, verify } from './spin/verify.js'

/*
 * The largest worlds that the checker exhausts in a minute of CPU time and 8 GB, with reductions,
 * and beside them those of Spin, if it is installed, on models of the same algorithms
 * (bench/spin/README.md). Each world is tried with more and more nodes, until one is not
 * exhausted. `node bench/reach.js lcr bully --seconds 5` tries only some, for 5 seconds of CPU
 * time.
 */
const HELP = 'node bench/reach.js [world...] [--seconds S] [--memory MB]'
const { seconds, memoryMB, chosen } = given()
const program = fileURLToPath(new URL('check-one.js', import.meta.url))
const print = (line) => process.stdout.write(`${line}\n`)
const progress = (line) => process.stderr.write(`${line}\n`)

const absent = missing()
if (absent !== null) progress(`${absent} is not on the path: only Conclave is measured`)

print(`largest worlds in ${seconds} s of CPU time and ${memoryMB} MB`)
print(row('world', 'checker', ['n', 'states', 'CPU s', 'MB', 'next']))
for (const world of chosen) {
  const { title, sizes, words, none, model, spinSizes, defines, flags = [], eagerSizes } = world
  print(await largest(title, 'Conclave', sizes, (n) => ours(words(n))))
  if (absent !== null) continue
  if (none !== undefined) {
    print(row('', 'Spin', [none]))
    continue
  }
  const spin = (further) => (n) =>
    verify(modelPath(model), [`N=${n}`, ...defines(n), ...further], {
      flags: [...FAST, ...flags],
      seconds,
      memoryMB,
    })
  print(await largest('', 'Spin', spinSizes, spin([]), title))
  if (eagerSizes !== undefined)
    print(await largest('', 'Spin, woken first', eagerSizes, spin(['EAGER']), title))
}

async function largest(title, checker, sizes, explore, name = title) {
  let last = null
  for (const n of sizes) {
    const found = await explore(n)
    const what = `${checker}, ${name}, n = ${n}`
    if (found.errors > 0) throw new Error(`${what}: ${found.violated}`)
    if (!found.exhausted) {
      progress(`${what}: not exhausted`)
      return row(title, checker, [...cellsOf(last), `not ${n}`])
    }
    last = { n, ...found }
    progress(`${what}: ${whole(found.states)} states, ${found.cpuSeconds.toFixed(1)} s`)
  }
  return row(title, checker, [...cellsOf(last), 'not tried'])
}

function cellsOf(found) {
  if (found === null) return ['-', '-', '-', '-']
  const { n, states, cpuSeconds, memoryMB } = found
  return [String(n), whole(states), cpuSeconds.toFixed(1), whole(memoryMB)]
}

function whole(number) {
  return Math.round(number).toLocaleString('en-US')
}

/** The CPU time of a whole process; one that exceeds it is ended and prints nothing. */
async function ours(line) {
  const limits = `--seconds ${20 * seconds} --memory ${memoryMB} --states 4000000000`
  const words = [`--max-old-space-size=${memoryMB}`, program, ...`${line} ${limits}`.split(' ')]
  const { stdout, cpuSeconds } = await bounded([process.execPath, ...words], { seconds })
  if (stdout === '') return { exhausted: false, errors: 0 }
  const { refused, violated, exhausted, states, memoryMB: peak } = JSON.parse(stdout)
  if (refused !== '') throw new Error(refused.trim())
  const errors = violated === null ? 0 : 1
  return { exhausted, errors, violated, states, memoryMB: peak, cpuSeconds }
}

function row(title, checker, [n, ...cells]) {
  const first = `${title.padEnd(42)}${checker.padEnd(19)}`
  return cells.length === 0
    ? first + n
    : [first, n.padStart(5), ...cells.map((cell) => cell.padStart(13))].join('')
}

function given() {
  try {
    const options = { seconds: { type: 'string' }, memory: { type: 'string' } }
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const number = (name, otherwise) => {
      const value = Number(values[name] ?? otherwise)
      if (!(value > 0)) throw new Error(`--${name} must be a number above 0`)
      return value
    }
    const wanted = ({ title }) =>
      positionals.length === 0 || positionals.some((word) => title.startsWith(word))
    const unknown = positionals.find((word) => !worlds.some(({ title }) => title.startsWith(word)))
    if (unknown !== undefined) throw new Error(`no world begins with "${unknown}"`)
    return {
      seconds: number('seconds', 60),
      memoryMB: number('memory', 8000),
      chosen: worlds.filter(wanted),
    }
  } catch (error) {
    process.stderr.write(`${error.message}\nusage: ${HELP}\n`)
    process.exit(2)
  }
}
