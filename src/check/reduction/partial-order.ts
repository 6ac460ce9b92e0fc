import type { Property } from '../../core/language/problem.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { FastSuccessors } from '../search/fast-successors.ts'
import { PersistentSets } from './persistent-sets.ts'
import type { StateOrbits } from './state-orbits.ts'
import { StubbornSets } from './stubborn-sets.ts'

/** The partial-order reduction of a search: one of both kinds, or none. */
export interface PartialOrder {
  readonly persistentSets: PersistentSets | null
  readonly stubbornSets: StubbornSets | null
}

export const NO_REDUCTION: PartialOrder = { persistentSets: null, stubbornSets: null }

/** Why neither kind can be used for this system and these properties; null if one can. */
export function whyUnreducible(
  system: TransitionSystem,
  properties: readonly Property[],
): string | null {
  const tables = FastSuccessors.of(system) !== null
  return (tables ? PersistentSets : StubbornSets).inapplicable(system, properties)
}

/** The variant of a partial-order reduction. */
interface PartialOrderVariant {
  /** With `every start`, nodes are not woken early. */
  readonly wake?: 'early' | 'every start'
  /** The orbits of which the search visits one state each. */
  readonly orbits?: StateOrbits | null
}

/** The kind that can be used: persistent sets where transitions are enumerated from tables. */
export function partialOrder(
  system: TransitionSystem,
  properties: readonly Property[],
  { wake = 'early', orbits = null }: PartialOrderVariant = {},
): PartialOrder {
  if (FastSuccessors.of(system) === null)
    return { ...NO_REDUCTION, stubbornSets: new StubbornSets(system, properties, orbits) }
  const persistentSets = new PersistentSets(system, properties, wake === 'early', orbits)
  return { ...NO_REDUCTION, persistentSets }
}
