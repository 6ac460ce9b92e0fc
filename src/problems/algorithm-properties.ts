import type { Algorithm, Problem, Property } from '../core/index.ts'
import { allKnowTheResult } from './computed-values.ts'
import { leaderElection } from './leader-election.ts'

/** The problem that an algorithm solves: leader election unless it names another. */
export function problemOf({ problem }: Algorithm): Problem {
  return problem ?? leaderElection
}

/** The properties of an algorithm: those of its problem, and of the result that nodes learn. */
export function propertiesOf(algorithm: Algorithm, faults: boolean): readonly Property[] {
  const { properties } = problemOf(algorithm)
  const required = typeof properties === 'function' ? properties(faults, algorithm) : properties
  return algorithm.finds === null ? required : [...required, allKnowTheResult(algorithm.finds)]
}
