import { batches } from '../../jobs/thread-batch.ts'
import { experimentRuns } from './executor.ts'

/** The entry of a thread. */
export const work = batches({ experiment: async () => experimentRuns() })
