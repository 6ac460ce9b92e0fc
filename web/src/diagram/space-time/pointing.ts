import { signal } from '@preact/signals'
import type { ArrowSegment } from '../../../../src/diagram/space-time/arrows.ts'
import type { RunControls } from '../../model/clock.ts'
import { isSecret } from '../../model/prediction.ts'
import type { ShownRun } from '../../model/run.ts'
import { chooseFlight, hoveredFlight } from '../../model/selection.ts'
import type { RunLog } from '../../recording/run-log.ts'
import type { DiagramState } from './diagram-state.ts'
import type { TipPlace } from './diagram-tip.tsx'
import { type LaneGrid, moved, type TimeSpan, wholeSpan, zoomed } from './lanes.ts'
import type { FlightArrow } from './run-window.ts'

/** How close the pointer must be to an arrow or a step, in pixels; a finger is less exact. */
const REACH = { mouse: 7, touch: 18 } as const
/** Steps that are looked at on both sides of the pointer. */
const STEPS_SEARCHED = 2000

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
function nearestStep(log: RunLog, grid: LaneGrid, x: number, y: number): number {
  const node = grid.nodeAt(y)
  const middle = log.stepsUntil(grid.timeAt(x)) - 1
  const gap = (step: number) =>
    Math.abs(grid.x(log.timeOf(step)) - x) + (log.nodeOf(step) === node ? 0 : grid.lane + 20)
  let best = Math.max(0, middle)
  const last = Math.min(log.steps, middle + STEPS_SEARCHED)
  for (let step = Math.max(0, middle - STEPS_SEARCHED); step < last; step++)
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

/** How far the wheel turns for a factor of e. */
const WHEEL = 600
/** A pointer that moves less than this clicks. */
const CLICK_DISTANCE = 4

interface Drag {
  readonly x: number
  readonly y: number
  readonly span: TimeSpan
  /** Dragging the axis moves the clock, dragging the lines moves the span. */
  readonly scrubs: boolean
  moved: boolean
}

/** What a pointer does on the diagram: it points, scrubs the clock, moves the span and zooms. */
export class DiagramPointer {
  readonly tip = signal<TipPlace | null>(null)
  private grid: LaneGrid | null = null
  private arrows: readonly FlightArrow[] = []
  private drag: Drag | null = null
  private readonly fingers = new Map<number, number>()

  constructor(
    private readonly run: ShownRun,
    private readonly player: RunControls,
    private readonly state: DiagramState,
  ) {}

  /** What is on the canvas now. */
  painted(grid: LaneGrid, arrows: readonly FlightArrow[]): void {
    this.grid = grid
    this.arrows = arrows
  }

  zoom(factor: number, time: number): void {
    const { run, player, state } = this
    const log = run.log.value
    if (log === null) return
    state.span.value = zoomed(state.spanAt(log, player.time.value), factor, time, wholeSpan(log))
  }

  turn(event: WheelEvent): void {
    event.preventDefault()
    if (this.grid !== null)
      this.zoom(Math.exp(event.deltaY / WHEEL), this.grid.timeAt(event.offsetX))
  }

  begin(event: PointerEvent): void {
    if (this.grid === null || event.button !== 0) return
    const { offsetX: x, offsetY: y, pointerId } = event
    this.fingers.set(pointerId, x)
    if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(pointerId)
    this.drag = { x, y, span: this.grid.span, scrubs: this.grid.onAxis(y), moved: false }
  }

  pull(event: PointerEvent): void {
    const log = this.run.log.value
    const { drag: started, grid } = this
    if (started === null || grid === null || log === null) this.point(event)
    else if (this.fingers.size === 2) this.pinch(event)
    else {
      const by = started.x - event.offsetX
      if (!started.moved && Math.hypot(by, started.y - event.offsetY) < CLICK_DISTANCE) return
      started.moved = true
      this.tip.value = null
      const time = grid.timeAt(by) - grid.timeAt(0)
      if (started.scrubs) this.scrub(event.offsetX)
      else this.state.span.value = moved(started.span, time, wholeSpan(log))
    }
  }

  drop(event: PointerEvent): void {
    const { offsetX: x, offsetY: y } = event
    const log = this.run.log.value
    const { drag: started, grid, player } = this
    this.drag = null
    this.fingers.delete(event.pointerId)
    if (started === null || started.moved || log === null || grid === null) return
    if (started.scrubs) {
      this.scrub(x)
      return
    }
    this.point(event)
    if (this.tip.value?.flight != null) chooseFlight(this.tip.value.flight)
    else {
      player.pause()
      player.toStep(nearestStep(log, grid, x, y) + 1)
    }
  }

  cancel(): void {
    this.drag = null
    this.fingers.clear()
  }

  leave(): void {
    hoveredFlight.value = null
    this.tip.value = null
  }

  /** What is under the pointer: a step where its sign is, else a message. */
  private point({ offsetX: x, offsetY: y, pointerType }: PointerEvent): void {
    const { run, player, grid } = this
    const log = run.log.value
    if (log === null || grid === null) return
    const kind: PointerKind = pointerType === 'touch' ? 'touch' : 'mouse'
    const on = !grid.onAxis(y)
    const step = on ? stepAt(log, grid, x, y, kind) : null
    const flight = on && step === null ? flightAt(this.arrows, x, y, kind) : null
    const secret = isSecret(run, player) && (step ?? 0) >= player.step.value
    hoveredFlight.value = flight
    this.tip.value =
      secret || (step === null && flight === null)
        ? null
        : { step, flight, x, y, late: x > grid.width / 2, low: y > grid.height / 2 }
  }

  private scrub(x: number): void {
    const { grid, player } = this
    if (grid === null) return
    player.pause()
    player.toTime(grid.timeAt(Math.min(Math.max(x, grid.left), grid.right)))
  }

  /** Two fingers zoom by the change of their distance. */
  private pinch({ pointerId, offsetX }: PointerEvent): void {
    const other = [...this.fingers].find(([id]) => id !== pointerId)?.[1]
    const former = this.fingers.get(pointerId)
    if (other === undefined || former === undefined || this.grid === null) return
    const [before, after] = [Math.abs(former - other), Math.abs(offsetX - other)]
    if (before > CLICK_DISTANCE && after > CLICK_DISTANCE)
      this.zoom(before / after, this.grid.timeAt((offsetX + other) / 2))
    this.fingers.set(pointerId, offsetX)
    if (this.drag !== null) this.drag.moved = true
  }
}
