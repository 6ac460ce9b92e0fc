import { batches } from '../../jobs/thread-batch.ts'
import { workKinds } from './work-kinds.ts'

/** The entry of a thread. Mistakes in own files are told with their places. */
export const work = batches(workKinds, async (error) => {
  const { thrownByUsers } = await import('../input/user-module.ts')
  return thrownByUsers(error)
})
