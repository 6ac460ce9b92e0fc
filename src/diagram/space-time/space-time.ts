import { grouped } from '../../core/text-format.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import { type DiagramSetting, laneName } from '../diagram-setting.ts'
import { GREY, INK, ON_PAPER, strokesOf } from '../palette.ts'
import { inGroup, paintText } from '../pen.ts'
import { textLines, textWidth } from '../svg.ts'
import { SvgPen } from '../svg-pen.ts'
import { historyOf, type SpaceTimeHistory } from './history.ts'
import { LEADER, NAME_SIZE } from './lanes.ts'
import { legendOf } from './legend.ts'
import { LEAD, namesBeyond, type PlotPoint, paintPlot, TAIL } from './plot.ts'
import { TICK_SIZE, timeAxis } from './time-axis.ts'

export interface DiagramHeading extends DiagramSetting {
  readonly title: string
  readonly subtitle?: string
  readonly n: number
  /** On a ring, messages between the last position and position 0 go around the edge. */
  readonly ring?: boolean
  /** Where a property is violated: by an event at this node, or just at this moment. */
  readonly broken?: PlotPoint
}

/** More than this on one picture cannot be read. */
const LIMITS = { lanes: 100, flights: 2000 }
const MARGIN = 24
const WIDTH_MIN = 680

/**
 * The run as a space-time diagram in SVG: every node a line, time from left to right, every message
 * an arrow. All sizes follow from the content, so that nothing is cut and no words overlap.
 */
export function spaceTime(events: readonly TraceEvent[], about: DiagramHeading): string {
  const origin = about.unit === 'time' || about.unit === 'interaction' ? 0 : 1
  const history = historyOf(events, { n: about.n, ring: about.ring ?? false, origin }, LIMITS)
  const durations = history.flights.flatMap(({ arrived, sent }) =>
    arrived === null ? [] : arrived - sent,
  )
  const axis = timeAxis(momentsOf(history, about), durations, about.unit)
  const strokes = strokesOf(history.flights.map(({ type }) => type))
  const colours = ON_PAPER

  const names = history.lanes.map((_, node) =>
    textWidth(laneName(node, about.ids), NAME_SIZE, true),
  )
  const others = [about.unit, namesBeyond(about.n).top].map((text) => textWidth(text, TICK_SIZE))
  const left = MARGIN + largest([...names, ...others]) + 12
  const leads = history.lanes.some(({ leaderships }) => leaderships.at(-1)?.to === null)
  const leaderWidth = leads ? textWidth(LEADER, NAME_SIZE, true) + 8 : 0
  const room = Math.max(WIDTH_MIN, left + LEAD + axis.width + TAIL + leaderWidth + MARGIN)

  const pen = new SvgPen()
  const lines = heading(about, history, room - 2 * MARGIN)
  let y = MARGIN
  for (const { text, size, ...style } of lines) {
    y += size * 1.4
    paintText(pen, text, MARGIN, y - size * 0.4, { size, ...style })
  }
  const area = { left, right: room - MARGIN - leaderWidth, top: y + 14 }
  const { bottom, labelled } = paintPlot(pen, history, axis, area, {
    strokes,
    setting: about,
    colours,
    ...(about.broken && { broken: about.broken }),
  })
  const broken = about.broken !== undefined
  const legend = legendOf(history, strokes, { width: room - 2 * MARGIN, labelled, broken })
  inGroup(pen, 'legend', () => legend.paint(pen, MARGIN, bottom, colours))
  const widths = lines.map(({ text, size, bold }) => textWidth(text, size, bold))
  const width = Math.ceil(largest([...widths, legend.width, room - 2 * MARGIN]) + 2 * MARGIN)
  const height = Math.ceil(bottom + legend.height + MARGIN)
  return pen.picture({ width, height, title: about.title, paper: colours.paper, corner: 8 })
}

/** All moments that are drawn, in order. */
function momentsOf({ moments }: SpaceTimeHistory, { broken }: DiagramHeading): readonly number[] {
  if (broken === undefined || moments.includes(broken.at)) return moments
  return [...moments, broken.at].sort((a, b) => a - b)
}

/** Title, subtitle and, where messages or positions are left out, which are drawn. */
function heading(about: DiagramHeading, history: SpaceTimeHistory, width: number) {
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
  const small = [
    about.subtitle ?? '',
    drawn.length > 0 ? `Drawn: ${drawn.join(', ')}.` : '',
  ].flatMap((line) => textLines(line, subtitle.size, width))
  return [
    ...textLines(about.title, title.size, width, true).map((text) => ({ text, ...title })),
    ...small.map((text) => ({ text, ...subtitle })),
  ]
}

function largest(lengths: readonly number[]): number {
  return lengths.reduce((a, b) => Math.max(a, b), 0)
}
