import { type Pen, paintText } from '../../../src/diagram/pen.ts'
import { textLines, textWidth } from '../../../src/diagram/svg.ts'
import { runTitle } from '../address/title.ts'
import { cycleOf } from '../model/clock.ts'
import type { ShownRun } from '../model/run.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { RunLog } from '../recording/run-log.ts'
import type { PageTheme } from '../view/theme.ts'
import { describeMoment } from '../words/describe-moment.ts'
import { HISTOGRAM, hasHistogram } from './dense/histogram.ts'
import { scaleOf, truthAt } from './estimates.ts'
import { geometryOf } from './geometry.ts'
import { type LegendSign, paintScale, SCALE_SIZE, SIGN, signsOf } from './legend-signs.ts'
import { paintLinks } from './links.ts'
import { FlyingMessages } from './messages.ts'
import { paintScene } from './scene.ts'

const [TITLE, WORDS, NOTE] = [20, 15, 13]
const MARGIN = 18
const LEGEND_LINE = 24
/** How far messages have come in a picture of a whole moment: a share of the time to the next. */
const ON_THE_WAY = 0.4

/** The stage for a file or a film: with a title, what just happened, and a legend. */
export function paintStage(
  pen: Pen,
  run: ShownRun,
  frame: RunFrame,
  time: number,
  width: number,
  height: number,
  colours: PageTheme,
): void {
  const { log } = frame
  const inner = width - 2 * MARGIN
  const title = { size: TITLE, fill: colours.ink, bold: true }
  paintText(pen, runTitle(run), MARGIN, 30, title)
  const said = describeMoment(frame, { result: run.result.value }).text
  const lines = textLines(said, WORDS, inner).slice(0, 2)
  for (const [i, line] of lines.entries())
    paintText(pen, line, MARGIN, 54 + 20 * i, { size: WORDS, fill: colours.soft })
  const top = 44 + 20 * lines.length
  const scale = scaleOf(run.cycles.value)
  const rows = legendRows(signsOf(log, run.cycles.value), inner)
  const bottom = rows.length * LEGEND_LINE + (scale === null ? 0 : SCALE_SIZE.height + 8) + 8
  const shown = between(log, frame.step, time)
  const room = height - top - bottom
  const strip = hasHistogram(scale, log.world.n, room) ? HISTOGRAM : 0
  const geometry = geometryOf(log.world, width, room - strip, 1, shown)
  const attention = {
    hovered: null,
    chosen: new Set<number>(),
    acting: null,
    hoveredFlight: null,
    chosenFlight: null,
  }
  const moment = { frame, geometry, time: shown, motion: shown }
  const seen = { ...moment, attention, scale, positions: false, strip }
  pen.save()
  pen.translate(0, top)
  const paintBackground = () => paintLinks(pen, log.world, geometry, colours)
  paintScene(pen, seen, colours, new FlyingMessages(), paintBackground)
  pen.restore()
  let y = height - bottom + 6
  if (scale !== null) {
    const now = truthAt(run.cycles.value, cycleOf(run, time))
    paintScale(pen, scale, now, (width - SCALE_SIZE.width) / 2, y, colours)
    y += SCALE_SIZE.height + 8
  }
  for (const row of rows) {
    paintRow(pen, row, width / 2, y + LEGEND_LINE / 2, colours)
    y += LEGEND_LINE
  }
}

/**
 * The time that a picture shows: at a whole moment all messages cling to nodes, so it is a little
 * later, before anything else happens.
 */
function between(log: RunLog, step: number, time: number): number {
  if (step === 0 || step >= log.steps || time !== log.timeOf(step - 1)) return time
  return time + ON_THE_WAY * (log.timeOf(step) - time)
}

const widthOfSign = ({ name }: LegendSign) => 2 * SIGN + 4 + textWidth(name, NOTE) + 14

function legendRows(signs: readonly LegendSign[], width: number): LegendSign[][] {
  const rows: LegendSign[][] = []
  let used = width
  for (const sign of signs) {
    const wide = widthOfSign(sign)
    if (used + wide > width) {
      rows.push([])
      used = 0
    }
    rows.at(-1)!.push(sign)
    used += wide
  }
  return rows
}

function paintRow(pen: Pen, row: LegendSign[], middle: number, y: number, colours: PageTheme) {
  let x = middle - row.reduce((sum, sign) => sum + widthOfSign(sign), 0) / 2
  for (const sign of row) {
    sign.paint(pen, x + SIGN, y, colours)
    const style = { size: NOTE, fill: colours.soft }
    paintText(pen, sign.name, x + 2 * SIGN + 4, y + NOTE / 3, style)
    x += widthOfSign(sign)
  }
}
