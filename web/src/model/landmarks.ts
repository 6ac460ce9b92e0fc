import { numberOf } from '../recording/events.ts'
import type { RunLog } from '../recording/run-log.ts'

/** The kinds of steps to jump to. */
export const LANDMARKS = ['election', 'crash', 'violation'] as const
export type Landmark = (typeof LANDMARKS)[number]

const LEAD = numberOf('lead')
const CRASH = numberOf('crash')

/** The steps with elections and crashes, in the part of the run that has been scanned. */
interface LandmarkIndex {
  scanned: number
  readonly election: number[]
  readonly crash: number[]
}

const indexes = new WeakMap<RunLog, LandmarkIndex>()

/** The number of steps up to the next election, crash or violation; null if none follows. */
export function nextLandmark(log: RunLog, to: Landmark, step: number): number | null {
  if (to === 'violation') return log.violations.find((one) => one.step > step)?.step ?? null
  return indexOf(log)[to].find((one) => one > step) ?? null
}

/** Scans each step once. */
function indexOf(log: RunLog): LandmarkIndex {
  const index = indexes.get(log) ?? { scanned: 0, election: [], crash: [] }
  indexes.set(log, index)
  for (; index.scanned < log.steps; index.scanned++) {
    const step = index.scanned
    for (let event = log.first.at(step); event < log.end(step); event++) {
      const kind = log.kind.at(event)
      if (kind === LEAD && index.election.at(-1) !== step + 1) index.election.push(step + 1)
      if (kind === CRASH && index.crash.at(-1) !== step + 1) index.crash.push(step + 1)
    }
  }
  return index
}
