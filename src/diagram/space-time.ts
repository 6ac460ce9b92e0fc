import { grouped } from '../core/text-format.ts'
import type { TraceEvent } from '../core/trace/trace-event.ts'
import { type DiagramSetting, nodeName } from './caption.ts'
import { type History, historyOf } from './history.ts'
import { NAME_SIZE, OFFICE } from './lanes.ts'
import { legendOf } from './legend.ts'
import { GREY, INK, PAPER, strokesOf } from './palette.ts'
import { LEAD, namesBeyond, type PlotPoint, plotOf, TAIL } from './plot.ts'
import { element, widthOf, words, wrapped } from './svg.ts'
import { TICK_SIZE, timeAxis } from './time-axis.ts'

export interface DiagramHeading extends DiagramSetting {
  readonly title: string
  readonly subtitle?: string
  readonly n: number
  /** On a ring, messages between the last position and position 0 go around the edge. */
  readonly ring?: boolean
  /** Where a property breaks: with what happens to this node, or, without one, just then. */
  readonly broken?: PlotPoint
}

/** More than this on one picture is a blot. */
const LIMITS = { lanes: 100, flights: 2000 }
const MARGIN = 24
const NARROWEST = 680
const FONTS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"

/**
 * The run as a space-time diagram in SVG: every node a line, time from left to right, every message
 * an arrow. All sizes follow from the content, so that nothing is cut and no words overlap.
 */
export function spaceTime(events: readonly TraceEvent[], about: DiagramHeading): string {
  const origin = about.unit === 'time' ? 0 : 1
  const history = historyOf(events, { n: about.n, ring: about.ring ?? false, origin }, LIMITS)
  const durations = history.flights.flatMap(({ arrived, sent }) =>
    arrived === null ? [] : arrived - sent,
  )
  const axis = timeAxis(momentsOf(history, about), durations, about.unit)
  const strokes = strokesOf(history.flights.map(({ type }) => type))

  const names = history.lanes.map((_, node) => widthOf(nodeName(node, about.ids), NAME_SIZE, true))
  const others = [about.unit, namesBeyond(about.n).top].map((text) => widthOf(text, TICK_SIZE))
  const left = MARGIN + largest([...names, ...others]) + 12
  const leads = history.lanes.some(({ reigns }) => reigns.at(-1)?.to === null)
  const office = leads ? widthOf(OFFICE, NAME_SIZE, true) + 8 : 0
  const room = Math.max(NARROWEST, left + LEAD + axis.width + TAIL + office + MARGIN)

  const lines = heading(about, history, room - 2 * MARGIN)
  const top = MARGIN + lines.reduce((sum, { size }) => sum + size * 1.4, 0) + 14
  const place = { left, right: room - MARGIN - office, top }
  const plot = plotOf(history, axis, place, {
    strokes,
    setting: about,
    ...(about.broken && { broken: about.broken }),
  })
  const legend = legendOf(history, strokes, {
    width: room - 2 * MARGIN,
    labelled: plot.labelled,
    broken: about.broken !== undefined,
  })
  const widths = lines.map(({ text, size, bold }) => widthOf(text, size, bold))
  const width = Math.ceil(largest([...widths, legend.width, room - 2 * MARGIN]) + 2 * MARGIN)
  const height = Math.ceil(plot.bottom + legend.height + MARGIN)
  let y = MARGIN
  const title = lines.map((line) => {
    y += line.size * 1.4
    return words(line.text, { x: MARGIN, y: y - line.size * 0.4 }, line)
  })
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': about.title,
      'font-family': FONTS,
    },
    `\n${element('rect', { width, height, rx: 8, fill: PAPER })}`,
    `\n${title.join('')}\n${plot.svg}`,
    `\n${element('g', { class: 'legend' }, legend.draw(MARGIN, plot.bottom))}\n`,
  )}\n`
}

/** All moments that are drawn, in order. */
function momentsOf({ moments }: History, { broken }: DiagramHeading): readonly number[] {
  if (broken === undefined || moments.includes(broken.at)) return moments
  return [...moments, broken.at].sort((a, b) => a - b)
}

/** Title, subtitle and, where something had to be left out, what. */
function heading(about: DiagramHeading, history: History, width: number) {
  const { flights, lanes, messages, cut } = history
  const drawn: string[] = []
  if (lanes.length < about.n)
    drawn.push(`positions 0 to ${lanes.length - 1} of ${grouped(about.n)}`)
  if (flights.length < messages) {
    const count = `${grouped(flights.length)} of ${grouped(messages)} messages`
    drawn.push(cut ? `the first ${count}` : count)
  }
  const title = { size: 20, fill: INK, bold: true }
  const subtitle = { size: 14, fill: GREY, bold: false }
  return [
    ...wrapped(about.title, title.size, width, true).map((text) => ({ text, ...title })),
    ...[about.subtitle ?? '', drawn.length > 0 ? `Drawn: ${drawn.join(', ')}.` : '']
      .flatMap((line) => wrapped(line, subtitle.size, width))
      .map((text) => ({ text, ...subtitle })),
  ]
}

function largest(lengths: readonly number[]): number {
  return lengths.reduce((a, b) => Math.max(a, b), 0)
}
