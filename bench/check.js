import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/*
 * What the checker sees, and what that takes: CPU time of the exploration alone, the best of three
 * processes, and the most memory that such a process had. Without reduction every order of events
 * is looked at; what is too large for that is left out.
 */
const ROUNDS = 3
const MANY = 500_000
const BOTH = ['off', 'auto']
const AUTO = ['auto']
const cases = [
  ['lcr --ids 12,11,10,9,8,7,6,5,4,3,2,1', BOTH],
  ['lcr --ids 20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1', AUTO],
  ['hirschberg-sinclair --ids 8,3,6,2,7,5,1,4', BOTH],
  ['hirschberg-sinclair --ids 9,1,5,2,7,3,4,8,6', AUTO],
  ['lcr --ids all -n 8', AUTO],
  ['hirschberg-sinclair --ids all -n 6', AUTO],
  ['singh -n 5', AUTO],
  ['hirschberg-sinclair --ids 10,1,5,2,7,3,4,8,6,9', AUTO],
  ['lcr --ids all -n 9', AUTO],
  ['bully -n 4 --crashes 1 --mode clocked:1', BOTH],
  ['bully -n 5 --crashes 1 --mode clocked:1', BOTH],
  ['bully -n 4 --crashes 2 --mode clocked:1', BOTH],
  ['raft -n 3 --links lossy --crashes 1 --bound term=2', AUTO],
  ['raft -n 3 --crashes 1 --losses 1 --bound term=2 --mode clocked:1 --timeouts 2', BOTH],
  ['wireless -t ring:4', BOTH],
  ['ghs -t ring:4', BOTH],
  ['ring-list -n 4', BOTH],
  ['itai-rodeh -n 2 --states 20000', BOTH],
  ['gossip-average --values 0,4,8 --set exchanges=1', BOTH],
]
const program = fileURLToPath(new URL('check-one.js', import.meta.url))
const print = (line) => process.stdout.write(`${line}\n`)

const heading = ['reduction', 'states', 'transitions', 'CPU ms', 'MB', 'B/state']
print(row('case', heading))
for (const [line, reductions] of cases)
  for (const reduction of reductions) {
    const words = [...line.split(' '), '--reduction', reduction]
    const runs = Array.from({ length: ROUNDS }, () => measure(words))
    const best = runs.reduce((a, b) => (a.speed?.cpuMs <= b.speed?.cpuMs ? a : b))
    if (best.refused !== '') print(`${line}: ${best.refused.trim()}`)
    else {
      const { states, transitions, exhausted, violated, speed, memoryMB, bytesPerState } = best
      const numbers = [states, transitions, speed.cpuMs, memoryMB].map((it) =>
        Math.round(it).toLocaleString('en-US'),
      )
      // In a small world the compiled code of the checker takes more than the states.
      numbers.push(states < MANY ? '' : Math.round(bytesPerState).toString())
      const doubt = violated !== null ? ' violated' : exhausted ? '' : ' not exhausted'
      print(row(line, [reduction, ...numbers]) + doubt)
    }
  }

function measure(words) {
  return JSON.parse(execFileSync(process.execPath, [program, ...words], { encoding: 'utf8' }))
}

function row(title, cells) {
  return [title.padEnd(80), ...cells.map((cell) => cell.padStart(12))].join('')
}
