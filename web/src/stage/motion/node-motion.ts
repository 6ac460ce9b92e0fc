import { numberOf } from '../../recording/events.ts'
import type { RunLog } from '../../recording/run-log.ts'
import type { RecentEvent } from './recent-events.ts'

const LEAD = numberOf('lead')
const CRASH = numberOf('crash')
const ESTIMATE = numberOf('estimate')
/** How long a node is seen to act, to be elected and to crash, in units of simulated time. */
const ACTS = 0.35
const IS_CROWNED = 0.9
const CRASHES = 0.6

/** What a node has just done, as how much of each motion is left: from 1 at its start to 0. */
export interface NodeMotion {
  readonly acts: number
  readonly crowned: number
  readonly crashes: number
}

const REST: NodeMotion = { acts: 0, crowned: 0, crashes: 0 }

/** The nodes in motion at a time, by position. */
export function nodeMotions(
  log: RunLog,
  recent: readonly RecentEvent[],
  time: number,
): Map<number, NodeMotion> {
  const moving = new Map<number, NodeMotion>()
  for (const { event, step } of recent) {
    const kind = log.kind.at(event)
    if (kind === ESTIMATE) continue
    const age = time - log.at.at(event)
    const left = (seen: number) => (age < 0 || age >= seen ? 0 : 1 - age / seen)
    const now = {
      acts: event === log.first.at(step) && kind !== CRASH ? left(ACTS) : 0,
      crowned: kind === LEAD ? left(IS_CROWNED) : 0,
      crashes: kind === CRASH ? left(CRASHES) : 0,
    }
    if (now.acts + now.crowned + now.crashes === 0) continue
    const node = log.node.at(event)
    const before = moving.get(node) ?? REST
    moving.set(node, {
      acts: Math.max(before.acts, now.acts),
      crowned: Math.max(before.crowned, now.crowned),
      crashes: Math.max(before.crashes, now.crashes),
    })
  }
  return moving
}

/** How far a node that crashes is moved sideways, as a share of its radius. */
export function shake(left: number): number {
  return 0.22 * left * Math.sin(left * 28)
}
