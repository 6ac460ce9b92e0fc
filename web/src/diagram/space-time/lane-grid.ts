import type { Grid } from '../../../../src/diagram/space-time/arrows.ts'
import type { LaneOrder } from './lane-order.ts'
import type { TimeSpan } from './span.ts'

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
