import type { RunLog } from '../../recording/run-log.ts'

/** The part of the time that the diagram shows. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** The number of steps that can be distinguished on one screen. */
const LEGIBLE = 160

export function wholeSpan(log: RunLog): TimeSpan {
  return { from: Math.min(0, log.timeOf(0)), to: Math.max(1, log.timeOf(log.steps - 1)) }
}

/** All of a short run, or the part of a long run around a time, most of it in the past. */
export function followingSpan(log: RunLog, time: number): TimeSpan {
  const whole = wholeSpan(log)
  if (log.steps <= LEGIBLE) return whole
  const legible = ((whole.to - whole.from) * LEGIBLE) / log.steps
  // Long enough to show both ends of a message, however many events there are.
  const length = Math.max(legible, 4 * firstDelay(log))
  return around({ from: time - 0.7 * length, to: time + 0.3 * length }, whole)
}

/** The delay of the first message, as an estimate of all delays. */
function firstDelay(log: RunLog): number {
  if (log.sending.length === 0) return 0
  const delay = log.arrival(0) - log.departure(0)
  return Number.isFinite(delay) ? delay : 0
}

/** Zooms by a factor around a time, which stays in its place. */
export function zoomed(
  { from, to }: TimeSpan,
  factor: number,
  time: number,
  whole: TimeSpan,
): TimeSpan {
  const least = (whole.to - whole.from) * 1e-6
  const length = Math.min(Math.max((to - from) * factor, least), whole.to - whole.from)
  const share = (time - from) / (to - from)
  const begin = time - share * length
  return around({ from: begin, to: begin + length }, whole)
}

export function moved({ from, to }: TimeSpan, by: number, whole: TimeSpan): TimeSpan {
  return around({ from: from + by, to: to + by }, whole)
}

/** Shifts a span into the whole. */
function around({ from, to }: TimeSpan, whole: TimeSpan): TimeSpan {
  const length = Math.min(to - from, whole.to - whole.from)
  const begin = Math.min(Math.max(from, whole.from), whole.to - length)
  return { from: begin, to: begin + length }
}
