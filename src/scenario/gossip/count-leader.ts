import { catalogue } from '../../algorithms/index.ts'
import { type Topology, UsageError } from '../../core/index.ts'
import { resultOf, simulate } from '../../sim/index.ts'
import { integer } from '../fields/reading.ts'
import { prepare } from '../prepare.ts'

/** What it took to elect the node that holds the 1 of a count. */
export interface ElectedCounter {
  readonly algorithm: string
  readonly leader: number
  readonly messages: number
}

interface CountLeader {
  /** A position; null: any node will do. */
  readonly leader: number | null
  readonly elected: ElectedCounter | null
}

/** Who holds the 1 of a count: whoever is drawn, a given node, or the one that is elected first. */
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

/** On the same network, with the ids that `run` would give to its nodes. */
function election(
  where: string,
  algorithm: string,
  topology: string,
  seed: number,
  readFile?: (path: string) => string,
): ElectedCounter {
  const found = catalogue.find(({ name }) => name === algorithm)
  if (found === undefined) throw new Error(`No election ${algorithm}`)
  const { world, conditions, properties } = prepare(
    { topology, seed },
    found,
    () => where,
    readFile,
  )
  const simulation = simulate(world, conditions, properties)
  let ending = simulation.run(Number.MAX_SAFE_INTEGER)
  while (ending === null) ending = simulation.run(Number.MAX_SAFE_INTEGER)
  const { leader, messages } = resultOf(simulation, ending)
  if (leader !== null) return { algorithm, leader: leader.node, messages: messages.total }
  throw new UsageError(
    where,
    `an election that ends with one leader is needed, but ${algorithm} found none on ${topology} with seed ${seed}.`,
    'Use another one, or leader=0.',
  )
}
