import type { Pen } from '../../../src/diagram/pen.ts'
import type { Geometry } from './geometry.ts'

/** The middle of a possible place of a label. */
export interface LabelSpot {
  readonly x: number
  readonly y: number
}

interface Box extends LabelSpot {
  /** Half of its width and of its height. */
  readonly wide: number
  readonly high: number
}

/** What a label belongs to: a line leads to it from a label that stands away from it. */
interface LabelOwner extends LabelSpot {
  readonly colour: string
}

/** Height of a line of text on a desk. */
const LINE = 14
/** A label that is farther from its owner has a line to it. */
const AWAY = 12

/** The labels of a stage: none overlaps a node or another label. */
export class Labels {
  /** The number of labels for which there was no room. */
  leftOut = 0
  private readonly taken: Box[] = []

  /** `reach` says how far each node reaches from its middle. */
  constructor(
    private readonly geometry: Geometry,
    private readonly reach: (node: number) => number,
  ) {}

  /** The size of words, in pixels. */
  get size(): number {
    return 12 * this.geometry.scale
  }

  leaveOut(count: number): void {
    this.leftOut += count
  }

  /** Whether nothing is at a place yet. */
  hasRoom(x: number, y: number, wide: number, high: number): boolean {
    return this.isFree({ x, y, wide, high })
  }

  /** Keeps words off a place: half of its width and height around the middle. */
  reserve(x: number, y: number, wide: number, high: number): void {
    this.taken.push({ x, y, wide, high })
  }

  /** Writes at the first free spot, in the font of the pen; writes nothing if there is none. */
  write(
    pen: Pen,
    text: string,
    spots: readonly LabelSpot[],
    ink: string,
    background: string | null,
    owner: LabelOwner | null = null,
  ): void {
    const { width, height, scale } = this.geometry
    const [wide, high] = [pen.measureText(text).width / 2 + 3, (LINE * scale) / 2]
    const boxes = spots.map(({ x, y }) => ({
      x: clamp(x, wide, width - wide),
      y: clamp(y, high, height - high),
      wide,
      high,
    }))
    const box = boxes.find((one) => this.isFree(one))
    if (box === undefined) {
      this.leftOut++
      return
    }
    this.taken.push(box)
    if (owner !== null) lineTo(pen, box, owner)
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    if (background !== null) {
      pen.globalAlpha = 0.85
      pen.fillStyle = background
      pen.fillRect(box.x - wide, box.y - high, 2 * wide, 2 * high)
      pen.globalAlpha = 1
    }
    pen.fillStyle = ink
    pen.fillText(text, box.x, box.y)
  }

  private isFree(box: Box): boolean {
    return !this.taken.some((other) => overlap(box, other)) && !this.coversNode(box)
  }

  private coversNode({ x, y, wide, high }: Box): boolean {
    const { x: across, y: down } = this.geometry
    for (let node = 0; node < across.length; node++) {
      const dx = Math.max(0, Math.abs(across[node] - x) - wide)
      const dy = Math.max(0, Math.abs(down[node] - y) - high)
      if (dx * dx + dy * dy < this.reach(node) ** 2) return true
    }
    return false
  }
}

/** A line from the rim of a box to its owner, where they stand apart. */
function lineTo(pen: Pen, { x, y, wide, high }: Box, owner: LabelOwner): void {
  const left = clamp(owner.x, x - wide, x + wide)
  const top = clamp(owner.y, y - high, y + high)
  if (Math.hypot(owner.x - left, owner.y - top) < AWAY) return
  pen.strokeStyle = owner.colour
  pen.lineWidth = 1
  pen.setLineDash([])
  pen.beginPath()
  pen.moveTo(left, top)
  pen.lineTo(owner.x, owner.y)
  pen.stroke()
}

function overlap(a: Box, b: Box): boolean {
  return Math.abs(a.x - b.x) < a.wide + b.wide && Math.abs(a.y - b.y) < a.high + b.high
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high))
}
