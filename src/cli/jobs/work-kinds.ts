import type { WorkKinds } from '../../jobs/executor.ts'

/** Everything that can be executed elsewhere, by its name. */
export const workKinds: WorkKinds = {
  experiment: async () => (await import('../experiment/experiment-work.ts')).experimentWork,
  permutations: async () => (await import('../check/exploration-work.ts')).permutationsWork,
  walks: async () => (await import('../check/exploration-work.ts')).walksWork,
  grade: async () => (await import('../grade/sandbox.ts')).gradeWork,
}
