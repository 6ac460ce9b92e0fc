import type * as elections from '../algorithms/elections.ts'
import {
  type Aggregation,
  definitionNamed,
  electionFor,
  isOfCatalogue,
  ownGossip,
  sealedDefinition,
} from '../algorithms/index.ts'
import { type Algorithm, UsageError } from '../core/index.ts'
import { isDefinition } from '../scenario/fields/definition.ts'

/** `hirschbergSinclair` as the catalogue writes it: `hirschberg-sinclair`. */
type KebabCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${KebabCase<Rest>}`
  : ''

/** The elections of the catalogue, by name. */
export type Elections = {
  readonly [K in keyof typeof elections as KebabCase<K>]: (typeof elections)[K]
}

/** The name of an election of the catalogue: `'lcr'`, `'bully'`, ... */
export type ElectionName = keyof Elections

/** An own algorithm, or the name of an election of the catalogue. */
export type ElectionTarget = Algorithm | ElectionName

/** The algorithm behind a target. */
export type AlgorithmOf<T extends ElectionTarget> = T extends ElectionName
  ? Elections[T]
  : Extract<T, Algorithm>

/** An algorithm, an aggregation, or what the catalogue has under a name. */
export function definitionOf(what: Algorithm | Aggregation | string): Algorithm | Aggregation {
  if (typeof what === 'string') return definitionNamed(what)
  if (isDefinition(what)) return ownGossip(what)
  throw new UsageError(
    'algorithm',
    'this is neither an algorithm nor the name of one.',
    'Give what algorithm({ ... }) returns, or a name such as "lcr".',
  )
}

/**
 * A definition for a run: handlers of own definitions see only what these declare, and their values
 * are checked, unless the caller does without.
 */
export function runnable<D extends Algorithm | Aggregation>(definition: D, unchecked = false): D {
  return unchecked || isOfCatalogue(definition) ? definition : sealedDefinition(definition)
}

/** An algorithm, or the election that the catalogue has under a name. */
export function algorithmOf(what: Algorithm | string): Algorithm {
  return electionFor('join', definitionOf(what), 'algorithm')
}
