import { Complaint } from '../../core/index.ts'
import { type Errand, Errands, type Parcel, type Task } from './permutation-batch.ts'

/** All errands of a thread are about the same. */
let errands: Errands | null = null

/** Explores arrangements in a thread of its own. */
export async function work({ task, errand }: { task: Task; errand: Errand }): Promise<Parcel> {
  try {
    errands ??= new Errands(task)
    return { shares: await errands.sharesOf(errand), complaint: null }
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    const { where, needed, given, remedy } = error
    return { shares: [], complaint: [where, needed, given, remedy] }
  }
}
