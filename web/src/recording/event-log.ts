import type { Snapshot } from '../../../src/check/index.ts'
import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import { ColumnWriter } from './columns.ts'
import { beginsStep, numberOf, STATUSES } from './events.ts'
import { detailsOf } from './recorder.ts'
import { type RunFacts, RunLog } from './run-log.ts'

const STATUS_AFTER: Readonly<Partial<Record<TraceEvent['event'], (typeof STATUSES)[number]>>> = {
  wake: 'unknown',
  lead: 'leader',
  crash: 'dead',
  recover: 'unknown',
  withdraw: 'unknown',
}

/**
 * A run of which only the events are known: the status of nodes follows from their events, and
 * their states come from snapshots, where there are any.
 */
export function logOfEvents(
  world: RunFacts,
  events: readonly TraceEvent[],
  snapshots: readonly Snapshot[] = [],
): RunLog {
  const log = new RunLog(world)
  const writer = new ColumnWriter()
  const status = new Array<string>(world.n).fill('asleep')
  const leader = new Float64Array(world.n).fill(Number.NaN)
  let current: TraceEvent | null = null
  let count = 0
  const snapshot = () => snapshots.find((one) => one.events >= count)
  const close = () => {
    if (current === null) return
    const { node } = current
    const after = snapshot()
    writer.endStep({
      status: STATUSES.indexOf(status[node] as never),
      leader: leader[node],
      state: JSON.stringify(after?.states[node] ?? { status: status[node] }),
      display: after?.displays?.[node] ?? null,
      reason: after?.events === count ? (after.reason ?? null) : null,
      bits: 0,
    })
    current = null
  }
  for (const event of events) {
    const kind = numberOf(event.event)
    if (beginsStep(kind) || event.node !== current?.node || event.at !== current.at) {
      close()
      writer.beginStep()
      current = event
    }
    const { node } = event
    if (event.event === 'receive' && status[node] === 'asleep') status[node] = 'unknown'
    if (event.event === 'follow') {
      status[node] = event.leader === null ? 'unknown' : 'lost'
      leader[node] = event.leader ?? Number.NaN
    }
    status[node] = STATUS_AFTER[event.event] ?? status[node]
    count++
    writer.addEvent({ at: event.at, kind, node, ...detailsOf(event, world.types) })
  }
  close()
  log.append(writer.take())
  return log
}
