import type { ArrowSegment } from '../../../../src/diagram/space-time/arrows.ts'
import type { RunLog } from '../../recording/run-log.ts'
import type { LaneGrid } from './lanes.ts'
import type { FlightArrow } from './run-window.ts'

/** How close the pointer must be to an arrow or a step, in pixels; a finger is less exact. */
const REACH = { mouse: 7, touch: 18 } as const
/** Steps that are looked at on both sides of the pointer. */
const SEARCHED = 2000

export type PointerKind = keyof typeof REACH

/** The message whose arrow is nearest to a point; null where none is near. */
export function flightAt(
  arrows: readonly FlightArrow[],
  x: number,
  y: number,
  kind: PointerKind = 'mouse',
): number | null {
  let [best, nearest]: [number | null, number] = [null, REACH[kind]]
  for (const { flight, arrow } of arrows)
    for (const leg of arrow.legs) {
      const distance = distanceTo(leg, x, y)
      if (distance >= nearest) continue
      nearest = distance
      best = flight
    }
  return best
}

/** The distance of a point from a line segment. */
export function distanceTo({ x1, y1, x2, y2 }: ArrowSegment, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const square = dx * dx + dy * dy
  const along = square === 0 ? 0 : ((x - x1) * dx + (y - y1) * dy) / square
  const clamped = Math.min(1, Math.max(0, along))
  return Math.hypot(x - x1 - clamped * dx, y - y1 - clamped * dy)
}

/** The step nearest to a point: one of the node of that lane, if it has any. */
export function nearestStep(log: RunLog, grid: LaneGrid, x: number, y: number): number {
  const node = grid.nodeAt(y)
  const middle = log.stepsUntil(grid.timeAt(x)) - 1
  const gap = (step: number) =>
    Math.abs(grid.x(log.timeOf(step)) - x) + (log.nodeOf(step) === node ? 0 : grid.lane + 20)
  let best = Math.max(0, middle)
  const last = Math.min(log.steps, middle + SEARCHED)
  for (let step = Math.max(0, middle - SEARCHED); step < last; step++)
    if (gap(step) < gap(best)) best = step
  return best
}

/** The step whose sign is under the pointer; null where there is none. */
export function stepAt(
  log: RunLog,
  grid: LaneGrid,
  x: number,
  y: number,
  kind: PointerKind = 'mouse',
): number | null {
  if (log.steps === 0) return null
  const step = nearestStep(log, grid, x, y)
  const node = log.nodeOf(step)
  if (!grid.order.shows(node)) return null
  const distance = Math.hypot(grid.x(log.timeOf(step)) - x, grid.y(node) - y)
  return distance <= REACH[kind] ? step : null
}
