import { inNeither, TIME_LIMIT_REASON, type WalksMade } from '../../check/index.ts'
import { grouped } from '../../core/text-format.ts'
import { type Jobs, type StudyListener, Unfinished, type WorkModule } from '../../jobs/executor.ts'
import { inOrder } from '../../jobs/in-order.ts'
import { checkHandlers } from '../input/user-algorithm.ts'
import { Interruption } from '../jobs/interruption.ts'
import { walksWithin } from './budget-flags.ts'
import { Exploration, type Options, type Walker } from './explore.ts'
import type { ExplorationStudy } from './explored-permutations.ts'
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

/** Random walks with consecutive numbers. */
interface WalksJob {
  readonly first: number
  readonly walks: number
  /** Only where the time is limited. */
  readonly seconds?: number
}

/** The most jobs of a study, as long as they stay small, and the most walks of a job. */
const [JOBS, MOST_WALKS] = [64, 64]

/** Makes random walks, as work for other threads and processes. */
export const walksWork: WorkModule<ExplorationGiven, WalksJob, WalksMade> = {
  endsEarly: true,
  async open({ name, options, texts }) {
    checkHandlers(options.unchecked !== true)
    const walk = (await Exploration.of(name, options, texts)).walker(options)
    return ({ first, walks, seconds = Number.POSITIVE_INFINITY }, context) => {
      const { until = Number.POSITIVE_INFINITY } = context
      const deadline = Date.now() + seconds * 1000
      const made = walk({ first, walks, expired: () => Date.now() > Math.min(deadline, until) })
      if (made.cut && until < deadline) throw new Unfinished()
      return made
    }
  },
}

/** Makes walks by an executor: the same as one after the other, up to the first violation. */
export function walkerOn(study: ExplorationStudy): Walker {
  const { given, executor, report } = study
  return async (all, deadline) => {
    const size = Math.min(MOST_WALKS, Math.ceil(all / JOBS))
    let violated = false
    const jobs: Jobs<WalksJob> = {
      length: Math.ceil(all / size),
      *[Symbol.iterator]() {
        for (let first = 0; first < all && !violated; first += size) {
          const left = deadline === null ? null : deadline - Date.now()
          // At least one, as a single thread does.
          if (left !== null && left <= 0 && first > 0) return
          const seconds = left === null ? {} : { seconds: Math.max(0, left) / 1000 }
          yield { first, walks: Math.min(size, all - first), ...seconds }
        }
      },
    }
    const ended = new AbortController()
    const interruption = new Interruption(() => ended.abort())
    let sum: WalksMade | null = null
    const add = inOrder((made: WalksMade) => {
      // Later walks may have come before: the first violation is the last walk that counts.
      if (ended.signal.aborted) return
      sum = sum === null ? made : sumOf(sum, made)
      if (sum.violating !== null) ended.abort()
    })
    const listener: StudyListener<WalksMade> = {
      done(index, made) {
        if (made.violating !== null) violated = true
        add(index, made)
        const walks = sum?.walks ?? 0
        report.show(() => `${grouped(walks)} of ${grouped(all)} random walks`, walks, all)
      },
      event: (event) => report.event(event),
    }
    interruption.expect()
    try {
      await executor.execute({ kind: 'walks', given }, jobs, listener, ended.signal)
    } finally {
      interruption.end()
      report.clear()
    }
    return interruption.happened ? null : sum
  }
}

function sumOf(a: WalksMade, b: WalksMade): WalksMade {
  return {
    walks: a.walks + b.walks,
    steps: a.steps + b.steps,
    longest: Math.max(a.longest, b.longest),
    violating: b.violating,
    cut: a.cut || b.cut,
    limits: {
      draws: a.limits.draws || b.limits.draws,
      bounds: a.limits.bounds || b.limits.bounds,
      timeouts: a.limits.timeouts || b.limits.timeouts,
    },
    tolerated: [...new Set([...a.tolerated, ...b.tolerated])],
    ...(a.never && b.never && { never: inNeither(a.never, b.never) }),
  }
}
