/** One process: the CPU time of each phase of `run lcr`, in milliseconds, as a line of JSON. */
const costs = {}
let before = process.cpuUsage()
function phase(name) {
  const { user, system } = process.cpuUsage(before)
  costs[name] = (user + system) / 1000
  before = process.cpuUsage()
}

const { lcr } = await import('../dist/api/subpaths/algorithms.js')
const { resultOf, simulationOf } = await import('../dist/sim/index.js')
const { flagged, prepare } = await import('../dist/scenario/index.js')
phase('loading')
const { world, conditions, properties } = prepare({ n: process.argv[2] }, lcr, flagged)
phase('preparation')
const simulation = simulationOf(world, conditions, properties)
phase('set-up')
const end = simulation.finish()
phase('run')
resultOf(simulation, end)
phase('judging')
process.stdout.write(`${JSON.stringify(costs)}\n`)
