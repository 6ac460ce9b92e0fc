import { TIME_LIMIT_REASON } from '../../check/index.ts'
import { Unfinished, type WorkModule } from '../../jobs/executor.ts'
import { checkHandlers } from '../input/user-algorithm.ts'
import { walksWithin } from './budget-flags.ts'
import { Exploration, type Options } from './explore.ts'
import { costsOf, type PermutationResult } from './worst-over-permutations.ts'

/** What the jobs of an exploration have in common. */
export interface ExplorationGiven {
  readonly name: string
  readonly options: Options
  /** The files of networks by their paths, for machines that do not have them. */
  readonly texts?: Readonly<Record<string, string>>
}

/** One permutation to explore, with its budget. */
export interface PermutationJob {
  readonly ids: readonly number[]
  readonly states: number
  /** Only where the time is limited. */
  readonly seconds?: number
}

/** Explores a permutation of the ids, as work for other threads and processes. */
export const permutationsWork: WorkModule<ExplorationGiven, PermutationJob, PermutationResult> = {
  endsEarly: true,
  async open({ name, options, texts }, place) {
    checkHandlers(options.unchecked !== true)
    const { reduction, exact, walk } = { ...options, ...walksWithin(options) }
    const shared = { reduction, ...(exact && { exact }), ...(walk && { walk }) }
    let exploration: Exploration | null = null
    return async ({ ids, states, seconds = Number.POSITIVE_INFINITY }, { until }) => {
      // The definition is read once.
      exploration ??= await Exploration.of(name, { ...options, ids: ids.join() }, texts)
      const left = until === undefined ? seconds : Math.max(1, until - Date.now()) / 1000
      const time = Math.min(seconds, left)
      const flags = {
        ...shared,
        states: String(states),
        memory: String(Math.max(1, Math.floor(Number(options.memory) / place.parallel))),
        ...(time < Number.POSITIVE_INFINITY && { seconds: String(time) }),
      }
      const begun = Date.now()
      const { result, worst } = exploration.withIds(ids).search(flags)
      // Elsewhere it may take as long as it needs.
      if (left < seconds && wasCut(result, Date.now() - begun, left)) throw new Unfinished()
      const { violated, transitions, depth, exhausted, properties, hash, never } = result
      const { reason, draws, bounds, timeouts, walk: walked } = result
      return {
        states: result.states,
        transitions,
        depth,
        exhausted,
        properties,
        hash,
        never,
        ...(reason !== undefined && { reason }),
        ...(draws && { draws }),
        ...(bounds && { bounds }),
        ...(timeouts && { timeouts }),
        ...(walked && { walk: walked }),
        violated: violated !== null,
        ...(violated && { example: violated }),
        ...(worst && { costs: costsOf(worst) }),
      }
    }
  },
}

/** Whether the time had an effect on the result. */
function wasCut({ reason }: { reason?: string }, spentMs: number, seconds: number): boolean {
  return reason === TIME_LIMIT_REASON || spentMs > seconds * 1000
}
