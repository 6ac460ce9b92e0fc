import { type Algorithm, sealed, UsageError } from '../core/index.ts'
import { comparableName, enumerated, quoted } from '../core/text-format.ts'
import { leased } from './complete/lease/leased.ts'
import * as elections from './elections.ts'
import { type Aggregation, aggregations } from './gossip/aggregations.ts'
import { defaultsOf } from './gossip/own-aggregation.ts'

/** `leased:bully`: an election of the catalogue that proposes who leads by a lease. */
const LEASED = 'leased:'

/** All election algorithms. */
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

/** The names under which the literature knows a definition: its title and others. */
export function otherNames({ name, theory }: Algorithm | Aggregation): readonly string[] {
  const { title, also = [] } = theory
  return [...(title === undefined ? [] : [title]), ...also].filter((other) => other !== name)
}

/** By their comparable names: the definitions of that name, else those also known by it. */
let index: ReadonlyMap<string, readonly (Algorithm | Aggregation)[]> | null = null

function definitionsKnownAs(name: string): readonly (Algorithm | Aggregation)[] {
  index ??= indexed()
  return index.get(comparableName(name)) ?? []
}

function indexed(): ReadonlyMap<string, readonly (Algorithm | Aggregation)[]> {
  const all = [...catalogue, ...aggregations]
  const byName = new Map(all.map((one) => [comparableName(one.name), [one]]))
  const byOther = new Map<string, (Algorithm | Aggregation)[]>()
  for (const one of all)
    for (const other of new Set(otherNames(one).map(comparableName)))
      byOther.set(other, [...(byOther.get(other) ?? []), one])
  return new Map([...byOther, ...byName])
}

/**
 * The election or aggregation of that name, if there is one: its own name, its title, or another
 * one of the literature.
 */
export function findDefinition(name: unknown): Algorithm | Aggregation | undefined {
  if (typeof name !== 'string') return undefined
  const exact = [...catalogue, ...aggregations].find((definition) => definition.name === name)
  if (exact !== undefined) return exact
  if (!name.startsWith(LEASED)) return only(definitionsKnownAs(name))
  const nominator = only(definitionsKnownAs(name.slice(LEASED.length)))
  return nominator && !isAggregation(nominator) ? leased(nominator) : undefined
}

/** What is the only one; a name of several definitions names none. */
function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined
}

/** The aggregation of that name, if there is one. */
export function aggregationNamed(name: unknown): Aggregation | undefined {
  const found = findDefinition(name)
  return found && isAggregation(found) ? found : undefined
}

/** The election or aggregation of that name; the error suggests similar names. */
export function definitionNamed(name: unknown, where = 'algorithm'): Algorithm | Aggregation {
  const found = findDefinition(name)
  if (found !== undefined) return found
  const known = typeof name === 'string' ? definitionsKnownAs(name) : []
  if (known.length > 1)
    throw new UsageError(
      where,
      `${quoted(name)} is another name of ${enumerated(known.map((one) => one.name))}.`,
      'Choose one of them.',
    )
  const all = [...catalogue, ...aggregations]
  const names = all.map((one) => one.name)
  const error = new UsageError(
    where,
    name === undefined ? 'no algorithm is given.' : `there is no algorithm ${quoted(name)}.`,
    `The algorithms are ${names.join(', ')}.`,
  )
  const suggested = error.withCandidates(name, names)
  throw suggested === error ? error.withCandidates(name, all.flatMap(otherNames)) : suggested
}

/** The election of that name. */
export function algorithmNamed(name: unknown, where = 'algorithm'): Algorithm {
  const found = definitionNamed(name, where)
  if (!isAggregation(found)) return found
  throw new UsageError(where, `expected an election; ${name} is an aggregation.`)
}
