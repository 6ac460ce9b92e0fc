import { type DescribedEvent, eventWords } from '../../core/trace/event-words.ts'
import type { DiagramColours, Stroke } from '../palette.ts'
import { inGroup, type Pen, paintLine, paintText } from '../pen.ts'
import { cross } from '../shapes.ts'
import { textWidth } from '../svg.ts'
import { paintHeads, paintOpenEnd } from './arrows.ts'
import type { EventMark, MessageArrow, SpaceTimeHistory } from './history.ts'
import { labelField } from './labels.ts'
import { paintLane } from './lanes.ts'
import { halfOf, paintMark } from './marks.ts'
import { paintBrokenLine } from './plot.ts'

/** One sign and its meaning. The sign is painted from x to x + `span`, around the height y. */
interface LegendEntry {
  readonly text: string
  readonly span: number
  paint(pen: Pen, x: number, y: number, colours: DiagramColours): void
}

interface Legend {
  readonly height: number
  readonly width: number
  paint(pen: Pen, x: number, y: number, colours: DiagramColours): void
}

const SIZE = 13
const ROW = 24
const SPACE = 26
const LINE_WIDTH = 1.8

/** Explains every kind of arrow and sign that the history has, and no other. */
export function legendOf(
  history: SpaceTimeHistory,
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
    paint(pen, x, y, colours) {
      for (const [i, row] of rows.entries()) paintRow(pen, row, x, y + (i + 0.5) * ROW, colours)
    },
  }
}

function typeEntries(
  { flights }: SpaceTimeHistory,
  strokes: ReadonlyMap<string, Stroke>,
  labelled: boolean,
): LegendEntry[] {
  const first = new Map<string, MessageArrow>()
  for (const flight of flights) if (!first.has(flight.type)) first.set(flight.type, flight)
  return [...first].map(([type, { body }]) => {
    const stroke = strokes.get(type)!
    const field = labelled ? labelField(body) : undefined
    return {
      text: field === undefined ? type : `${type}, with its ${field}`,
      span: 44,
      paint(pen, x, y, colours) {
        const shaft = { x1: x, y1: y, x2: x + 44, y2: y }
        inGroup(pen, 'type', () => {
          paintLine(pen, [x, y, x + 44, y], { ...stroke, width: LINE_WIDTH })
          pen.setLineDash([])
          paintHeads(pen, [shaft], stroke, colours)
        })
      },
    }
  })
}

/** The marks in the order of the legend. */
const KINDS: readonly EventMark['kind'][] = [
  'wake',
  'timeout',
  'lead',
  'follow',
  'stop',
  'crash',
  'recover',
  'retire',
  'down',
  'up',
  'cut',
  'mend',
  'draw',
]

/** What marks of a kind mean, said of any node. */
function meaningOf(kind: EventMark['kind'], marks: readonly EventMark[]): string {
  if (kind === 'draw') return 'draws'
  if (kind === 'follow') return 'follows'
  const timers = [...new Set(marks.flatMap(({ text }) => text ?? []))]
  if (timers.length > 1) return `timers ${timers.join(', ')} fire`
  const event = { event: kind, node: 0, timer: timers[0], peer: 1, to: 1, id: 0 } as DescribedEvent
  return eventWords(event, { node: () => 'a node', leader: String })
}

function signEntries({ lanes, flights, marks }: SpaceTimeHistory): LegendEntry[] {
  const entries: LegendEntry[] = []
  if (
    lanes.some(({ lives }) => lives.some(({ kind, from, to }) => kind === 'asleep' && to !== from))
  )
    entries.push({
      text: 'asleep',
      span: 30,
      paint: (pen, x, y, colours) => paintLane(pen, 'asleep', { from: x, to: x + 30, y }, colours),
    })
  for (const kind of KINDS) {
    const found = marks.filter((mark) => mark.kind === kind)
    if (found.length === 0) continue
    const [sample] = found
    const span = Math.max(14, 2 * halfOf(sample))
    entries.push({
      text: meaningOf(kind, found),
      span,
      paint: (pen, x, y, colours) => paintMark(pen, sample, { x: x + span / 2, y }, colours),
    })
  }
  if (flights.some(({ vanished, lost }) => vanished || lost !== null))
    entries.push({
      text: 'message is lost',
      span: 12,
      paint: (pen, x, y, { grey }) => cross(pen, x + 6, y, 4, grey, 2),
    })
  if (flights.some(({ arrived, lost }) => arrived === null && lost === null))
    entries.push({ text: 'still in flight', span: 24, paint: paintInFlight })
  return entries
}

const BROKEN: LegendEntry = {
  text: 'violation',
  span: 12,
  paint: (pen, x, y, colours) => paintBrokenLine(pen, x + 6, y - 10, y + 10, colours),
}

function paintInFlight(pen: Pen, x: number, y: number, colours: DiagramColours): void {
  paintLine(pen, [x, y, x + 20, y], { colour: colours.grey, width: LINE_WIDTH })
  paintOpenEnd(pen, x + 21, y, colours.grey, colours)
}

function inRows(entries: readonly LegendEntry[], width: number): LegendEntry[][] {
  const rows: LegendEntry[][] = []
  for (const entry of entries) {
    const row = rows.at(-1)
    if (row && rowWidth([...row, entry]) <= width) row.push(entry)
    else rows.push([entry])
  }
  return rows
}

function rowWidth(row: readonly LegendEntry[]): number {
  return row.reduce((sum, entry) => sum + entryWidth(entry), -SPACE)
}

function entryWidth({ span, text }: LegendEntry): number {
  return span + 7 + textWidth(text, SIZE) + SPACE
}

function paintRow(
  pen: Pen,
  row: readonly LegendEntry[],
  left: number,
  y: number,
  colours: DiagramColours,
): void {
  let x = left
  for (const entry of row) {
    entry.paint(pen, x, y, colours)
    paintText(pen, entry.text, x + entry.span + 7, y + 4.5, { size: SIZE, fill: colours.ink })
    x += entryWidth(entry)
  }
}
