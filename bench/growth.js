import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { growthFigure } from './growth-figure.js'
import { measured, program } from './measured-process.js'

/*
 * How far one machine goes: whole commands of growing size, one process each. Messages per
 * CPU-second of the run itself, CPU time and memory of the whole process; the figure is
 * docs/growth.svg. `node bench/growth.js 7` ends at 10^7.
 */
const LARGEST = Number(process.argv[2] ?? 8)
/** Elections stop earlier: a ring of 10^8 nodes would take minutes for each of its phases. */
const [ELECTIONS, GOSSIP] = [7, 8]
const print = (line) => process.stdout.write(`${line}\n`)

/**
 * What others reach. Speed: Chang-Roberts on a ring of 10^5, random ids, delays 1 to 10, measured
 * by us on the development machine of this project with programs of our own for each. Memory: a
 * newly spawned process of Erlang takes 309 words (Erlang Efficiency Guide, 8.1), of 8 bytes.
 */
const PEERS = {
  speed: [
    { name: 'Erlang', n: 1e5, value: 5.6 },
    { name: 'ns-3', n: 1e5, value: 4.4 },
    { name: 'PeerSim', n: 1e5, value: 3.2 },
  ],
  memory: [{ name: 'Erlang process', n: 1e5, value: 309 * 8 }],
}

const commands = {
  'lcr, delays 1 to 10': (n) => ['lcr', '-n', `${n}`, '--delay', 'uniform:1:10'],
  'gossip in cycles': (n) => [
    'gossip-average',
    '-n',
    `${n}`,
    '--timing',
    'cycles',
    '--until',
    '20',
  ],
}
const ends = { 'lcr, delays 1 to 10': ELECTIONS, 'gossip in cycles': GOSSIP }

const empty = measured([program, 'run', 'lcr', '-n', '8']).bytes
const rows = []
print('command                          n      M messages/s     CPU-s    memory  bytes/node')
for (const [name, words] of Object.entries(commands))
  for (let power = 3; power <= Math.min(LARGEST, ends[name]); power++) {
    const n = 10 ** power
    const { stdout, cpuMs, bytes } = measured([program, 'run', ...words(n), '--json'])
    const speed = JSON.parse(stdout).speed.messagesPerSecond / 1e6
    const perNode = Math.max(0, bytes - empty) / n
    rows.push({ name, n, speed, perNode })
    // With fewer nodes the memory of the process itself would be counted as theirs.
    const each = n < 1e5 ? '' : perNode.toFixed(0)
    const memory = `${(bytes / 2 ** 20).toFixed(0)} MB`
    print(
      `${name.padEnd(24)} ${`10^${power}`.padStart(8)} ${speed.toFixed(1).padStart(17)}` +
        `${(cpuMs / 1000).toFixed(2).padStart(10)} ${memory.padStart(9)}` +
        `${each.padStart(12)}`,
    )
  }
for (const { name, value } of PEERS.speed)
  print(`${name}: ${value} M messages/s (Chang-Roberts, n = 10^5)`)
for (const { name, value } of PEERS.memory) print(`${name}: ${value} bytes`)

const path = fileURLToPath(new URL('../docs/growth.svg', import.meta.url))
writeFileSync(path, growthFigure(rows, PEERS))
print(`written: ${path}`)
