/*
 * All that a definition imports from `conclave`: the algorithm language, and the problems that it
 * may name. It stands by itself, so that the page can offer it without the engines.
 */
export * from '../core/language/index.ts'
export { type Composition, compose, type Proposal } from '../core/runtime/composition.ts'
export { aggregation } from './aggregation.ts'
export { eventualLeader, selfStabilization } from './eventual-leader.ts'
export { implicitElection, leaderElection } from './leader-election.ts'
export { leaderPerTerm, oneLeaderPerTerm } from './leader-per-term.ts'
export { lease } from './lease.ts'
