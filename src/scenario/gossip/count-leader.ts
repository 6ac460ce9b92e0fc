import { algorithmNamed } from '../../algorithms/index.ts'
import { type Topology, UsageError } from '../../core/index.ts'
import { integer } from '../../options/reading.ts'
import { resultOf, simulationOf } from '../../sim/index.ts'
import { prepareElection } from '../election/prepare-election.ts'

/** The election of the node that holds the 1 of a count. */
export interface ElectedCounter {
  readonly algorithm: string
  readonly leader: number
  readonly messages: number
}

interface CountLeader {
  /** A position; null: drawn at random. */
  readonly leader: number | null
  readonly elected: ElectedCounter | null
}

/** The node that holds the 1 of a count: drawn at random, given, or elected first. */
export function leaderOf(
  where: string,
  setting: number | string,
  { name, n }: Topology,
  seed: number,
  readFile?: (path: string) => string,
): CountLeader {
  if (setting === 'drawn') return { leader: null, elected: null }
  if (typeof setting === 'number') {
    return { leader: integer(where, setting, 0, n - 1, 'a position'), elected: null }
  }
  const elected = election(where, setting, name, seed, readFile)
  return { leader: elected.leader, elected }
}

/** Elects a leader on the same network, with the same ids as `run`. */
function election(
  where: string,
  algorithm: string,
  topology: string,
  seed: number,
  readFile?: (path: string) => string,
): ElectedCounter {
  const { world, conditions, properties } = prepareElection(
    { topology, seed },
    algorithmNamed(algorithm, where),
    () => where,
    readFile,
  )
  const simulation = simulationOf(world, conditions, properties)
  let ending = simulation.run(Number.MAX_SAFE_INTEGER)
  while (ending === null) ending = simulation.run(Number.MAX_SAFE_INTEGER)
  const { leader, messages } = resultOf(simulation, ending)
  if (leader !== null) return { algorithm, leader: leader.node, messages: messages.total }
  throw new UsageError(
    where,
    `${algorithm} elects no leader on ${topology} with seed ${seed}.`,
    'Use another algorithm, or leader=0.',
  )
}
