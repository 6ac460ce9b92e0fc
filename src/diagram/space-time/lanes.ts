import { momentText } from '../../core/text-format.ts'
import { type DiagramSetting, laneName } from '../diagram-setting.ts'
import type { DiagramColours } from '../palette.ts'
import { inGroup, type Pen, paintLine, paintText } from '../pen.ts'
import type { Grid } from './arrows.ts'
import type { EventMark, LifeSpan, NodeLane, NodeLife, SpaceTimeHistory } from './history.ts'
import type { Box } from './labels.ts'
import { halfOf, paintMark, shiftsOf } from './marks.ts'

/** Where the lines of the nodes begin and end. */
export interface Extent {
  readonly left: number
  readonly right: number
}

export const NAME_SIZE = 14
/** Written at the end of the line of a node that leads. */
export const LEADER = 'leader'

type LineKind = NodeLife | 'leader'

const LOOKS: Record<
  LineKind,
  { readonly colour: keyof DiagramColours; readonly width: number; readonly dash?: number[] }
> = {
  asleep: { colour: 'pale', width: 1.8, dash: [1.5, 4.5] },
  awake: { colour: 'lane', width: 1.8 },
  stopped: { colour: 'pale', width: 1.8 },
  leader: { colour: 'gold', width: 9 },
}

/** A piece of a node's line: dotted while asleep, thick and golden while leading. */
export function paintLane(
  pen: Pen,
  kind: LineKind,
  { from, to, y, scale = 1 }: { from: number; to: number; y: number; scale?: number },
  colours: DiagramColours,
): void {
  const { colour, width, dash = [] } = LOOKS[kind]
  const style = { colour: colours[colour], width: width * scale, dash }
  inGroup(pen, kind, () => paintLine(pen, [from, y, to, y], style))
}

/** The lines of all nodes. */
export function paintLanes(
  pen: Pen,
  lanes: readonly NodeLane[],
  grid: Pick<Grid, 'x' | 'y'>,
  extent: Extent,
  colours: DiagramColours,
  scale = 1,
): void {
  for (const [node, { lives, leaderships }] of lanes.entries())
    for (const span of [...leaderships, ...lives]) {
      const [from, to] = endsOf(span, grid, extent)
      if (to > from) paintLane(pen, span.kind, { from, to, y: grid.y(node), scale }, colours)
    }
}

function endsOf(
  { from, to, first }: LifeSpan<LineKind>,
  grid: Pick<Grid, 'x'>,
  extent: Extent,
): [number, number] {
  const start = first && to !== from ? extent.left : grid.x(from)
  return [start, to === null ? extent.right : grid.x(to)]
}

/** A text beside the beginning of each line, and the word leader at the end of some. */
export function paintNames(
  pen: Pen,
  names: readonly { readonly text: string; readonly bold: boolean; readonly leads: boolean }[],
  grid: Pick<Grid, 'y'>,
  extent: Extent,
  { size, fill }: { readonly size: number; readonly fill: string },
): void {
  for (const [node, { text, bold, leads }] of names.entries()) {
    const y = grid.y(node) + size * 0.36
    paintText(pen, text, extent.left - 12, y, { size, fill, bold, align: 'right' })
    if (leads) paintText(pen, LEADER, extent.right + 8, y, { size, fill, bold: true })
  }
}

/** The signs of all marks, those of one moment side by side. */
export function paintMarks(
  pen: Pen,
  marks: readonly EventMark[],
  grid: Pick<Grid, 'x' | 'y'>,
  colours: DiagramColours,
  setting: DiagramSetting,
): void {
  const shift = shiftsOf(marks)
  for (const mark of marks) {
    const moment = `${setting.unit} ${momentText(mark.at)}`
    const peer = mark.peer === undefined ? '' : laneName(mark.peer, setting.ids)
    const what = [mark.kind, mark.text ?? peer].join(' ').trim()
    const title = `${laneName(mark.node, setting.ids)}, ${moment}: ${what}`
    const place = { x: grid.x(mark.at) + shift(mark), y: grid.y(mark.node), title }
    paintMark(pen, mark, place, colours)
  }
}

/** What labels have to keep clear of: the lines with their signs. */
export function laneBoxes({ lanes, marks }: SpaceTimeHistory, grid: Grid, extent: Extent): Box[] {
  const lines = lanes.map((_, node) => ({
    left: extent.left,
    right: extent.right,
    top: grid.y(node) - 4,
    bottom: grid.y(node) + 4,
  }))
  const shift = shiftsOf(marks)
  const signs = marks.map((mark) => {
    const [x, y] = [grid.x(mark.at) + shift(mark), grid.y(mark.node)]
    const reach = halfOf(mark)
    const height = Math.max(7, mark.kind === 'draw' ? 0 : reach)
    return { left: x - reach, right: x + reach, top: y - height, bottom: y + height }
  })
  return [...lines, ...signs]
}
