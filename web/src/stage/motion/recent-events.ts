import { numberOf } from '../../recording/events.ts'
import type { RunLog } from '../../recording/run-log.ts'

const RECEIVE = numberOf('receive')
const SEND = numberOf('send')

/** At most this many steps are looked through for one picture. */
const MOST_STEPS = 400
/** How long an event may be seen after it has happened, in units of simulated time. */
export const LONGEST_SEEN = 1

/** An event of the recent past, and how long ago it was. */
export interface RecentEvent {
  readonly event: number
  readonly step: number
  readonly age: number
}

/** The kinds of events that are seen even among many small nodes. */
export const FATEFUL: ReadonlySet<number> = new Set(
  (['lose', 'vanish', 'lead', 'crash'] as const).map(numberOf),
)

/** The events of the last unit of time before a moment, the latest step first. */
export function recentEvents(
  log: RunLog,
  step: number,
  time: number,
  kinds: ReadonlySet<number> | null = null,
): RecentEvent[] {
  const found: RecentEvent[] = []
  const last = Math.max(0, step - MOST_STEPS)
  for (let past = step - 1; past >= last; past--) {
    const age = time - log.timeOf(past)
    if (age > LONGEST_SEEN) break
    for (let event = log.first.at(past); event < log.end(past); event++)
      if (kinds === null || kinds.has(log.kind.at(event)))
        found.push({ event, step: past, age: Math.max(0, age) })
  }
  return found
}

/** What a node does with a message: it keeps it, sends the same on, or answers in another way. */
export function receiptOf(log: RunLog, step: number): 'swallowed' | 'passed on' | 'answered' {
  const first = log.first.at(step)
  let answered = false
  for (let event = first + 1; event < log.end(step); event++) {
    if (log.kind.at(event) !== SEND) continue
    if (log.type.at(event) === log.type.at(first) && log.body.at(event) === log.body.at(first))
      return 'passed on'
    answered = true
  }
  return answered || log.kind.at(first) !== RECEIVE ? 'answered' : 'swallowed'
}
