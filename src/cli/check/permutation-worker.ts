import { UsageError } from '../../core/index.ts'
import {
  type BatchResult,
  type PermutationBatch,
  PermutationBatches,
  type PermutationTask,
} from './permutation-batch.ts'

/** All errands of a thread are about the same. */
let errands: PermutationBatches | null = null

/** Explores arrangements in a thread of its own. */
export async function work({
  task,
  errand,
}: {
  task: PermutationTask
  errand: PermutationBatch
}): Promise<BatchResult> {
  try {
    errands ??= new PermutationBatches(task)
    return { shares: await errands.sharesOf(errand), complaint: null }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { shares: [], complaint: error.parts }
  }
}
