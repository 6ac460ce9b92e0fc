import type { DiagramColours } from '../palette.ts'
import { inGroup, type Pen, paintText, strokeWith } from '../pen.ts'
import { circle, cross, outline, polygon } from '../shapes.ts'
import { textWidth } from '../svg.ts'
import type { EventMark } from './history.ts'

type MarkSign = Pick<EventMark, 'kind' | 'text'>

/** Where a sign is painted, and how large: 1 where there is room for all of it. */
interface SignPlace {
  readonly x: number
  readonly y: number
  readonly scale?: number
  /** The full text of the sign, as a tooltip. */
  readonly title?: string
}

/** Paints a small sign on the line of a node, around a point. */
export function paintMark(
  pen: Pen,
  { kind, text }: MarkSign,
  { x, y, scale = 1, title }: SignPlace,
  colours: DiagramColours,
): void {
  pen.setLineDash([])
  inGroup(pen, `mark ${kind}`, () => SIGNS[kind](new Brush(pen, x, y, scale, colours), text), title)
}

/** How far a sign reaches to both sides of its middle. */
export function halfOf({ kind, text = '' }: MarkSign): number {
  return kind === 'draw' ? textWidth(text, DRAW_SIZE) / 2 + 3 : HALVES[kind]
}

const DRAW_SIZE = 10
const HALVES: Record<Exclude<EventMark['kind'], 'draw'>, number> = {
  wake: 5,
  follow: 5,
  stop: 1,
  timeout: 7,
  lead: 13,
  crash: 8,
  recover: 7,
  retire: 6,
  down: 6,
  up: 6,
  cut: 6,
  mend: 6,
}
/** Between two signs of one moment. */
const GAP = 2

/** How far right of its moment a sign stands at least: the arrow that brought it stays visible. */
const OFFSETS: Partial<Record<EventMark['kind'], number>> = { lead: 20, stop: 8 }

/** How far to the right of its moment each sign stands, so that those of one moment are apart. */
export function shiftsOf(marks: readonly EventMark[]): (mark: EventMark) => number {
  const ends = new Map<string, number>()
  const shifts = new Map<EventMark, number>()
  for (const mark of marks) {
    const offset = OFFSETS[mark.kind] ?? 0
    const end = ends.get(spot(mark))
    const shift = end === undefined ? offset : Math.max(offset, end + GAP + halfOf(mark))
    shifts.set(mark, shift)
    ends.set(spot(mark), shift + halfOf(mark))
  }
  return (mark) => shifts.get(mark) ?? 0
}

/** How far the signs on a line reach out from their moment, which arrowheads have to respect. */
export function reachesOf(marks: readonly EventMark[]): (node: number, at: number) => number {
  const reaches = new Map<string, number>()
  for (const mark of marks)
    reaches.set(spot(mark), Math.max(REACH[mark.kind] ?? 0, reaches.get(spot(mark)) ?? 0))
  return (node, at) => reaches.get(spot({ node, at })) ?? 0
}

const REACH: Partial<Record<EventMark['kind'], number>> = {
  follow: 4.5,
  timeout: 7,
  recover: 7,
  retire: 6,
  down: 6,
  up: 6,
  cut: 5,
  mend: 5,
  draw: 7,
}

function spot({ node, at }: { readonly node: number; readonly at: number }): string {
  return `${node}@${at}`
}

type Points = readonly (readonly [x: number, y: number])[]

/** Paints in coordinates around the middle of a sign. */
class Brush {
  constructor(
    private readonly pen: Pen,
    private readonly x: number,
    private readonly y: number,
    private readonly scale: number,
    readonly colours: DiagramColours,
  ) {}

  circle(radius: number, fill: string, edge: string): void {
    strokeWith(this.pen, { colour: edge, width: 1.5 * this.scale })
    this.pen.fillStyle = fill
    circle(this.pen, this.x, this.y, radius * this.scale)
    this.pen.fill()
    this.pen.stroke()
  }

  lines(colour: string, width: number, ...lines: Points[]): void {
    strokeWith(this.pen, { colour, width: width * this.scale })
    this.pen.beginPath()
    for (const line of lines) outline(this.pen, this.placed(line))
    this.pen.stroke()
  }

  polygon(fill: string, edge: string, width: number, corners: Points, round = false): void {
    strokeWith(this.pen, { colour: edge, width: width * this.scale })
    this.pen.lineJoin = round ? 'round' : 'miter'
    this.pen.fillStyle = fill
    polygon(this.pen, this.placed(corners))
    this.pen.fill()
    this.pen.stroke()
    this.pen.lineJoin = 'miter'
  }

  cross(reach: number, colour: string, width: number): void {
    cross(this.pen, this.x, this.y, reach * this.scale, colour, width * this.scale)
  }

  boxedText(text: string): void {
    const { pen, x, y, colours } = this
    const half = halfOf({ kind: 'draw', text })
    strokeWith(pen, { colour: colours.ink, width: 1 })
    pen.fillStyle = colours.paper
    pen.beginPath()
    pen.roundRect(x - half, y - 7, 2 * half, 14, 3)
    pen.fill()
    pen.stroke()
    paintText(pen, text, x, y + 3.6, { size: DRAW_SIZE, fill: colours.ink, align: 'center' })
  }

  private placed(points: Points): [number, number][] {
    return points.map(([x, y]) => [this.x + x * this.scale, this.y + y * this.scale])
  }
}

const STROKES: readonly Points[] = [
  [
    [-5, 5],
    [0, -5],
  ],
  [
    [0, 5],
    [5, -5],
  ],
]
const HANDS: Points = [
  [0, -3.6],
  [0, 0],
  [2.8, 0],
]
const PLUS: readonly Points[] = [
  [
    [-3.5, 0],
    [3.5, 0],
  ],
  [
    [0, -3.5],
    [0, 3.5],
  ],
]
const BAR: Points = [
  [0, -5],
  [0, 5],
]
const BOX: Points = [
  [-5, -5],
  [5, -5],
  [5, 5],
  [-5, 5],
]
const CROWN: Points = [
  [-10, 7],
  [-12, -7],
  [-5.5, -1],
  [0, -11],
  [5.5, -1],
  [12, -7],
  [10, 7],
]

function triangle(tip: 1 | -1): Points {
  return [
    [-5, -4 * tip],
    [5, -4 * tip],
    [0, 5 * tip],
  ]
}

const SIGNS: Record<EventMark['kind'], (brush: Brush, text?: string) => void> = {
  wake: (brush) => brush.circle(4.5, brush.colours.ink, brush.colours.ink),
  follow: (brush) => brush.circle(3.5, brush.colours.paper, brush.colours.grey),
  stop: (brush) => brush.lines(brush.colours.grey, 2, BAR),
  crash: (brush) => brush.cross(7, brush.colours.danger, 3.5),
  recover(brush) {
    brush.circle(6, brush.colours.paper, brush.colours.ink)
    brush.lines(brush.colours.ink, 1.6, ...PLUS)
  },
  retire: (brush) => brush.polygon(brush.colours.paper, brush.colours.ink, 1, BOX),
  down: (brush) => brush.polygon(brush.colours.paper, brush.colours.danger, 1.5, triangle(1)),
  up: (brush) => brush.polygon(brush.colours.paper, brush.colours.ink, 1.5, triangle(-1)),
  timeout(brush) {
    brush.circle(6, brush.colours.paper, brush.colours.ink)
    brush.lines(brush.colours.ink, 1.4, HANDS)
  },
  cut: (brush) => brush.lines(brush.colours.danger, 2, ...STROKES),
  mend: (brush) => brush.lines(brush.colours.ink, 2, ...STROKES),
  draw: (brush, text = '') => brush.boxedText(text),
  lead: (brush) => brush.polygon(brush.colours.gold, brush.colours.ink, 1.5, CROWN, true),
}
