import type { Algorithm, Property } from '../core/index.ts'
import { allKnowTheResult } from './findings.ts'
import { leaderElection } from './leader-election.ts'

/** What must hold for an algorithm: that one leads, and that what nodes find out is true. */
export function propertiesOf(algorithm: Algorithm, faults: boolean): readonly Property[] {
  const { elects, lasting, finds } = algorithm
  const election = leaderElection.properties(faults, elects === 'largest', lasting)
  return finds === null ? election : [...election, allKnowTheResult(finds)]
}
