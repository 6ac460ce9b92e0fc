import { useComputed, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { grouped } from '../../../src/core/text-format.ts'
import type { Player } from '../model/player.ts'
import { isSecret } from '../model/prediction.ts'
import type { Run } from '../model/run.ts'
import { RunFrame } from '../recording/frame.ts'
import type { RunLog } from '../recording/run-log.ts'
import { Canvas } from '../stage/canvas.tsx'
import { enlarged } from '../view/layout.ts'
import { theme } from '../view/theme.ts'
import { causalPast } from './causal-past.ts'
import { Convergence } from './convergence.tsx'
import { LaneGrid, paintDiagram } from './live-diagram.ts'
import { followingSpan, moved, type TimeSpan, wholeSpan, zoomed } from './span.ts'
import './diagram.css'

interface Props {
  readonly run: Run
  readonly player: Player
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

/** How far the wheel turns for a factor of e. */
const WHEEL = 600

function SpaceTime({ run, player }: Props) {
  /** Null follows the clock. */
  const span = useSignal<TimeSpan | null>(null)
  const asked = useSignal(false)
  const left = useSignal(0)
  const lanes = useRef<LaneGrid | null>(null)
  const drag = useRef<{ x: number; span: TimeSpan } | null>(null)
  const frame = useComputed(() => (run.log.value === null ? null : new RunFrame(run.log.value)))
  const spanNow = (log: RunLog) => span.value ?? followingSpan(log, player.time.value)

  const draw = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    const log = run.log.value
    run.known.value
    if (log === null || frame.value === null || log.steps === 0) return
    const [step, time] = [player.step.value, player.time.value]
    lanes.current = new LaneGrid(log.world.n, width, height, spanNow(log), enlarged.value)
    const past = asked.value && step > 0 ? causalPast(log, step - 1) : null
    const chosen = step > 0 && !player.playing.value ? step - 1 : null
    const secret = isSecret(run, player)
    const view = { span: lanes.current.span, time, step, chosen, past, secret }
    const omitted = paintDiagram(pen, frame.value, view, lanes.current, theme.value)
    if (left.peek() !== omitted) queueMicrotask(() => (left.value = omitted))
  }

  const zoom = (factor: number, time = player.time.value) => {
    const log = run.log.value
    if (log !== null) span.value = zoomed(spanNow(log), factor, time, wholeSpan(log))
  }

  const choose = ({ offsetX, offsetY }: MouseEvent) => {
    const log = run.log.value
    if (log === null || lanes.current === null) return
    player.pause()
    player.toStep(nearestStep(log, lanes.current, offsetX, offsetY) + 1)
  }

  return (
    <>
      <div class="tools">
        <button type="button" title="Zoom in" aria-label="Zoom in" onClick={() => zoom(0.5)}>
          +
        </button>
        <button type="button" title="Zoom out" aria-label="Zoom out" onClick={() => zoom(2)}>
          −
        </button>
        <button
          type="button"
          onClick={() => {
            if (run.log.value !== null) span.value = wholeSpan(run.log.value)
          }}
        >
          Whole
        </button>
        <button
          type="button"
          aria-pressed={span.value === null}
          onClick={() => (span.value = null)}
        >
          Follow
        </button>
        <button
          type="button"
          title="Only what the last event depends on"
          aria-pressed={asked.value}
          onClick={() => {
            asked.value = !asked.value
          }}
        >
          Causal past
        </button>
        {left.value > 0 && <span>{grouped(left.value)} messages left out: zoom in</span>}
      </div>
      <Canvas
        class="lanes"
        role="img"
        aria-label="Space-time diagram: a lane for each node, an arrow for each message"
        draw={draw}
        onWheel={(event) => {
          event.preventDefault()
          if (lanes.current !== null)
            zoom(Math.exp(event.deltaY / WHEEL), lanes.current.timeAt(event.offsetX))
        }}
        onMouseDown={({ offsetX }) => {
          if (lanes.current !== null) drag.current = { x: offsetX, span: lanes.current.span }
        }}
        onMouseMove={({ offsetX, buttons }) => {
          const log = run.log.value
          if (buttons !== 1 || drag.current === null || lanes.current === null || log === null)
            return
          const by = drag.current.x - offsetX
          if (span.value === null && Math.abs(by) < 4) return
          const time = lanes.current.timeAt(by) - lanes.current.timeAt(0)
          span.value = moved(drag.current.span, time, wholeSpan(log))
        }}
        onClick={(event) => {
          if (drag.current === null || Math.abs(event.offsetX - drag.current.x) < 4) choose(event)
          drag.current = null
        }}
      />
    </>
  )
}

/** The step nearest to a point: one of the node of that lane, if it has any. */
function nearestStep(log: RunLog, lanes: LaneGrid, x: number, y: number): number {
  const node = lanes.nodeAt(y)
  const middle = log.stepsUntil(lanes.timeAt(x)) - 1
  const gap = (step: number) =>
    Math.abs(lanes.x(log.timeOf(step)) - x) + (log.nodeOf(step) === node ? 0 : lanes.lane + 20)
  let best = Math.max(0, middle)
  const last = Math.min(log.steps, middle + SEARCHED)
  for (let step = Math.max(0, middle - SEARCHED); step < last; step++)
    if (gap(step) < gap(best)) best = step
  return best
}

const SEARCHED = 2000
