import { momentText } from '../../core/text-format.ts'
import type { Unit } from '../diagram-setting.ts'
import type { DiagramColours } from '../palette.ts'
import { type Pen, paintLine, paintText } from '../pen.ts'
import { textWidth } from '../svg.ts'

/** Where moments lie from left to right. Long silences are cut short. */
export interface TimeAxis {
  readonly width: number
  readonly ticks: readonly AxisTick[]
  readonly breaks: readonly { readonly from: number; readonly to: number }[]
  /** Pixels of a typical message delay. */
  readonly step: number
  x(at: number): number
}

export interface AxisTick {
  readonly x: number
  /** The middle of the label, where it is not at x. */
  readonly labelX?: number
  readonly label: string
}

/** A stretch of time that is drawn to scale. */
interface Stretch {
  readonly from: number
  readonly to: number
  x: number
}

export const TICK_SIZE = 12
const COMFORTABLE = 1040
const NARROWEST = 24
/** Room for the signs of a step. */
const NARROWEST_STEP = 32
const WIDEST = 120
/** A run of at most this many message delays is drawn to scale throughout. */
const UNBROKEN = 40
/** A longer silence than this many message delays is cut short. */
const SILENCE = 6
const BREAK = 52
const LABEL_GAP = 12
/** Fractions have ticks only where they are at least this far apart. */
const FRACTION = 64

/** `moments` are in order; `flights` are the delays of messages. */
export function timeAxis(
  moments: readonly number[],
  flights: readonly number[],
  unit: Unit,
): TimeAxis {
  const sorted = [...flights].sort((a, b) => a - b)
  const mean = sorted.length > 0 ? sorted.reduce((a, b) => a + b) / sorted.length : 1
  const quartile = sorted[Math.floor(sorted.length / 4)] ?? 1
  const short = unit === 'time' ? Math.max(quartile, mean / 6) || 1 : 1
  const whole = moments[moments.length - 1] - moments[0]
  const silence =
    unit !== 'step' && whole > UNBROKEN * mean ? SILENCE * mean : Number.POSITIVE_INFINITY
  const stretches = stretchesOf(moments, silence)

  const drawn = stretches.reduce((sum, { from, to }) => sum + (to - from), 0)
  const narrowest = unit === 'step' || unit === 'interaction' ? NARROWEST_STEP : NARROWEST
  const step = Math.min(WIDEST, Math.max(narrowest, (COMFORTABLE * short) / drawn))
  const scale = step / short
  for (let i = 1; i < stretches.length; i++) {
    const before = stretches[i - 1]
    const labels = (tickWidth(before.to) + tickWidth(stretches[i].from)) / 2 + LABEL_GAP
    stretches[i].x = before.x + (before.to - before.from) * scale + Math.max(BREAK, labels)
  }

  function x(at: number): number {
    const stretch = stretches.findLast(({ from }) => from <= at) ?? stretches[0]
    return stretch.x + (at - stretch.from) * scale
  }
  return {
    width: x(moments[moments.length - 1]),
    ticks: ticksOf(stretches, scale, unit),
    breaks: stretches.slice(1).map((after, i) => ({ from: x(stretches[i].to), to: after.x })),
    step,
    x,
  }
}

function stretchesOf(moments: readonly number[], silence: number): Stretch[] {
  const stretches: Stretch[] = []
  let from = moments[0]
  moments.forEach((moment, i) => {
    const next = moments[i + 1]
    if (next !== undefined && next - moment <= silence) return
    stretches.push({ from, to: moment, x: 0 })
    from = next
  })
  return stretches
}

/** The ends of every stretch first, then round numbers wherever their labels fit. */
function ticksOf(stretches: readonly Stretch[], scale: number, unit: Unit): AxisTick[] {
  const tick = ({ from, x }: Stretch, at: number) => ({
    x: x + (at - from) * scale,
    label: momentText(at),
  })
  const wanted = [
    ...stretches.map((stretch) => tick(stretch, stretch.from)),
    ...stretches.slice(0, -1).map((stretch) => tick(stretch, stretch.to)),
  ]
  for (const stretch of stretches) {
    const distance = tickDistance(stretch, scale, unit)
    for (let k = Math.ceil(stretch.from / distance); k * distance <= stretch.to; k++)
      wanted.push(tick(stretch, k * distance))
  }
  const placed: AxisTick[] = []
  for (const tick of wanted) if (placed.every((other) => clear(tick, other))) placed.push(tick)
  return placed.sort((a, b) => a.x - b.x)
}

function clear(a: AxisTick, b: AxisTick): boolean {
  const widths = textWidth(a.label, TICK_SIZE) + textWidth(b.label, TICK_SIZE)
  return Math.abs(a.x - b.x) >= widths / 2 + LABEL_GAP / 2
}

function tickWidth(at: number): number {
  return textWidth(momentText(at), TICK_SIZE)
}

/** The smallest of 1, 2, 5, 10, 20, ... (or 0.5, 0.2, ...) at which the labels do not touch. */
function tickDistance({ from, to }: Stretch, scale: number, unit: Unit): number {
  for (let power = unit === 'time' ? -4 : 0; ; power++)
    for (const factor of [1, 2, 5]) {
      const distance = factor * 10 ** power
      const first = Math.ceil(from / distance) * distance
      const labels = [first, first + distance, to].map(tickWidth)
      const room = Math.max(...labels) + LABEL_GAP
      if (distance * scale >= (power < 0 ? Math.max(room, FRACTION) : room)) return distance
    }
}

/** The labels below an axis, and a line upwards from each. */
export function paintTicks(
  pen: Pen,
  ticks: readonly AxisTick[],
  { top, bottom, size = TICK_SIZE }: { top: number; bottom: number; size?: number },
  { grid, grey }: DiagramColours,
): void {
  for (const { x } of ticks) paintLine(pen, [x, top, x, bottom], { colour: grid, width: 1 })
  for (const { x, labelX = x, label } of ticks)
    paintText(pen, label, labelX, bottom + size * 1.5, { size, fill: grey, align: 'center' })
}
