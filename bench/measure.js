import { cases, idsOf } from './cases.js'

/** One process of the benchmark: `node measure.js engine|floor CASE`, and a line of JSON comes out. */
const [, , side, index] = process.argv
const one = cases[Number(index)]
const ids = idsOf(one)

let messages = 0
let microseconds = 0
let bytesPerNode = 0
const { build } = await import('./engine.js')
const floor = await import(`./floor-${one.name}.js`)
globalThis.gc?.()
const before = process.memoryUsage().rss

for (let seed = 1; seed <= one.runs; seed++) {
  const simulation = side === 'engine' ? build(one.name, ids, seed) : null
  const start = process.cpuUsage()
  messages += simulation === null ? floorRun(seed) : (simulation.finish(), simulation.meter.total)
  const { user, system } = process.cpuUsage(start)
  microseconds += user + system
  const peak = process.resourceUsage().maxRSS * 1024
  bytesPerNode = Math.max(bytesPerNode, (peak - before) / one.n)
}

process.stdout.write(
  `${JSON.stringify({ rate: messages / microseconds, messages, bytesPerNode })}\n`,
)

function floorRun(seed) {
  const { election = 0, probe = 0, reply = 0, leader } = floor.run(ids, seed)
  return election + probe + reply + leader
}
