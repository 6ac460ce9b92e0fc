import type { Algorithm } from '../core/index.ts'
import { sealed } from '../core/runtime/sealed/sealed.ts'
import type { Aggregation } from './aggregation.ts'
import { leased as underLease } from './complete/lease/leased.ts'
import * as elections from './elections.ts'
import { aggregations } from './gossip/aggregations.ts'
import { electionFor, usualPlace, withAlgorithm } from './kinds.ts'
import { type Meant, type Nameable, NameIndex } from './names.ts'

/* The whole catalogue at once, for who needs its definitions without waiting. */

/** All election algorithms. */
export const catalogue: readonly Algorithm[] = Object.values(elections)

interface Definition extends Nameable {
  readonly definition: Algorithm | Aggregation
}

const index = new NameIndex((): readonly Definition[] =>
  [...catalogue, ...aggregations].map((definition) => ({
    name: definition.name,
    others: otherNames(definition),
    family: usualPlace(definition).family,
    definition,
  })),
)

function definitionOf({ entry, leased }: Meant<Definition>): Algorithm | Aggregation {
  const { definition } = entry
  return leased ? underLease(definition as Algorithm) : definition
}

/** The election or aggregation of that name, if there is one. */
export function findDefinition(name: unknown): Algorithm | Aggregation | undefined {
  const found = index.find(name)
  return found && definitionOf(found)
}

/** The election or aggregation of that name; the error suggests similar names. */
export function definitionNamed(name: unknown, where?: string): Algorithm | Aggregation {
  return definitionOf(index.named(name, where))
}

/** The aggregation of that name, if there is one. */
export function aggregationNamed(name: unknown): Aggregation | undefined {
  const found = findDefinition(name)
  return aggregations.find((one) => one === found)
}

/** The election of that name. */
export function algorithmNamed(name: unknown, where = 'algorithm'): Algorithm {
  return electionFor('lead', definitionNamed(name, where), where, name)
}

/** Whether a definition is the one that the catalogue has under its name. */
export function isOfCatalogue(definition: Algorithm | Aggregation): boolean {
  return findDefinition(definition.name) === definition
}

/** The definition with handlers that see only what it declares. */
export function sealedDefinition<D extends Algorithm | Aggregation>(definition: D): D {
  return withAlgorithm(definition, sealed)
}

/** The names under which the literature knows a definition: its title and others. */
export function otherNames({ name, theory }: Algorithm | Aggregation): readonly string[] {
  const { title, also = [] } = theory
  return [...(title === undefined ? [] : [title]), ...also].filter((other) => other !== name)
}
