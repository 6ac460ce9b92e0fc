import { momentText } from '../core/text-format.ts'
import type { Grid } from './arrows.ts'
import { type DiagramSetting, nodeName } from './caption.ts'
import type { EventMark, History, LifeSpan, NodeLife } from './history.ts'
import type { Box } from './labels.ts'
import { halfOf, markSign, shiftsOf } from './marks.ts'
import { GOLD, INK, PALE } from './palette.ts'
import { type Attributes, element, escaped, px, words } from './svg.ts'

/** Where the lines of the nodes begin and end. */
export interface Extent {
  readonly left: number
  readonly right: number
}

export const NAME_SIZE = 14
/** Written at the end of the line of a node that leads. */
export const OFFICE = 'leader'

const LINES: Record<NodeLife | 'leader', Attributes> = {
  asleep: { stroke: PALE, 'stroke-width': 1.8, 'stroke-dasharray': '1.5 4.5' },
  awake: { stroke: INK, 'stroke-width': 1.8 },
  stopped: { stroke: PALE, 'stroke-width': 1.8 },
  leader: { stroke: GOLD, 'stroke-width': 9 },
}

/** A piece of a node's line: faint while asleep, thick and golden while leading. */
export function lineOf(kind: NodeLife | 'leader', from: number, to: number, y: number): string {
  const d = `M${px(from)} ${px(y)}H${px(to)}`
  return element('path', { class: kind, d, ...LINES[kind] })
}

export function drawLanes({ lanes }: History, grid: Grid, extent: Extent): string {
  return lanes
    .flatMap(({ lives, reigns }, node) =>
      [...reigns, ...lives].map((span) => drawSpan(span, grid, extent, node)),
    )
    .join('')
}

function drawSpan(
  { kind, from, to, first }: LifeSpan<NodeLife | 'leader'>,
  grid: Grid,
  extent: Extent,
  node: number,
): string {
  const start = first && to !== from ? extent.left : grid.x(from)
  const end = to === null ? extent.right : grid.x(to)
  return end > start ? lineOf(kind, start, end, grid.y(node)) : ''
}

/** Position and id beside the beginning of each line, and the office of a leader at the end. */
export function drawNames(
  { lanes }: History,
  grid: Grid,
  extent: Extent,
  ids: ArrayLike<number> | undefined,
): string {
  return lanes
    .map(({ reigns }, node) => {
      const y = grid.y(node) + 5
      const name = words(
        nodeName(node, ids),
        { x: extent.left - 12, y },
        { size: NAME_SIZE, fill: INK, anchor: 'end', bold: reigns.length > 0 },
      )
      const leads = reigns.at(-1)?.to === null
      const style = { size: NAME_SIZE, fill: INK, bold: true }
      return leads ? name + words(OFFICE, { x: extent.right + 8, y }, style) : name
    })
    .join('')
}

export function drawMarks(
  marks: readonly EventMark[],
  grid: Grid,
  setting: DiagramSetting,
): string {
  const shift = shiftsOf(marks)
  return marks
    .map((mark) => {
      const moment = `${setting.unit} ${momentText(mark.at)}`
      const whom = mark.peer === undefined ? '' : nodeName(mark.peer, setting.ids)
      const what = [mark.kind, mark.text ?? whom].join(' ').trim()
      const title = escaped(`${nodeName(mark.node, setting.ids)}, ${moment}: ${what}`)
      return markSign(mark, grid.x(mark.at) + shift(mark), grid.y(mark.node), title)
    })
    .join('')
}

/** What labels have to keep clear of: the lines with their marks, and the crowns. */
export function laneBoxes({ lanes, marks }: History, grid: Grid, extent: Extent): Box[] {
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
