import { UsageError } from '../../usage-error.ts'
import type { Algorithm } from '../algorithm.ts'
import type { ValueType } from '../value-types.ts'

/**
 * What a definition is asked about. The first six: is it only compared? code: do handlers depend on
 * their events alone, and keep nothing outside of the state? properties: are there some of its own,
 * which see ids as numbers?
 */
export type Subject =
  | 'ids'
  | 'counters'
  | 'terms'
  | 'values'
  | 'links'
  | 'parameters'
  | 'code'
  | 'properties'

/** Where something is done that is more than a comparison, and what. */
export interface Misuse {
  /** refuted: it is computed with. unknown: its type does not show what happens to it. */
  readonly kind: 'refuted' | 'unknown'
  /** `mine.ts:14:9` */
  readonly where: string
  /** A clause: `an id is converted to text`. */
  readonly why: string
}

/**
 * What the source of a definition shows. What is not among the misuses is shown: in any order of
 * ids, terms and values it does the same, whatever numbers these are, but for 0 if a field of a
 * state starts as an id.
 */
export interface UseEvidence {
  readonly misuses: Readonly<Partial<Record<Subject, Misuse>>>
  /** Whether ids are compared with 0, the starting value of a field that is an id. */
  readonly startsAtZero: boolean
}

/** Something that a definition has, and of which its source does not show how it is used. */
export interface UnshownUse extends Misuse {
  readonly subject: Subject
}

/** What a result for all ids, terms and values rests on, and is not shown. */
export function unshownIn(algorithm: Algorithm, { misuses }: UseEvidence): UnshownUse[] {
  return subjectsOf(algorithm).flatMap((subject) => {
    const misuse = misuses[subject]
    return misuse === undefined ? [] : [{ subject, ...misuse }]
  })
}

/** What a definition has of all that must only be compared. */
export function subjectsOf({ needs, layout, kinds, problem, params }: Algorithm): Subject[] {
  const types = [layout.own, ...kinds.map(({ codec }) => codec.fields)].flatMap((fields) =>
    Object.values(fields),
  )
  const has = (test: (type: ValueType<unknown>) => boolean) =>
    types.some((type) => test(type) || isCollection(type))
  const inputs = needs.knows?.includes('inputs') === true
  const numbers = Object.values(params).some(({ choices }) => choices === undefined)
  const all: readonly (readonly [Subject, boolean])[] = [
    ['ids', needs.ids !== undefined],
    ['counters', has(({ sort }) => sort === 'counter')],
    ['terms', problem?.terms === true || has(({ sort }) => sort === 'term')],
    ['values', inputs || has(({ schema }) => schema === 'real')],
    // On a ring every node has the same two.
    ['links', needs.topology !== 'ring'],
    ['parameters', numbers],
    ['code', true],
  ]
  return all.flatMap(([subject, is]) => (is ? [subject] : []))
}

/** A type that may hold values of any other. */
function isCollection({ schema, sort }: ValueType<unknown>): boolean {
  return sort === undefined && /^(list|set|map|vector|record|pair|maybe)\((?!uid\))/.test(schema)
}

/** What nobody has read: neither its types nor its code show anything. */
export function unreadSource(where: string, why: string): UseEvidence {
  const misuse = { kind: 'unknown', where, why } as const
  const names: readonly Subject[] = [
    'ids',
    'counters',
    'terms',
    'values',
    'links',
    'parameters',
    'code',
  ]
  return { misuses: Object.fromEntries(names.map((one) => [one, misuse])), startsAtZero: true }
}

/** More combinations of words than these are not tried one by one. */
const MOST_SETTINGS = 256

/** An algorithm that runs for a definition with some settings of its parameters. */
export interface Variant {
  /** Words of its parameters that choose it; none where they make no difference. */
  readonly settings: Readonly<Record<string, string>>
  readonly algorithm: Algorithm
}

/**
 * The algorithms that run for a definition, over all words of its parameters. Parameters that are
 * numbers have the values of `numbers`.
 */
export function variantsOf(
  algorithm: Algorithm,
  numbers: Readonly<Record<string, number | string>>,
): Variant[] {
  const words = Object.entries(algorithm.params).flatMap(([name, { choices }]) =>
    choices === undefined ? [] : [[name, choices] as const],
  )
  if (words.reduce((all, [, choices]) => all * choices.length, 1) > MOST_SETTINGS)
    throw new UsageError(
      algorithm.name,
      `its parameters have more than ${MOST_SETTINGS} combinations of words.`,
      'Use fewer parameters with choices.',
    )
  const all = words.reduce<Record<string, string>[]>(
    (before, [name, choices]) =>
      before.flatMap((one) => choices.map((word) => ({ ...one, [name]: word }))),
    [{}],
  )
  const found = new Map<Algorithm | null, Record<string, string>>()
  for (const settings of all) {
    const variant = algorithm.variant({ ...numbers, ...settings })
    if (!found.has(variant)) found.set(variant, settings)
  }
  // Words that choose no other algorithm are fields that may have any value.
  if (found.size === 1 && found.has(null)) return [{ settings: {}, algorithm }]
  return [...found].map(([variant, settings]) => ({
    settings,
    algorithm: { ...(variant ?? algorithm), variant: () => null },
  }))
}
