export * from './core/index.ts'
export { leaderElection } from './problems/leader-election.ts'
