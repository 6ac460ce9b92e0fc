import { numberOf } from '../recording/events.ts'
import type { RunLog } from '../recording/run-log.ts'

/** What one may want to jump to. */
export const LANDMARKS = ['election', 'crash', 'violation'] as const
export type Landmark = (typeof LANDMARKS)[number]

const LEAD = numberOf('lead')
const CRASH = numberOf('crash')

/** Where elections and crashes are, as far as a run has been looked through. */
interface Register {
  looked: number
  readonly election: number[]
  readonly crash: number[]
}

const registers = new WeakMap<RunLog, Register>()

/** How many steps there are with the next election, crash or violation; null if none follows. */
export function nextLandmark(log: RunLog, to: Landmark, step: number): number | null {
  if (to === 'violation') return log.violations.find((one) => one.step > step)?.step ?? null
  return registerOf(log)[to].find((one) => one > step) ?? null
}

/** Every step is looked at once, however often somebody asks. */
function registerOf(log: RunLog): Register {
  const register = registers.get(log) ?? { looked: 0, election: [], crash: [] }
  registers.set(log, register)
  for (; register.looked < log.steps; register.looked++) {
    const step = register.looked
    for (let event = log.first.at(step); event < log.end(step); event++) {
      const kind = log.kind.at(event)
      if (kind === LEAD && register.election.at(-1) !== step + 1) register.election.push(step + 1)
      if (kind === CRASH && register.crash.at(-1) !== step + 1) register.crash.push(step + 1)
    }
  }
  return register
}
