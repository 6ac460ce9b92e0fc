import type { Algorithm, Property } from '../core/index.ts'
import { allKnowTheResult } from './computed-values.ts'
import { leaderElection } from './leader-election.ts'

/** The properties of an algorithm: those of an election, and of the result that nodes learn. */
export function propertiesOf(algorithm: Algorithm, faults: boolean): readonly Property[] {
  const { elects, lasting, finds } = algorithm
  const election = leaderElection.properties(faults, elects === 'largest', lasting)
  return finds === null ? election : [...election, allKnowTheResult(finds)]
}
