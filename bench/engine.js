import { changRoberts, hirschbergSinclair } from '../dist/algorithms/index.js'
import { flagged, prepare } from '../dist/scenario/index.js'
import { simulate } from '../dist/sim/index.js'

const algorithms = { 'chang-roberts': changRoberts, 'hirschberg-sinclair': hirschbergSinclair }

/** A world made ready outside the measurement, as in the speed that `run --json` prints. */
export function build(name, ids, seed) {
  const given = { n: ids.length, ids: Array.from(ids), delay: 'uniform:1:10', seed }
  const { world, conditions, properties } = prepare(given, algorithms[name], flagged)
  return simulate(world, conditions, properties)
}
