import { Random, type Topology, UsageError } from '../../core/index.ts'
import { type NetworkOptions, network as networkOf } from '../../core/networks/network.ts'
import { MOST_COMPUTED } from '../../core/networks/parameter.ts'
import { counted, grouped } from '../../core/text-format.ts'
import { integer } from '../../options/reading.ts'
import type { FieldLocator, ScenarioInput } from '../scenario.ts'

/** More nodes are not simulated; whether the memory suffices for so many depends on the machine. */
const LARGEST = MOST_COMPUTED

/** The number of nodes of a default network. */
export const DEFAULT_SIZE = 8

/** The fields that determine the network; lists have one entry per node. */
interface NetworkFields {
  readonly topology?: string | undefined
  readonly ids?: readonly number[] | string | undefined
  readonly values?: readonly number[] | string | undefined
  readonly seed: number
}

/** The given network, or the default one of the given size. */
export function sizedNetwork(
  given: ScenarioInput,
  { topology: named, ids, values, seed }: NetworkFields,
  otherwise: (n: number) => string,
  options: Omit<NetworkOptions, 'random'>,
  where: FieldLocator,
): Topology {
  const lists = { ids: listLength(ids), values: listLength(values) }
  const asked = given.n === undefined ? null : integer(where('n'), given.n, 1, LARGEST)
  const byDefault = () => otherwise(asked ?? lists.ids ?? lists.values ?? DEFAULT_SIZE)
  const sizing = asked !== null ? 'n' : lists.ids !== null ? 'ids' : 'values'
  const text = named ?? built(where(sizing), byDefault)
  const random = Random.from(seed).split('topology')
  const topology = built(where('topology'), () => networkOf(text, { ...options, random }))
  const { n } = topology
  if (asked !== null && asked !== n) throw disagreement(where('n'), `${asked} was`, topology)
  for (const [field, length] of Object.entries(lists)) {
    if (length === null || length === n) continue
    const few = length === 1 ? `${field.replace(/s$/, '')} was` : `${field} were`
    throw disagreement(where(field), `${length} ${few}`, topology)
  }
  if (n <= LARGEST) return topology
  throw new UsageError(
    where('topology'),
    `${topology.name} has ${grouped(n)} nodes; a run has at most ${grouped(LARGEST)}.`,
    'Choose a smaller network.',
  )
}

/** Messages need numbers for all directions of links. */
export function refuseUncountable({ name, channels }: Topology, where: string): void {
  if (channels <= Number.MAX_SAFE_INTEGER) return
  throw new UsageError(
    where,
    `${name} has too many links for a run by messages.`,
    'Choose a smaller or sparser network, or an aggregation in cycles.',
  )
}

function listLength(list: readonly number[] | string | undefined): number | null {
  return list === undefined || typeof list === 'string' ? null : list.length
}

/** The parser of networks does not know where the user wrote the text. */
function built<T>(where: string, build: () => T): T {
  try {
    return build()
  } catch (error) {
    throw error instanceof UsageError ? error.at(where) : error
  }
}

function disagreement(where: string, given: string, { name, n }: Topology): UsageError {
  return new UsageError(
    where,
    `${name} has ${counted(n, 'node')}, but ${given} given.`,
    'Change one of the two, or leave one out.',
  )
}
