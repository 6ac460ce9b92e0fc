import type { EventMark } from './history.ts'
import { ALARM, GOLD, GREY, INK, PAPER } from './palette.ts'
import { element, px, widthOf, words } from './svg.ts'

/** The small signs on the lines of nodes. Each is drawn around the point it is given. */
export function markSign({ kind, text }: Sign, x: number, y: number, title?: string): string {
  const about = title === undefined ? [] : [element('title', {}, title)]
  return element('g', { class: `mark ${kind}` }, ...about, ...SIGNS[kind](x, y, text))
}

type Sign = Pick<EventMark, 'kind' | 'text'>

/** How far a sign reaches to both sides of its middle. */
export function halfOf({ kind, text = '' }: Sign): number {
  return kind === 'draw' ? widthOf(text, DRAW_SIZE) / 2 + 3 : HALVES[kind]
}

const DRAW_SIZE = 10
const HALVES: Record<Exclude<EventMark['kind'], 'draw'>, number> = {
  ...{ wake: 5, follow: 5, stop: 1, timeout: 7, lead: 13 },
  ...{ crash: 8, recover: 7, retire: 6, down: 6, up: 6, cut: 6, mend: 6 },
}
/** Between two signs of one moment. */
const GAP = 2

/** Where a sign likes to stand: a crown or a stop leaves the arrow free that brought it. */
const PLACES: Partial<Record<EventMark['kind'], number>> = { lead: 20, stop: 8 }

/** How far to the right of its moment each sign stands, so that those of one moment are apart. */
export function shiftsOf(marks: readonly EventMark[]): (mark: EventMark) => number {
  const ends = new Map<string, number>()
  const shifts = new Map<EventMark, number>()
  for (const mark of marks) {
    const place = PLACES[mark.kind] ?? 0
    const end = ends.get(spot(mark))
    const shift = end === undefined ? place : Math.max(place, end + GAP + halfOf(mark))
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
  ...{ follow: 4.5, timeout: 7 },
  ...{ recover: 7, retire: 6, down: 6, up: 6, cut: 5, mend: 5, draw: 7 },
}

function spot({ node, at }: { readonly node: number; readonly at: number }): string {
  return `${node}@${at}`
}

const SIGNS: Record<EventMark['kind'], (x: number, y: number, text?: string) => string[]> = {
  wake: (x, y) => [circle(x, y, 4.5, INK, INK)],
  follow: (x, y) => [circle(x, y, 3.5, PAPER, GREY)],
  stop: (x, y) => [line(`M${px(x)} ${px(y - 5)}v10`, GREY, 2)],
  crash: (x, y) => [saltire(x, y, 7, ALARM, 3.5)],
  recover: (x, y) => [
    circle(x, y, 6, PAPER, INK),
    line(`M${px(x - 3.5)} ${px(y)}h7M${px(x)} ${px(y - 3.5)}v7`, INK, 1.6),
  ],
  retire: (x, y) => [
    element('rect', { x: x - 5, y: y - 5, width: 10, height: 10, fill: PAPER, stroke: INK }),
  ],
  down: (x, y) => [triangle(`M${px(x - 5)} ${px(y - 4)}h10l-5 9z`, ALARM)],
  up: (x, y) => [triangle(`M${px(x - 5)} ${px(y + 4)}h10l-5 -9z`, INK)],
  timeout: (x, y) => [
    circle(x, y, 6, PAPER, INK),
    line(`M${px(x)} ${px(y - 3.6)}v3.6h2.8`, INK, 1.4),
  ],
  cut: (x, y) => [line(`M${px(x - 5)} ${px(y + 5)}l5 -10M${px(x)} ${px(y + 5)}l5 -10`, ALARM, 2)],
  mend: (x, y) => [line(`M${px(x - 5)} ${px(y + 5)}l5 -10M${px(x)} ${px(y + 5)}l5 -10`, INK, 2)],
  draw: (x, y, text = '') => {
    const half = halfOf({ kind: 'draw', text })
    const box = { x: x - half, y: y - 7, width: 2 * half, height: 14, rx: 3 }
    const style = { size: DRAW_SIZE, fill: INK, anchor: 'middle' as const }
    return [
      element('rect', { ...box, fill: PAPER, stroke: INK }),
      words(text, { x, y: y + 3.6 }, style),
    ]
  },
  lead: (x, y) => [
    element('path', {
      d: `M${px(x - 10)} ${px(y + 7)}l-2 -14l6.5 6l5.5 -10l5.5 10l6.5 -6l-2 14z`,
      fill: GOLD,
      stroke: INK,
      'stroke-width': 1.5,
      'stroke-linejoin': 'round',
    }),
  ],
}

/** The line through the moment at which a property breaks. */
export function brokenLine(d: string): string {
  return element('path', { d, stroke: ALARM, 'stroke-width': 1.5, 'stroke-dasharray': '5 4' })
}

/** The cross in which a vanished message ends, and the larger one of a crash. */
export function saltire(x: number, y: number, r: number, colour: string, width: number): string {
  const [west, east, north, south] = [x - r, x + r, y - r, y + r].map(px)
  return line(`M${west} ${north}L${east} ${south}M${west} ${south}L${east} ${north}`, colour, width)
}

function circle(cx: number, cy: number, r: number, fill: string, stroke: string): string {
  return element('circle', { cx, cy, r, fill, stroke, 'stroke-width': 1.5 })
}

function triangle(d: string, stroke: string): string {
  return element('path', { d, fill: PAPER, stroke, 'stroke-width': 1.5 })
}

function line(d: string, stroke: string, width: number): string {
  return element('path', { d, fill: 'none', stroke, 'stroke-width': width })
}
