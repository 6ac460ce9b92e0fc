import { numberOf } from '../engine/events.ts'
import type { RunLog } from '../engine/run-log.ts'

/** What one may want to jump to. */
export const LANDMARKS = ['election', 'crash', 'violation'] as const
export type Landmark = (typeof LANDMARKS)[number]

const LEAD = numberOf('lead')
const CRASH = numberOf('crash')

/** How many steps there are with the next election, crash or violation; null if none follows. */
export function nextLandmark(log: RunLog, to: Landmark, step: number): number | null {
  if (to === 'violation') return log.violations.find((one) => one.step > step)?.step ?? null
  const kind = to === 'election' ? LEAD : CRASH
  for (let next = step; next < log.steps; next++)
    for (let event = log.first.at(next); event < log.end(next); event++)
      if (log.kind.at(event) === kind) return next + 1
  return null
}
