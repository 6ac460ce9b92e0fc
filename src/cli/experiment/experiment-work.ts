import { experimentRuns } from '../../experiment/study/executor.ts'
import type { ExperimentJob } from '../../experiment/study/jobs.ts'
import type { ResultRow } from '../../experiment/study/table.ts'
import type { WorkModule } from '../../jobs/executor.ts'
import { textIn } from '../../jobs/input-files.ts'

/** Where the threads of an experiment find definitions that are not of the catalogue. */
export interface OwnSources {
  /** Own files as they were written, each with its absolute path. */
  readonly files: Readonly<Record<string, string>>
  /** The path of a TypeScript document that has algorithms in it, not their names, or measures. */
  readonly document: string | null
}

/** What the runs of an experiment share, wherever they are executed. */
export interface ExperimentGiven {
  /** Null if everything is of the catalogue. */
  readonly sources: OwnSources | null
  readonly quick: boolean
  /** Whether own handlers are checked. */
  readonly checked: boolean
  /** The files of networks by their paths, for machines that do not have them. */
  readonly texts?: Readonly<Record<string, string>>
}

export const CATALOGUE_ONLY: ExperimentGiven = { sources: null, quick: false, checked: true }

/** The runs of an experiment, as work for other threads and processes. */
export const experimentWork: WorkModule<ExperimentGiven, ExperimentJob, ResultRow> = {
  async open({ sources, quick, checked, texts }, place) {
    const files = texts && { readFile: (path: string) => textIn(texts, path) }
    if (sources === null) return experimentRuns(files).open(null, place)
    // The catalogue needs nothing of this.
    const [{ checkHandlers }, { loadSources }] = await Promise.all([
      import('../input/user-algorithm.ts'),
      import('./own-definitions.ts'),
    ])
    checkHandlers(checked)
    const { find, ownMeasures } = await loadSources(sources, quick, true)
    return experimentRuns({ definitionFor: find, ownMeasures, ...files }).open(null, place)
  },
}
