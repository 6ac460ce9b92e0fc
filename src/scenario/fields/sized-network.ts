import { Random, type Topology, UsageError } from '../../core/index.ts'
import { type NetworkOptions, network as networkOf } from '../../core/networks/network.ts'
import type { FieldLocator, ScenarioInput } from '../scenario.ts'
import { integer } from './reading.ts'

/** Nodes up to this many fit into the memory that Node.js takes by itself. */
const LARGEST = 2 ** 24

/** How many nodes the default network has unless it is said. */
export const DEFAULT_SIZE = 8

/** What a scenario says of its network; lists have one entry for each node. */
interface Wanted {
  readonly topology?: string | undefined
  readonly ids?: readonly number[] | string | undefined
  readonly values?: readonly number[] | string | undefined
  readonly seed: number
}

/** The network that was named, or another one at the size that was given. */
export function sizedNetwork(
  given: ScenarioInput,
  { topology: named, ids, values, seed }: Wanted,
  otherwise: (n: number) => string,
  options: Omit<NetworkOptions, 'random'>,
  where: FieldLocator,
): Topology {
  const lists = { ids: listLength(ids), values: listLength(values) }
  const asked = given.n === undefined ? null : integer(where('n'), given.n, 1, LARGEST)
  const text = named ?? otherwise(asked ?? lists.ids ?? lists.values ?? DEFAULT_SIZE)
  const random = Random.from(seed).split('topology')
  const topology = built(where('topology'), () => networkOf(text, { ...options, random }))
  const { n } = topology
  if (asked !== null && asked !== n) throw disagreement(where('n'), `${asked} was`, topology)
  for (const [field, length] of Object.entries(lists)) {
    if (length === null || length === n) continue
    const few = length === 1 ? `${field.replace(/s$/, '')} was` : `${field} were`
    throw disagreement(where(field), `${length} ${few}`, topology)
  }
  integer(where('topology'), n, 1, LARGEST, 'a number of nodes')
  return topology
}

function listLength(list: readonly number[] | string | undefined): number | null {
  return list === undefined || typeof list === 'string' ? null : list.length
}

/** Those who read the text of a network do not know where the user wrote it. */
function built(where: string, build: () => Topology): Topology {
  try {
    return build()
  } catch (error) {
    throw error instanceof UsageError ? error.at(where) : error
  }
}

function disagreement(where: string, given: string, { name, n }: Topology): UsageError {
  return new UsageError(
    where,
    `the size must agree with ${name}, which has ${n}, but ${given} given.`,
    'Change one of them, or leave one out.',
  )
}
