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

/** Height of a line of text on a desk. */
const LINE = 14

/** The labels of a stage: none overlaps a node or another label. */
export class Labels {
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

  /** Writes at the first free spot, in the font of the pen; writes nothing if there is none. */
  write(
    pen: Pen,
    text: string,
    spots: readonly LabelSpot[],
    ink: string,
    background: string | null,
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
    if (box === undefined) return
    this.taken.push(box)
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

function overlap(a: Box, b: Box): boolean {
  return Math.abs(a.x - b.x) < a.wide + b.wide && Math.abs(a.y - b.y) < a.high + b.high
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high))
}
