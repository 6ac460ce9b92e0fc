import { arrowHead } from './arrows.ts'
import type { EventMark, History, MessageArrow } from './history.ts'
import { labelField } from './labels.ts'
import { lineOf } from './lanes.ts'
import { brokenLine, halfOf, markSign, saltire } from './marks.ts'
import { GREY, INK, PAPER, type Stroke } from './palette.ts'
import { element, px, widthOf, words } from './svg.ts'

/** One sign and its meaning. The sign is drawn from x to x + `span`, around the height y. */
interface Entry {
  readonly text: string
  readonly span: number
  sign(x: number, y: number): string
}

interface Legend {
  readonly height: number
  readonly width: number
  draw(x: number, y: number): string
}

const SIZE = 13
const ROW = 24
const SPACE = 26

/** Explains every kind of arrow and sign that the history has, and no other. */
export function legendOf(
  history: History,
  strokes: ReadonlyMap<string, Stroke>,
  options: { readonly width: number; readonly labelled: boolean; readonly broken: boolean },
): Legend {
  const signs = [...signEntries(history), ...(options.broken ? [BROKEN] : [])]
  const rows = [typeEntries(history, strokes, options.labelled), signs].flatMap((entries) =>
    inRows(entries, options.width),
  )
  return {
    height: rows.length * ROW,
    width: rows.reduce((widest, row) => Math.max(widest, rowWidth(row)), 0),
    draw: (x, y) => rows.map((row, i) => drawRow(row, x, y + (i + 0.5) * ROW)).join(''),
  }
}

function typeEntries(
  { flights }: History,
  strokes: ReadonlyMap<string, Stroke>,
  labelled: boolean,
): Entry[] {
  const first = new Map<string, MessageArrow>()
  for (const flight of flights) if (!first.has(flight.type)) first.set(flight.type, flight)
  return [...first].map(([type, { body }]) => {
    const stroke = strokes.get(type)!
    const field = labelled ? labelField(body) : undefined
    return {
      text: field === undefined ? type : `${type}, with its ${field}`,
      span: 44,
      sign: (x, y) =>
        element(
          'g',
          { stroke: stroke.colour, 'stroke-width': 1.8 },
          element('path', { d: `M${px(x)} ${px(y)}h44`, 'stroke-dasharray': stroke.dash }),
          arrowHead({ x1: x, y1: y, x2: x + 44, y2: y }, stroke),
        ),
    }
  })
}

const MEANING: Record<EventMark['kind'], string> = {
  wake: 'wakes by itself',
  timeout: 'timer',
  lead: 'leader from here on',
  follow: 'follows',
  stop: 'has stopped',
  crash: 'crashes',
  recover: 'is up again',
  retire: 'steps down',
  down: 'is told that a node is gone',
  up: 'is told that a node is back',
  cut: 'its link is cut',
  mend: 'its link is back',
  draw: 'draws',
}

function signEntries({ lanes, flights, marks }: History): Entry[] {
  const entries: Entry[] = []
  if (
    lanes.some(({ lives }) => lives.some(({ kind, from, to }) => kind === 'asleep' && to !== from))
  )
    entries.push({ text: 'asleep', span: 30, sign: (x, y) => lineOf('asleep', x, x + 30, y) })
  for (const kind of Object.keys(MEANING) as EventMark['kind'][]) {
    const found = marks.filter((mark) => mark.kind === kind)
    if (found.length === 0) continue
    const [{ text: shown }] = found
    const names = kind === 'timeout' ? [...new Set(found.flatMap(({ text }) => text ?? []))] : []
    const span = Math.max(14, 2 * halfOf(found[0]))
    entries.push({
      text: [MEANING[kind], names.join(', ')].join(' ').trim(),
      span,
      sign: (x, y) => markSign({ kind, ...(shown && { text: shown }) }, x + span / 2, y),
    })
  }
  const ending = (flight: MessageArrow) => (flight.lost === null ? flight.vanished : true)
  if (flights.some(ending))
    entries.push({
      text: crossWords(flights),
      span: 12,
      sign: (x, y) => saltire(x + 6, y, 4, GREY, 2),
    })
  if (flights.some(({ arrived, lost }) => arrived === null && lost === null))
    entries.push({ text: 'still under way', span: 24, sign: underWay })
  return entries
}

const BROKEN: Entry = {
  text: 'here it breaks',
  span: 12,
  sign: (x, y) => brokenLine(`M${px(x + 6)} ${px(y - 10)}v20`),
}

function crossWords(flights: readonly MessageArrow[]): string {
  const vanishes = flights.some(({ vanished }) => vanished)
  const lost = flights.some(({ lost }) => lost !== null)
  if (!lost) return 'message vanishes'
  return vanishes ? 'message vanishes or is lost' : 'message is lost'
}

function underWay(x: number, y: number): string {
  const style = { stroke: GREY, 'stroke-width': 1.8 }
  return element(
    'g',
    style,
    element('path', { d: `M${px(x)} ${px(y)}h20` }),
    element('circle', { cx: x + 21, cy: y, r: 2.5, fill: PAPER }),
  )
}

function inRows(entries: readonly Entry[], width: number): Entry[][] {
  const rows: Entry[][] = []
  for (const entry of entries) {
    const row = rows.at(-1)
    if (row && rowWidth([...row, entry]) <= width) row.push(entry)
    else rows.push([entry])
  }
  return rows
}

function rowWidth(row: readonly Entry[]): number {
  return row.reduce((sum, entry) => sum + entryWidth(entry), -SPACE)
}

function entryWidth({ span, text }: Entry): number {
  return span + 7 + widthOf(text, SIZE) + SPACE
}

function drawRow(row: readonly Entry[], left: number, y: number): string {
  let x = left
  return row
    .map((entry) => {
      const place = { x: x + entry.span + 7, y: y + 4.5 }
      const drawn = entry.sign(x, y) + words(entry.text, place, { size: SIZE, fill: INK })
      x += entryWidth(entry)
      return drawn
    })
    .join('')
}
