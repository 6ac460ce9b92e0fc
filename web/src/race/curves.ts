import { numberOf } from '../recording/events.ts'
import type { RunLog } from '../recording/run-log.ts'

const SEND = numberOf('send')

/** The number of messages sent up to each moment of a run at which some are sent. */
export interface MessageCurve {
  readonly times: readonly number[]
  readonly totals: readonly number[]
}

/** At most this many points: more cannot be seen. */
const POINTS = 600

/** The curve of a run so far. */
export function messageCurve(log: RunLog): MessageCurve {
  const [times, totals]: [number[], number[]] = [[], []]
  let total = 0
  for (let event = 0; event < log.at.length; event++) {
    if (log.kind.at(event) !== SEND) continue
    total++
    const at = log.at.at(event)
    if (times.at(-1) === at) totals[totals.length - 1] = total
    else {
      times.push(at)
      totals.push(total)
    }
  }
  return thinned({ times, totals })
}

/** The value of a curve at a time: a step function, 0 before its first point. */
export function valueAt({ times, totals }: MessageCurve, time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle] <= time) low = middle + 1
    else high = middle
  }
  return low === 0 ? 0 : totals[low - 1]
}

function thinned({ times, totals }: MessageCurve): MessageCurve {
  if (times.length <= POINTS) return { times, totals }
  const last = times.length - 1
  const kept = Array.from({ length: POINTS }, (_, i) => Math.round((i * last) / (POINTS - 1)))
  return { times: kept.map((i) => times[i]), totals: kept.map((i) => totals[i]) }
}
