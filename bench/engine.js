import {
  aggregations,
  changRoberts,
  hirschbergSinclair,
  raft,
} from '../dist/api/subpaths/algorithms.js'
import { flagged, prepare } from '../dist/scenario/index.js'
import { simulationOf } from '../dist/sim/index.js'

const algorithms = { 'chang-roberts': changRoberts, 'hirschberg-sinclair': hirschbergSinclair }

/** A world made ready outside the measurement, as in the speed that `run --json` prints. */
export function build(name, ids, seed) {
  const given = { n: ids.length, ids: Array.from(ids), delay: 'uniform:1:10', seed }
  const { world, conditions, properties } = prepare(given, algorithms[name], flagged)
  return simulationOf(world, conditions, properties)
}

/** Raft with a leader from time 14 on, for this many beats. */
export function buildRaft({ n }, beats) {
  const coins = Array.from({ length: n }, (_, node) => `${node}:${node === 0 ? 2 : 10}`).join(';')
  const given = { n, coins, until: 14 + 3 * (beats - 1) + 1 }
  const { world, conditions, properties } = prepare(given, raft, flagged)
  return simulationOf(world, conditions, properties)
}

/** Cycles of averaging, at once over an overlay or by messages; the world stands before. */
export function buildGossip({ name, n }, k, cycles, seed) {
  const wanted = name === 'push-sum' ? name : 'gossip-average'
  const aggregation = aggregations.find((candidate) => candidate.name === wanted)
  const given =
    name === 'gossip-messages'
      ? { n, seed }
      : { topology: `k-out:${n}:${k}`, timing: 'cycles', seed }
  const run = prepare(given, aggregation, flagged).begin()
  return () => {
    for (let cycle = 0; cycle < cycles; cycle++) run.run()
    run.finish()
    return run.traffic.total
  }
}
