import {
  type CheckOptions,
  type CheckResult,
  checkWorld,
  type SearchProgress,
  SystemCache,
} from '../../check/index.ts'
import type { World } from '../../core/language/world.ts'
import { Interrupted } from '../io.ts'
import { interruptible } from '../jobs/interruption.ts'

/** Why a search ended that was ended by Ctrl-C. */
export const INTERRUPTED_REASON = 'it was interrupted'

/**
 * Explores, with what comes after the search. After Ctrl-C the result is what was explored until
 * then, and nothing is decided.
 */
export function exploreUntilInterrupted<T>(
  world: World,
  options: CheckOptions,
  explore: (options: CheckOptions) => T,
): T | { readonly result: CheckResult } {
  let reached: SearchProgress | null = null
  const onProgress = (progress: SearchProgress) => {
    if (!progress.graph) reached = progress
    options.onProgress?.(progress)
  }
  try {
    return interruptible(() => explore({ ...options, onProgress }))
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    return { result: interrupted(world, options, reached) }
  }
}

/** The properties and limits are those of a search that ends at once. */
function interrupted(
  world: World,
  { walk: _, threads: __, onProgress: ___, ...options }: CheckOptions,
  reached: SearchProgress | null,
): CheckResult {
  const first = checkWorld(world, { ...options, limits: { states: 1 } }, new SystemCache())
  const { states, transitions, depth } = reached ?? first
  return {
    ...first,
    states,
    transitions,
    depth,
    exhausted: false,
    reason: INTERRUPTED_REASON,
    violated: null,
    properties: first.properties.map(({ name }) => ({
      name,
      holds: null,
      detail: `not decided because ${INTERRUPTED_REASON}`,
    })),
  }
}
