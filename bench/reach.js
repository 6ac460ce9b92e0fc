import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/*
 * The largest worlds that the checker exhausts in a minute and 8 GB. Each family is tried with more
 * and more nodes, until one is not exhausted. `node bench/reach.js lcr bully` tries only some.
 */
const LIMITS = '--seconds 60 --memory 8000 --states 4000000000'
const range = (from, to, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)
const decreasing = (n) => Array.from({ length: n }, (_, i) => n - i).join()

const families = [
  ['lcr, no reduction', range(11, 20), (n) => `lcr --ids ${decreasing(n)} --reduction off`],
  ['lcr', range(50, 1000, 50), (n) => `lcr --ids ${decreasing(n)}`],
  ['hirschberg-sinclair', range(7, 20), (n) => `hirschberg-sinclair -n ${n}`],
  ['peterson', range(10, 200, 10), (n) => `peterson -n ${n}`],
  ['franklin', range(7, 40), (n) => `franklin -n ${n}`],
  ['bully, a crash, clocked:1', range(3, 12), (n) => `bully -n ${n} --crashes 1 --mode clocked:1`],
  [
    'bully, 2 crashes, clocked:1',
    range(3, 12),
    (n) => `bully -n ${n} --crashes 2 --mode clocked:1`,
  ],
  ['singh', range(3, 12), (n) => `singh -n ${n}`],
  [
    'raft, term 2, a crash, lossy links',
    range(2, 7),
    (n) => `raft -n ${n} --links lossy --crashes 1 --bound term=2`,
  ],
  [
    'raft, term 2, a crash, a loss, clocked:1',
    range(2, 7),
    (n) => `raft -n ${n} --crashes 1 --losses 1 --bound term=2 --mode clocked:1 --timeouts 2`,
  ],
  [
    'quorum-lease, bounded to term 2',
    range(2, 7),
    (n) => `quorum-lease -n ${n} --set lease=4 --bound term=2 number=5 age=1 --timeouts 1`,
  ],
  ['ghs on a ring', range(3, 12), (n) => `ghs -t ring:${n}`],
  [
    'gossip-average, one exchange',
    range(2, 12),
    (n) => `gossip-average --values ${range(1, n).join()} --set exchanges=1`,
  ],
]

const program = fileURLToPath(new URL('check-one.js', import.meta.url))
const wanted = process.argv.slice(2)
const print = (line) => process.stdout.write(`${line}\n`)

print(row('largest world in a minute and 8 GB', ['n', 'states', 'CPU s', 'MB', 'next n']))
for (const [title, sizes, lineOf] of families)
  if (wanted.length === 0 || wanted.some((word) => title.startsWith(word)))
    print(largest(title, sizes, lineOf))

function largest(title, sizes, lineOf) {
  let last = null
  for (const n of sizes) {
    const found = measure(lineOf(n))
    if (found.refused !== '') return `${title}: ${found.refused.trim()}`
    if (!found.exhausted) {
      const why = found.violated === null ? `not ${n}` : `${n} violated`
      return row(title, [...cellsOf(last), why])
    }
    last = { n, ...found }
  }
  return row(title, [...cellsOf(last), 'not tried'])
}

function cellsOf(found) {
  if (found === null) return ['-', '-', '-', '-']
  const { n, states, speed, memoryMB } = found
  const whole = (number) => Math.round(number).toLocaleString('en-US')
  return [String(n), whole(states), (speed.cpuMs / 1000).toFixed(1), whole(memoryMB)]
}

function measure(line) {
  const words = `${line} ${LIMITS}`.split(' ')
  const options = ['--max-old-space-size=8000', program, ...words]
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }))
}

function row(title, cells) {
  return [title.padEnd(44), ...cells.map((cell) => cell.padStart(14))].join('')
}
