import { element, px, textLines, textWidth, words } from '../../diagram/svg.ts'
import type { DataPoint } from '../statistics/noise.ts'
import type { FigureSpec } from './figure.ts'
import { type FigureLook, type FigureTheme, isInside, lookOf, type PlotFrame } from './frame.ts'

/** A label to the right of the plot, beside the end of its line. */
export interface FigureLabel {
  readonly lines: readonly {
    readonly text: string
    readonly size: number
    readonly bold: boolean
  }[]
  readonly width: number
  readonly colour: string
  /** The line that it labels. */
  readonly points: readonly DataPoint[]
  /** The look of a series; undefined for a bound. */
  readonly look: FigureLook | undefined
  readonly dash: string | undefined
}

export interface PlacedLabel extends FigureLabel {
  /** The end of its line. */
  readonly end: { readonly x: number; readonly y: number }
  /** The vertical centre of the text. */
  readonly y: number
}

/** Dash patterns of the bounds, in order. */
export const DASHES = ['9 7', '3 6', '14 6 3 6'] as const

const [NAME, DETAIL, WIDEST] = [17, 15, 270]
/** Space between the plot and the text, for a leader line and a marker. */
export const LABEL_ROOM = 64
/** The centre of the marker. */
export const SIGN = 44
const GAP = 10

export function labelsOf({ series, bounds = [] }: FigureSpec, theme: FigureTheme): FigureLabel[] {
  const label = (
    name: string,
    detail: string,
    rest: Pick<FigureLabel, 'colour' | 'points' | 'look' | 'dash'>,
  ) => {
    const lines = [
      ...textLines(name, NAME, WIDEST, true).map((text) => ({ text, size: NAME, bold: true })),
      ...detail
        .split('\n')
        .flatMap((line) => textLines(line, DETAIL, WIDEST))
        .map((text) => ({ text, size: DETAIL, bold: false })),
    ]
    const width = Math.max(...lines.map(({ text, size, bold }) => textWidth(text, size, bold)), 0)
    return { ...rest, lines, width }
  }
  return [
    ...series.map(({ name, means, curve }, i) => {
      const look = lookOf(i, theme)
      const points = curve?.points ?? means
      return label(name, curve?.label ?? '', { colour: look.colour, points, look, dash: undefined })
    }),
    ...bounds.map(({ label: text, points }, i) => {
      const dash = DASHES[i % DASHES.length]
      return label('', text, { colour: theme.ink, points, look: undefined, dash })
    }),
  ]
}

export function heightOf({ lines }: FigureLabel): number {
  return lines.reduce((sum, { size }) => sum + size * 1.3, GAP)
}

/** Places each label beside the last visible point of its line, without overlaps. */
export function placeLabels(labels: readonly FigureLabel[], frame: PlotFrame): PlacedLabel[] {
  const ends = labels.map(({ points }) => {
    const last = points.findLast((point) => isInside(frame, point))
    return last === undefined ? { x: frame.right, y: frame.bottom } : frame.at(last)
  })
  const requests = labels.map((label, i) => ({ y: ends[i].y, height: heightOf(label) }))
  const middles = pushedApart(requests, frame.top - GAP, frame.bottom + GAP)
  return labels.map((label, i) => ({ ...label, end: ends[i], y: middles[i] }))
}

export function drawLabels(
  labels: readonly PlacedLabel[],
  frame: PlotFrame,
  theme: FigureTheme,
): string {
  const drawn = labels.map((label) => {
    const { end, y, look, dash, colour } = label
    const from = px(end.x + 8)
    const lead = element('path', {
      d: `M${from} ${px(end.y)}L${px(frame.right + SIGN - 16)} ${px(y)}`,
      stroke: look?.colour ?? theme.grey,
      'stroke-opacity': 0.55,
      fill: 'none',
    })
    const x = frame.right + SIGN
    const sample = element('path', {
      d: `M${px(x - 14)} ${px(y)}h28`,
      stroke: colour,
      'stroke-width': 2,
      'stroke-dasharray': dash,
    })
    let line = y - (heightOf(label) - GAP) / 2
    const text = label.lines.map(({ text, size, bold }) => {
      line += size * 1.3
      const place = { x: frame.right + LABEL_ROOM, y: line - size * 0.3 }
      return words(text, place, { size, fill: colour, bold })
    })
    return [lead, look === undefined ? sample : '', ...text].join('')
  })
  return element('g', { class: 'labels' }, ...drawn)
}

/** Vertical positions of labels, without overlaps. */

export interface LabelRequest {
  /** The desired centre. */
  readonly y: number
  readonly height: number
}

/**
 * The centres, in the order of the requests and as near to them as possible, without overlaps
 * between top and bottom. Colliding neighbours are merged into a block at the mean of the desired
 * positions, until no blocks collide.
 */
export function pushedApart(
  requests: readonly LabelRequest[],
  top: number,
  bottom: number,
): number[] {
  const order = requests.map((_, i) => i).sort((a, b) => requests[a].y - requests[b].y || a - b)
  const blocks: Block[] = []
  for (const index of order) {
    let block = placed([index], requests, top, bottom)
    for (let above = blocks.at(-1); above && above.end > block.start; above = blocks.at(-1)) {
      blocks.pop()
      block = placed([...above.members, ...block.members], requests, top, bottom)
    }
    blocks.push(block)
  }
  const middles: number[] = []
  for (const { members, start } of blocks) {
    let y = start
    for (const index of members) {
      middles[index] = y + requests[index].height / 2
      y += requests[index].height
    }
  }
  return middles
}

interface Block {
  readonly members: readonly number[]
  readonly start: number
  readonly end: number
}

function placed(
  members: readonly number[],
  requests: readonly LabelRequest[],
  top: number,
  bottom: number,
): Block {
  let [height, wanted] = [0, 0]
  for (const index of members) {
    wanted += requests[index].y - requests[index].height / 2 - height
    height += requests[index].height
  }
  const start = Math.max(top, Math.min(bottom - height, wanted / members.length))
  return { members, start, end: start + height }
}
