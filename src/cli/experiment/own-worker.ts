import type { ExperimentJob } from '../../experiment/index.ts'
import { type JobBatchResult, runBatch } from '../../experiment/study/worker.ts'
import { checkHandlers } from '../input/user-algorithm.ts'
import { thrownByUsers } from '../input/user-module.ts'
import { type LoadedSources, loadSources, type OwnSources } from './own-definitions.ts'

/** What the thread of an experiment with own definitions is given. */
export interface OwnBatch {
  readonly jobs: readonly ExperimentJob[]
  readonly sources: OwnSources
  readonly quick: boolean
  /** Whether handlers are checked. */
  readonly checked: boolean
}

/** All batches of a thread belong to the same experiment. */
let loaded: Promise<LoadedSources> | null = null

/** The entry of a thread. */
export async function work({ jobs, sources, quick, checked }: OwnBatch): Promise<JobBatchResult> {
  checkHandlers(checked)
  loaded ??= loadSources(sources, quick)
  try {
    const { find, ownMeasures } = await loaded
    return runBatch(jobs, { definitionFor: find, ownMeasures })
  } catch (error) {
    const theirs = await thrownByUsers(error)
    if (theirs === null) throw error
    return { rows: [], error: theirs.parts }
  }
}
