import type { Algorithm, Problem, Property } from '../core/index.ts'
import { allKnowTheResult } from './computed-values.ts'
import { leaderElection } from './leader-election.ts'

/** The problem that an algorithm solves: leader election unless it names another. */
export function problemOf({ problem }: Algorithm): Problem {
  return problem ?? leaderElection
}

/**
 * The properties of an algorithm: those of its problem, and of the result that nodes learn.
 * `attribute` decides who leads, where it is not the id.
 */
export function propertiesOf(
  algorithm: Algorithm,
  faults: boolean,
  attribute?: string,
): readonly Property[] {
  const { properties } = problemOf(algorithm)
  const traits = attribute === undefined ? algorithm : { ...algorithm, attribute }
  const required = typeof properties === 'function' ? properties(faults, traits) : properties
  return algorithm.finds === null ? required : [...required, allKnowTheResult(algorithm.finds)]
}
