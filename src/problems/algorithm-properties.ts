import { type Algorithm, type Problem, type Property, UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import { allKnowTheResult } from './computed-values.ts'
import { eventualLeader, selfStabilization } from './eventual-leader.ts'
import {
  everyFairRunElects,
  implicitElection,
  leaderElection,
  leaderStaysAgreed,
  oneLeads,
} from './leader-election.ts'
import { leaderPerTerm } from './leader-per-term.ts'
import { lease } from './lease.ts'
import { guarded, refuseIncomplete } from './own-properties.ts'

/** The problems of `conclave`; every other one is the author's own. */
export const BUILT_IN_PROBLEMS: readonly Problem[] = [
  leaderElection,
  implicitElection,
  leaderPerTerm,
  lease,
  eventualLeader,
  selfStabilization,
]

/** The problem that an algorithm solves: leader election unless it names another. */
function problemOf({ problem }: Algorithm): Problem {
  return problem ?? leaderElection
}

/**
 * The properties of an algorithm: those of its problem, of the result that nodes learn, and those
 * that its author demands besides. `attribute` decides who leads, where it is not the id.
 */
export function propertiesOf(
  algorithm: Algorithm,
  faults: boolean,
  attribute?: string,
): readonly Property[] {
  const problem = problemOf(algorithm)
  const { properties } = problem
  const traits = attribute === undefined ? algorithm : { ...algorithm, attribute }
  const required = typeof properties === 'function' ? properties(faults, traits) : properties
  const usable = BUILT_IN_PROBLEMS.includes(problem) ? required : ownRequired(algorithm, required)
  const found = algorithm.finds === null ? [] : [allKnowTheResult(algorithm.finds)]
  return [
    ...usable,
    ...found.map((property) => atAnyTime(algorithm, property)),
    ...algorithm.demands,
  ]
}

/**
 * The same for the checker, which knows all runs. Without a bound on delays no algorithm elects in
 * every fair run (Fischer, Lynch and Paterson 1985), so of elections in terms it then demands only
 * what must never happen. An election that may fail with some chance has runs that do; it then
 * demands what holds in all of them.
 */
export function exploredProperties(
  algorithm: Algorithm,
  faults: boolean,
  required: readonly Property[],
): readonly Property[] {
  const problem = problemOf(algorithm)
  if (algorithm.theory.fails !== undefined)
    return required.filter(({ name }) => !oneLeads.some((other) => other.name === name))
  const ends = algorithm.quiet !== 'never'
  const elects = problem === leaderElection || problem === implicitElection
  if (elects && ends && !faults) return [...required, everyFairRunElects]
  // By name: the problem of an own file may come from another copy of this module.
  const timeless = problem.name === leaderPerTerm.name && algorithm.needs.time === undefined
  // Times of a run are not explored: what must hold within a time is judged in runs only. So is who
  // sends in the long run.
  const lasting = required.filter(
    ({ within, when }) => within === undefined && when !== 'in the long run',
  )
  return timeless ? lasting.filter(({ name }) => name !== leaderStaysAgreed.name) : lasting
}

/** A property of the end, for an algorithm that has none: it must hold from some time on. */
export function atAnyTime({ quiet }: Algorithm, property: Property): Property {
  const lasts = quiet === 'never' && property.when === 'at the end'
  return lasts ? { ...property, when: 'from some time on' } : property
}

/** The properties of an own problem, ready for the engines. */
function ownRequired(algorithm: Algorithm, properties: readonly Property[]): readonly Property[] {
  const where = `${algorithm.name}: problem`
  if (!Array.isArray(properties))
    throw new UsageError(
      where,
      `expected a list of properties, got ${quoted(properties)}.`,
      "Write problem: { name: 'mutual exclusion', properties: [{ name, when, broken }] }.",
    )
  return properties.map((property: Property, i) => {
    refuseIncomplete(property, `${where}: properties[${i}]`)
    const named = guarded(property, `${algorithm.name}: property ${quoted(property.name)}`)
    return atAnyTime(algorithm, named)
  })
}
