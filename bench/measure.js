import { cases, idsOf } from './cases.js'

/** One process of the benchmark: `node measure.js engine|floor CASE` prints a line of JSON. */
const [, , side, index] = process.argv
const one = cases[Number(index)]
const gossip = one.name.startsWith('gossip-') || one.name === 'push-sum'
const ids = gossip ? null : idsOf(one)
const [DEGREE, CYCLES] = [20, 30]

const { build, buildGossip } = await import('./engine.js')
const floor = await import(`./floor-${one.name}.js`)
globalThis.gc?.()
const before = process.memoryUsage().rss

let rate = 0
let messages = 0
/** Of the first run: the peak of memory since before its world was built. */
let bytesPerNode
for (let seed = 1; seed <= one.runs; seed++) {
  const run = gossip ? gossipOf(seed) : electionOf(seed)
  const start = process.cpuUsage()
  const sent = run()
  const { user, system } = process.cpuUsage(start)
  rate = Math.max(rate, sent / (user + system))
  messages += sent
  bytesPerNode ??= (process.resourceUsage().maxRSS * 1024 - before) / one.n
}

process.stdout.write(`${JSON.stringify({ rate, messages, bytesPerNode })}\n`)

/** Each of these builds a world and returns what runs it and counts the messages. */
function electionOf(seed) {
  if (side === 'floor') return () => floorRun(seed)
  const simulation = build(one.name, ids, seed)
  return () => {
    simulation.finish()
    return simulation.counters.total
  }
}

function gossipOf(seed) {
  if (side === 'engine') return buildGossip(one, DEGREE, CYCLES, seed)
  const values = Float64Array.from({ length: one.n }, (_, node) => node)
  if (one.name === 'gossip-messages') return () => floor.run(values, CYCLES, seed)
  const targets = floor.overlay(one.n, DEGREE, seed)
  return () => floor.run(values, targets, CYCLES, seed)
}

function floorRun(seed) {
  const { election = 0, probe = 0, reply = 0, leader } = floor.run(ids, seed)
  return election + probe + reply + leader
}
