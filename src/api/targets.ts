import * as elections from '../algorithms/elections.ts'
import { type Aggregation, aggregations } from '../algorithms/gossip/aggregations.ts'
import { type Algorithm, UsageError } from '../core/index.ts'

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

/** What a name stands for: an election or an aggregation. */
export type Target = { readonly algorithm: Algorithm } | { readonly aggregation: Aggregation }

/** An algorithm, an aggregation, or what the catalogue has under a name. */
export function targetOf(what: Algorithm | Aggregation | string): Target {
  if (typeof what !== 'string') return isAlgorithm(what) ? { algorithm: what } : asAggregation(what)
  const aggregation = aggregations.find(({ name }) => name === what)
  if (aggregation !== undefined) return { aggregation }
  return { algorithm: electionNamed(what) }
}

/** An algorithm, or the election that the catalogue has under a name. */
export function algorithmOf(what: Algorithm | string): Algorithm {
  const target = targetOf(what)
  if ('algorithm' in target) return target.algorithm
  throw new UsageError(
    'algorithm',
    `${target.aggregation.name} is an aggregation, not an election.`,
    'Name an election, such as bully.',
  )
}

function electionNamed(name: string): Algorithm {
  const all = Object.values(elections)
  const found = all.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = [...all, ...aggregations].map((one) => one.name)
  throw new UsageError(
    'algorithm',
    `The catalogue has no algorithm ${JSON.stringify(name)}.`,
    `It has ${names.join(', ')}.`,
  ).withCandidates(name, names)
}

function isAlgorithm(what: Algorithm | Aggregation | null | undefined): what is Algorithm {
  return typeof what === 'object' && what !== null && 'kinds' in what
}

function asAggregation(what: Aggregation | null | undefined): Target {
  if (typeof what === 'object' && what !== null && 'settings' in what) return { aggregation: what }
  throw new UsageError(
    'algorithm',
    'This is neither an algorithm nor the name of one.',
    'Give what algorithm({ ... }) returns, or a name such as "lcr".',
  )
}
