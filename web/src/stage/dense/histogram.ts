import { type Pen, paintLine, paintText } from '../../../../src/diagram/pen.ts'
import type { RunFrame } from '../../recording/frame.ts'
import type { PageTheme } from '../../view/theme.ts'
import { type EstimateScale, NO_ESTIMATE, SHADES, shadeOf } from '../estimates.ts'

/** The height of the histogram below the nodes. */
export const HISTOGRAM = 84
/** With fewer nodes each estimate is written beside its node. */
const LEAST_NODES = 41
const LINE = 18
const WIDTH_MAX = 640

/** Whether the estimates of so many nodes are shown as a histogram too. */
export function hasHistogram(scale: EstimateScale | null, n: number, height: number): boolean {
  return scale !== null && n >= LEAST_NODES && height > 3 * HISTOGRAM
}

/** How many nodes have an estimate of each shade. */
function countsByShade({ estimate, log }: RunFrame, scale: EstimateScale): number[] {
  const counts = new Array<number>(SHADES.length).fill(0)
  for (let node = 0; node < log.world.n; node++) counts[shadeOf(estimate[node], scale)]++
  return counts
}

/** The number of nodes by estimate, on the colour scale of the nodes; the truth in the middle. */
export function paintHistogram(
  pen: Pen,
  frame: RunFrame,
  scale: EstimateScale,
  [width, top]: readonly [number, number],
  colours: PageTheme,
): void {
  const counts = countsByShade(frame, scale).slice(0, NO_ESTIMATE)
  const wide = Math.min(WIDTH_MAX, width - 32)
  const [left, bottom] = [(width - wide) / 2, top + HISTOGRAM - LINE]
  const bar = wide / counts.length
  const most = Math.max(1, ...counts)
  for (const [shade, count] of counts.entries()) {
    const high = ((bottom - top - 8) * count) / most
    if (count === 0) continue
    pen.fillStyle = SHADES[shade]
    pen.strokeStyle = colours.edge
    pen.lineWidth = 1
    pen.setLineDash([])
    pen.beginPath()
    pen.rect(left + shade * bar, bottom - high, bar - 1, high)
    pen.fill()
    pen.stroke()
  }
  paintLine(pen, [left, bottom, left + wide, bottom], { colour: colours.edge, width: 1 })
  const middle = left + wide / 2
  paintLine(pen, [middle, top, middle, bottom + 3], { colour: colours.ink, width: 1, dash: [3, 3] })
  pen.setLineDash([])
  const style = { size: 11, fill: colours.soft, align: 'center' } as const
  paintText(
    pen,
    `nodes by estimate, at most ${most} in a bar; the line is the truth`,
    middle,
    bottom + 15,
    style,
  )
}
