import { type Algorithm, sealed, UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import { leased } from './complete/lease/leased.ts'
import * as elections from './elections.ts'
import { type Aggregation, aggregations } from './gossip/aggregations.ts'
import { defaultsOf } from './gossip/own-aggregation.ts'

/** `leased:bully`: an election of the catalogue that proposes who leads by a lease. */
const LEASED = 'leased:'

/** All election algorithms, in the order of `conclave list`. */
export const catalogue: readonly Algorithm[] = Object.values(elections)

export function isAggregation(what: Algorithm | Aggregation): what is Aggregation {
  return 'aggregate' in what
}

/** Whether a definition is the one that the catalogue has under its name. */
export function isOfCatalogue(definition: Algorithm | Aggregation): boolean {
  return findDefinition(definition.name) === definition
}

/** The definition with handlers that see only what it declares. */
export function sealedDefinition<D extends Algorithm | Aggregation>(definition: D): D {
  if (!isAggregation(definition)) return sealed(definition) as D
  return { ...definition, algorithm: (settings) => sealed(definition.algorithm(settings)) }
}

/** The algorithm of an aggregation with its default settings. */
export function defaultAlgorithm({ settings, algorithm }: Aggregation): Algorithm {
  return algorithm(defaultsOf(settings))
}

/** The election or aggregation of that name, if there is one. */
export function findDefinition(name: unknown): Algorithm | Aggregation | undefined {
  const found = [...catalogue, ...aggregations].find((definition) => definition.name === name)
  if (found !== undefined || typeof name !== 'string' || !name.startsWith(LEASED)) return found
  const nominator = catalogue.find((election) => election.name === name.slice(LEASED.length))
  return nominator && leased(nominator)
}

/** The aggregation of that name, if there is one. */
export function aggregationNamed(name: unknown): Aggregation | undefined {
  return aggregations.find((aggregation) => aggregation.name === name)
}

/** The election or aggregation of that name; the error suggests similar names. */
export function definitionNamed(name: unknown, where = 'algorithm'): Algorithm | Aggregation {
  const found = findDefinition(name)
  if (found !== undefined) return found
  const names = [...catalogue, ...aggregations].map((one) => one.name)
  throw new UsageError(
    where,
    name === undefined ? 'no algorithm is given.' : `there is no algorithm ${quoted(name)}.`,
    `The algorithms are ${names.join(', ')}.`,
  ).withCandidates(name, names)
}

/** The election of that name. */
export function algorithmNamed(name: unknown, where = 'algorithm'): Algorithm {
  const found = definitionNamed(name, where)
  if (!isAggregation(found)) return found
  throw new UsageError(where, `expected an election; ${name} is an aggregation.`)
}
