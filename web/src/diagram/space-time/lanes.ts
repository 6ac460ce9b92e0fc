import type { Grid } from '../../../../src/diagram/space-time/arrows.ts'
import type { RunLog } from '../../recording/run-log.ts'

const NAMES = 46
export const TOP = 8
const AXIS = 22
const RIGHT = 16
/** Heads of arrows are drawn where lines are farther apart than this. */
export const LEGIBLE_HEADS = 8

/** Where lines and moments are on a surface. */
export class LaneGrid implements Grid {
  readonly left: number
  readonly right: number
  readonly lane: number
  /** Height of the axis below the lines. */
  readonly axis: number

  constructor(
    readonly order: LaneOrder,
    readonly width: number,
    readonly height: number,
    readonly span: TimeSpan,
    /** How large words are: 1 on a desk, more for a projector. */
    readonly scale = 1,
  ) {
    this.left = NAMES * scale
    this.right = width - RIGHT
    this.axis = AXIS * scale
    this.lane = Math.max(0.1, (height - TOP - this.axis) / Math.max(1, order.nodes.length))
  }

  /** Pixels of a unit of time. */
  get step(): number {
    const { from, to } = this.span
    return (this.right - this.left) / (to - from)
  }

  /** Where there are no heads, arrows that follow each other make one line. */
  get clearance(): number {
    return this.lane > LEGIBLE_HEADS ? 2 : 0
  }

  get bottom(): number {
    return this.height - this.axis
  }

  x(time: number): number {
    return this.left + (time - this.span.from) * this.step
  }

  timeAt(x: number): number {
    return this.span.from + (x - this.left) / this.step
  }

  /** Whether a point lies on the axis, where a drag moves the clock. */
  onAxis(y: number): boolean {
    return y > this.bottom
  }

  y(node: number): number {
    return TOP + (this.order.laneOf(node) + 0.5) * this.lane
  }

  nodeAt(y: number): number {
    const { nodes } = this.order
    const lane = Math.round((y - TOP) / this.lane - 0.5)
    return nodes[Math.min(nodes.length - 1, Math.max(0, lane))]
  }

  /** Arrows reach to the line: the page has small signs. */
  space(): number {
    return 0
  }
}

export const LANE_ORDERS = {
  position: 'by position',
  id: 'by id',
  activity: 'by first event',
} as const

export type LaneSorting = keyof typeof LANE_ORDERS

/** Which nodes have a line in the diagram, from top to bottom. */
export class LaneOrder {
  private readonly lanes: Int32Array

  constructor(
    readonly nodes: readonly number[],
    n: number,
  ) {
    this.lanes = new Int32Array(n).fill(-1)
    for (const [lane, node] of nodes.entries()) this.lanes[node] = lane
  }

  static ofAll(n: number): LaneOrder {
    return new LaneOrder(
      Array.from({ length: n }, (_, node) => node),
      n,
    )
  }

  shows(node: number): boolean {
    return this.lanes[node] >= 0
  }

  laneOf(node: number): number {
    return this.lanes[node]
  }
}

/** The lines of a run in an order, without those of hidden nodes. */
export function laneOrder(
  log: RunLog,
  sorting: LaneSorting,
  hidden: ReadonlySet<number>,
): LaneOrder {
  const { n } = log.world
  const keys = sorting === 'position' ? null : sorting === 'id' ? idsOf(log) : firstEventsOf(log)
  const nodes = Array.from({ length: n }, (_, node) => node).filter((node) => !hidden.has(node))
  // Sorting is stable: nodes with equal keys stay in the order of their positions.
  if (keys !== null) nodes.sort((a, b) => keys[a] - keys[b])
  return new LaneOrder(nodes, n)
}

/** The largest id is at the top. */
function idsOf({ world: { n, ids } }: RunLog): readonly number[] {
  return Array.from({ length: n }, (_, node) => (ids === null ? node : -ids[node]))
}

/** The first step of each node. */
function firstEventsOf(log: RunLog): readonly number[] {
  const first = new Array<number>(log.world.n).fill(Number.MAX_SAFE_INTEGER)
  for (let step = log.steps - 1; step >= 0; step--) first[log.nodeOf(step)] = step
  return first
}

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
