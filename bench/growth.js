import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { growthFigure } from './growth-figure.js'
import { measured, program } from './measured-process.js'

/*
 * How far one machine goes: whole commands of growing size, one process each. Messages per
 * CPU-second of the run itself, CPU time and memory of the whole process. It writes the figure
 * docs/growth.svg and the table in docs/scaling.md. `node bench/growth.js 5 --svg FILE` ends at
 * 10^5 and writes only that figure.
 */
const HELP = 'node bench/growth.js [largest power of ten, 3 to 8] [--svg FILE]'
const { largest, svg } = given()
const WIDTHS = [19, 5, 20, 6, 7, 14]
const table = []
const print = (text) => process.stdout.write(`${text}\n`)
const docs = (name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url))

/**
 * What others reach; docs/scaling.md has the sources. Speed: Chang-Roberts on a ring of 10^5 nodes,
 * random ids, delays 1 to 10, measured on the development machine of this project with programs of
 * our own for each. Memory: a newly spawned process, by the Efficiency Guide of Erlang/OTP 27.
 */
const PEERS = {
  speed: [
    { name: 'Erlang', n: 1e5, value: 5.6 },
    { name: 'ns-3', n: 1e5, value: 4.4 },
    { name: 'PeerSim', n: 1e5, value: 3.2 },
  ],
  memory: [{ name: 'Erlang process', n: 1e5, value: 2616 }],
}

/** Elections end earlier: a ring of 10^8 nodes would take minutes, and 6 GB. */
const runs = [
  { name: 'lcr, delays 1 to 10', end: 7, words: (n) => `lcr -n ${n} --delay uniform:1:10` },
  {
    name: 'gossip in cycles',
    end: 8,
    words: (n) => `gossip-average -n ${n} --timing cycles --until 20`,
  },
]

const empty = measured([program, 'run', 'lcr', '-n', '8']).bytes
const rows = []
add(['run', 'nodes', 'M messages per CPU-s', 'CPU-s', 'memory', 'bytes per node'])
for (const { name, end, words } of runs)
  for (let power = 3; power <= Math.min(largest, end); power++) {
    const n = 10 ** power
    if (process.stderr.isTTY) process.stderr.write(`${name}, 10^${power} nodes ...\r`)
    const { stdout, cpuMs, bytes } = measured([program, 'run', ...words(n).split(' '), '--json'])
    const speed = JSON.parse(stdout).speed.messagesPerSecond / 1e6
    const perNode = Math.max(0, bytes - empty) / n
    rows.push({ name, n, speed, perNode })
    // With fewer nodes the memory of the process itself would be counted as theirs.
    const each = n < 1e5 ? '' : perNode.toFixed(0)
    const [cpu, memory] = [(cpuMs / 1000).toFixed(2), `${(bytes / 2 ** 20).toFixed(0)} MB`]
    add([name, `10^${power}`, speed.toFixed(1), cpu, memory, each])
  }
for (const { name, value } of PEERS.speed)
  print(`${name}: ${value} M messages per CPU-second (Chang-Roberts, n = 10^5)`)
for (const { name, value } of PEERS.memory) print(`${name}: ${value} bytes`)

writeFileSync(svg ?? docs('growth.svg'), growthFigure(rows, PEERS))
print(`written: ${svg ?? docs('growth.svg')}`)
if (svg === undefined) replaceTable(docs('scaling.md'))

/** Adds a row to the table, and prints it. */
function add(cells) {
  table.push(cells)
  print(row(cells, WIDTHS))
}

function row([first, ...others], [width, ...widths]) {
  return ['', first.padEnd(width), ...others.map((cell, i) => cell.padStart(widths[i])), '']
    .join(' | ')
    .trim()
}

/** The table in Markdown, its columns as wide as their longest cell. */
function markdown() {
  const widths = table[0].map((_, i) => Math.max(...table.map((cells) => cells[i].length)))
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [head, ...body] = table
  return [head, rule, ...body].map((cells) => row(cells, widths)).join('\n')
}

/** The table stands alone below the figure: it goes up to the next empty line. */
function replaceTable(path) {
  const page = readFileSync(path, 'utf8')
  const place = /(\(growth\.svg\)\n\n)(\|[^\n]*\n)+/
  if (!place.test(page)) throw new Error(`${path} has no table below the figure growth.svg`)
  writeFileSync(
    path,
    page.replace(place, (_, before) => `${before}${markdown()}\n`),
  )
  print(`written: ${path}`)
}

function given() {
  try {
    const options = { svg: { type: 'string' } }
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [largest = '8', ...more] = positionals
    if (!/^[3-8]$/.test(largest) || more.length > 0)
      throw new Error('The largest power of ten must be a whole number from 3 to 8.')
    return { largest: Number(largest), svg: values.svg }
  } catch (error) {
    process.stderr.write(`${error.message}\nusage: ${HELP}\n`)
    process.exit(2)
  }
}
