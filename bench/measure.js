import { cases, idsOf } from './cases.js'

/** One process of the benchmark: `node measure.js engine|floor CASE` prints a line of JSON. */
const [, , side, index] = process.argv
const one = cases[Number(index)]
const ids = idsOf(one)

const { build } = await import('./engine.js')
const floor = await import(`./floor-${one.name}.js`)
globalThis.gc?.()
const before = process.memoryUsage().rss

let rate = 0
let messages = 0
/** Of the first run: the peak of memory since before its world was built. */
let bytesPerNode
for (let seed = 1; seed <= one.runs; seed++) {
  const simulation = side === 'engine' ? build(one.name, ids, seed) : null
  const start = process.cpuUsage()
  simulation?.finish()
  const sent = simulation?.meter.total ?? floorRun(seed)
  const { user, system } = process.cpuUsage(start)
  rate = Math.max(rate, sent / (user + system))
  messages += sent
  bytesPerNode ??= (process.resourceUsage().maxRSS * 1024 - before) / one.n
}

process.stdout.write(`${JSON.stringify({ rate, messages, bytesPerNode })}\n`)

function floorRun(seed) {
  const { election = 0, probe = 0, reply = 0, leader } = floor.run(ids, seed)
  return election + probe + reply + leader
}
