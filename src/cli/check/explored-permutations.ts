import type { IdPermutations, PermutationSummary } from '../../check/index.ts'
import type { Executor, Jobs, StudyListener } from '../../jobs/executor.ts'
import { inOrder } from '../../jobs/in-order.ts'
import { readText } from '../input/read-file.ts'
import { absoluteReference, isCode } from '../input/user-algorithm.ts'
import type { Io } from '../io.ts'
import { chosenExecutor } from '../jobs/chosen-executor.ts'
import type { ExecutionReport } from '../jobs/execution-report.ts'
import type { ExecutorFlags } from '../jobs/executor-flags.ts'
import { Interruption } from '../jobs/interruption.ts'
import { threadCount } from '../jobs/search-threads.ts'
import { type ExplorationGiven, type PermutationJob, permutationsWork } from './exploration-work.ts'
import type { Options } from './explore.ts'
import { INTERRUPTED_REASON } from './interrupted-search.ts'
import type { PermutationResult } from './worst-over-permutations.ts'

/** An exploration that is made by an executor. */
export interface ExplorationStudy {
  readonly given: ExplorationGiven
  readonly executor: Executor
  readonly report: ExecutionReport
}

/** The executor of an exploration, and what its jobs share. */
export async function executorForExploration(
  name: string,
  options: Options,
  place: ExecutorFlags,
  io: Io,
): Promise<ExplorationStudy> {
  const { executor, remote, report } = await chosenExecutor(place, io, {
    threads: threadCount(place),
    code: isCode(name) ? [name] : [],
    json: options.json === true,
  })
  const given = remote
    ? { name: absoluteReference(name), options, texts: textsOf(options) }
    : { name, options }
  return { given, executor, report }
}

/** The file of the network, which other machines do not have. */
function textsOf({ topology }: Options): Readonly<Record<string, string>> {
  const [, path] = /^file:(.*)$/s.exec(topology ?? '') ?? []
  return path === undefined ? {} : { [path]: readText(path, '--topology') }
}

/** Permutations of the ids to explore. */
interface PermutationStudy extends ExplorationStudy {
  readonly permutations: Pick<IdPermutations, 'count' | 'at'>
  /** Gets the results in the order of the permutations, until it is finished. */
  readonly summary: PermutationSummary
  readonly progressText: () => string
}

/**
 * Explores until all are done, a violation is found or a limit is reached; false after Ctrl-C,
 * which the summary has as a reason.
 */
export async function explorePermutations(study: PermutationStudy): Promise<boolean> {
  const { given, permutations, summary, executor, report, progressText } = study
  const { options } = given
  const { seconds } = options
  const deadline = seconds === undefined ? null : Date.now() + Number(seconds) * 1000
  const limits: number[] = []
  let last = false
  let tooLarge = false
  const jobs: Jobs<PermutationJob> = {
    length: permutations.count,
    *[Symbol.iterator]() {
      for (let i = 0; i < permutations.count && !last; i++) yield jobOf(i)
    },
  }
  const jobOf = (i: number): PermutationJob => {
    const states = Math.max(1, Number(options.states) - summary.states)
    limits[i] = states
    const left = deadline !== null && { seconds: Math.max(1, deadline - Date.now()) / 1000 }
    return { ids: permutations.at(i), states, ...left }
  }
  const add = inOrder((result: PermutationResult, i) => {
    // It began with a larger limit than the earlier ones have left.
    if (result.states > summary.statesLeft && limits[i] > summary.statesLeft) tooLarge = true
    if (!tooLarge) summary.add(result)
  })
  const ended = new AbortController()
  const interruption = new Interruption(() => ended.abort())
  const listener: StudyListener<PermutationResult> = {
    done(index, result) {
      if (result.violated || !result.exhausted) last = true
      add(index, result)
      report.show(progressText, summary.explored, permutations.count)
      if (summary.finished || tooLarge) ended.abort()
    },
    event: (event) => report.event(event),
  }
  interruption.expect()
  try {
    await executor.execute({ kind: 'permutations', given }, jobs, listener, ended.signal)
  } finally {
    interruption.end()
    report.clear()
  }
  if (interruption.happened) summary.end(INTERRUPTED_REASON)
  if (tooLarge && !interruption.happened) {
    const explore = await permutationsWork.open(given, { parallel: 1 })
    summary.add(await explore(jobOf(summary.explored), {}))
  }
  return summary.reason !== INTERRUPTED_REASON
}
