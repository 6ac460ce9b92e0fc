import { useSignal } from '@preact/signals'
import { cycleOf, type RunControls } from '../model/clock.ts'
import type { ShownRun } from '../model/run.ts'
import { SpaceTime } from './space-time/space-time-view.tsx'
import './diagram.css'
import { curvePoints, LogPlot } from '../../../src/diagram/convergence.ts'
import { type Pen, paintLine } from '../../../src/diagram/pen.ts'
import { circle } from '../../../src/diagram/shapes.ts'
import type { CycleEntry } from '../../../src/sim/index.ts'
import { isSecret } from '../model/prediction.ts'
import { Canvas } from '../stage/canvas.tsx'
import { estimateText } from '../stage/estimates.ts'
import { type PageTheme, theme } from '../view/theme.ts'
import { coloursOf } from './space-time/live-diagram.ts'

interface Props {
  readonly run: ShownRun
  readonly player: RunControls
}

/** A run over time, in step with the stage: its messages, or the convergence of its estimates. */
export function Diagram({ run, player }: Props) {
  const curve = useSignal(true)
  const aggregation = run.cycles.value.length > 0
  const both = aggregation && run.log.value?.world.unit === 'time'
  return (
    <section class="diagram" aria-label="Space-time diagram">
      {both && (
        <div class="tools">
          {CHOICES.map(([words, wanted]) => (
            <button
              type="button"
              key={words}
              aria-pressed={curve.value === wanted}
              onClick={() => {
                curve.value = wanted
              }}
            >
              {words}
            </button>
          ))}
        </div>
      )}
      {aggregation && (curve.value || !both) ? (
        <Convergence run={run} player={player} />
      ) : (
        <SpaceTime run={run} player={player} />
      )}
    </section>
  )
}

const CHOICES = [
  ['Convergence', true],
  ['Messages', false],
] as const

const [LEFT, RIGHT, TOP, BOTTOM] = [56, 16, 8, 24]
const SIZE = 11

/** The variance of the estimates by cycle on a logarithmic scale, with the clock. */
export function Convergence({
  run,
  player,
}: {
  readonly run: ShownRun
  readonly player: RunControls
}) {
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
        {now?.variance != null && <span>now {estimateText(now.variance)}</span>}
      </p>
      <Canvas role="img" aria-label="Convergence of the estimates" draw={draw} />
    </>
  )
}

export function paintConvergence(
  pen: Pen,
  entries: readonly CycleEntry[],
  cycle: number,
  width: number,
  height: number,
  theme: PageTheme,
): void {
  const points = curvePoints(entries.map(({ variance }) => variance))
  if (points.length === 0) return
  const last = Math.max(1, entries.length - 1)
  const area = { left: LEFT, right: width - RIGHT, top: TOP, bottom: height - BOTTOM }
  const plot = new LogPlot(points, last, area)
  plot.paintAxes(pen, coloursOf(theme), SIZE)
  plot.paintCurve(pen, points, { colour: theme.accent, width: 2 })
  pen.fillStyle = theme.accent
  for (const [at, log] of points) {
    pen.globalAlpha = at <= cycle ? 1 : 0.3
    circle(pen, plot.x(at), plot.y(log), 3)
    pen.fill()
  }
  pen.globalAlpha = 1
  const now = plot.x(Math.min(cycle, last))
  paintLine(pen, [now, 4, now, area.bottom], { colour: theme.ink, width: 1 })
}
