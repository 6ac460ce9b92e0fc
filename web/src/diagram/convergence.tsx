import type { Pen } from '../../../src/diagram/pen.ts'
import type { CycleEntry } from '../../../src/sim/index.ts'
import type { Player } from '../model/player.ts'
import { isSecret } from '../model/prediction.ts'
import type { Run } from '../model/run.ts'
import { Canvas } from '../stage/canvas.tsx'
import { shortNumber } from '../stage/estimates.ts'
import { type PageTheme, theme } from '../view/theme.ts'

const LEFT = 56
const BOTTOM = 24

/** How the variance of the estimates falls, on a logarithmic scale, with the clock. */
export function Convergence({ run, player }: { readonly run: Run; readonly player: Player }) {
  const draw = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    const cycle = cycleOf(run, player.time.value)
    const known = isSecret(run, player)
      ? run.cycles.value.filter(({ cycle: at }) => at <= cycle)
      : run.cycles.value
    paintConvergence(pen, known, cycle, width, height, theme.value)
  }
  const now = run.cycles.value[Math.floor(cycleOf(run, player.time.value))]
  return (
    <>
      <p class="tools">
        Variance of the estimates by cycle, logarithmic
        {now?.variance != null && <span>now {shortNumber(now.variance)}</span>}
      </p>
      <Canvas role="img" aria-label="Convergence of the estimates" draw={draw} />
    </>
  )
}

/** In which cycle a run is at a time; with messages in flight a cycle takes its period. */
export function cycleOf(run: Run, time: number): number {
  const cycles = run.log.value?.world.unit === 'cycle'
  return cycles ? time : time / Number(run.whole.value?.set.period ?? 1)
}

export function paintConvergence(
  pen: Pen,
  entries: readonly CycleEntry[],
  cycle: number,
  width: number,
  height: number,
  colours: PageTheme,
): void {
  const points = entries.flatMap(({ cycle: at, variance }) =>
    variance !== null && variance > 0 ? [{ at, log: Math.log10(variance) }] : [],
  )
  if (points.length === 0) return
  const last = Math.max(1, entries.at(-1)?.cycle ?? 1)
  const high = Math.ceil(Math.max(...points.map(({ log }) => log)))
  const low = Math.min(high - 1, Math.floor(Math.min(...points.map(({ log }) => log))))
  const x = (at: number) => LEFT + (at / last) * (width - LEFT - 16)
  const y = (log: number) => 8 + ((high - log) / (high - low)) * (height - BOTTOM - 12)
  pen.font = '11px system-ui'
  pen.textBaseline = 'middle'
  pen.lineWidth = 1
  const lines = Math.max(1, Math.ceil((high - low) / 6))
  for (let power = low; power <= high; power += lines) {
    pen.strokeStyle = colours.line
    pen.beginPath()
    pen.moveTo(LEFT, y(power))
    pen.lineTo(width - 8, y(power))
    pen.stroke()
    pen.fillStyle = colours.soft
    pen.textAlign = 'right'
    pen.fillText(`1e${power}`, LEFT - 8, y(power))
  }
  pen.textAlign = 'center'
  const step = Math.max(1, Math.ceil(last / 10))
  for (let at = 0; at <= last; at += step)
    pen.fillText(at === 0 ? 'cycle 0' : String(at), x(at), height - BOTTOM / 2)
  pen.strokeStyle = colours.accent
  pen.lineWidth = 2
  pen.beginPath()
  for (const { at, log } of points) pen.lineTo(x(at), y(log))
  pen.stroke()
  pen.fillStyle = colours.accent
  for (const { at, log } of points) {
    pen.globalAlpha = at <= cycle ? 1 : 0.3
    pen.beginPath()
    pen.arc(x(at), y(log), 3, 0, 2 * Math.PI)
    pen.fill()
  }
  pen.globalAlpha = 1
  pen.strokeStyle = colours.ink
  pen.lineWidth = 1
  pen.beginPath()
  pen.moveTo(x(Math.min(cycle, last)), 4)
  pen.lineTo(x(Math.min(cycle, last)), height - BOTTOM)
  pen.stroke()
}
