import { Complaint } from '../core/index.ts'
import { type Errand, type Parcel, sharesOf } from './check-errand.ts'
import { explore } from './commands/check.ts'

/** Explores arrangements in a thread of its own. */
export async function work(errand: Errand): Promise<Parcel> {
  try {
    return { shares: await sharesOf(errand, explore), complaint: null }
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    const { where, needed, given, remedy } = error
    return { shares: [], complaint: [where, needed, given, remedy] }
  }
}
