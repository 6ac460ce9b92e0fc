import { batches } from '../../../src/jobs/thread-batch.ts'
import { testKinds } from './kinds.ts'

/** The entry of a thread, for tests. */
export const work = batches(testKinds)
