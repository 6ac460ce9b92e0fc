import type { Algorithm } from '../core/language/algorithm.ts'
import { UsageError } from '../core/usage-error.ts'
import type { HeartbeatOptions } from './failure-detector.ts'

/** The times of real processes in milliseconds; all members of a cluster need the same. */
export interface MemberTiming extends HeartbeatOptions {
  /** How long a message may take: the unit of the algorithm's timers. */
  readonly delayBound: number
}

/** Defaults of elections, and of gossip, where a false suspicion loses a share of the sum. */
export const DEFAULT_TIMING: MemberTiming = { heartbeat: 100, timeout: 500, delayBound: 100 }
export const GOSSIP_TIMING: MemberTiming = { ...DEFAULT_TIMING, timeout: 2000, delayBound: 10 }

/** Whether an algorithm reacts to crashes, so that its members need a failure detector. */
function reactsToCrashes({ lasting, needs }: Algorithm): boolean {
  return lasting || needs.knows?.includes('liveness') === true
}

/** The failure detector of a member, null if the algorithm needs none, and the unit of timers. */
export function memberTiming(
  algorithm: Algorithm,
  given: Partial<MemberTiming>,
  where: (option: 'heartbeat' | 'timeout') => string,
): { readonly failureDetector: HeartbeatOptions | null; readonly unit: number } {
  const defaults = algorithm.computes === null ? DEFAULT_TIMING : GOSSIP_TIMING
  const { heartbeat, timeout, delayBound: unit } = { ...defaults, ...given }
  if (!reactsToCrashes(algorithm)) {
    const useless = (['heartbeat', 'timeout'] as const).find((name) => given[name] !== undefined)
    if (useless === undefined) return { failureDetector: null, unit }
    throw new UsageError(
      where(useless),
      `${algorithm.name} does not react to crashes, so that its members detect none.`,
      'Leave it out, or use an algorithm such as bully.',
    )
  }
  if (timeout >= 2 * heartbeat) return { failureDetector: { heartbeat, timeout }, unit }
  throw new UsageError(
    where('timeout'),
    `${timeout} ms are less than two heartbeats, which take ${2 * heartbeat} ms.`,
    'Increase the timeout, or decrease the heartbeat.',
  )
}
