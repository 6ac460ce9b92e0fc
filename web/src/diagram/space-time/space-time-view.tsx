import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { RunControls } from '../../model/clock.ts'
import { isSecret } from '../../model/prediction.ts'
import type { Run } from '../../model/run.ts'
import { chooseFlight, chosenFlight, hoveredFlight } from '../../model/selection.ts'
import { RunFrame } from '../../recording/frame.ts'
import { Canvas } from '../../stage/canvas.tsx'
import { enlarged } from '../../view/layout.ts'
import { theme } from '../../view/theme.ts'
import { causalPast } from './causal-past.ts'
import { DiagramState, seenDiagram } from './diagram-state.ts'
import { DiagramTip, type TipPlace } from './diagram-tip.tsx'
import { DiagramTools } from './diagram-tools.tsx'
import { LaneGrid, moved, type TimeSpan, wholeSpan, zoomed } from './lanes.ts'
import { paintDiagram } from './live-diagram.ts'
import { messagesWith } from './message-search.ts'
import { flightAt, nearestStep, type PointerKind, stepAt } from './pointing.ts'
import type { FlightArrow } from './run-window.ts'

/** How far the wheel turns for a factor of e. */
const WHEEL = 600
/** A pointer that moves less than this clicks. */
const STILL = 4

interface Drag {
  readonly x: number
  readonly y: number
  readonly span: TimeSpan
  /** Dragging the axis moves the clock, dragging the lines moves the span. */
  readonly scrubs: boolean
  moved: boolean
}

/** The space-time diagram: a line for each node, an arrow for each message. */
export function SpaceTime({ run, player }: { readonly run: Run; readonly player: RunControls }) {
  const state = useMemo(() => new DiagramState(), [run])
  const omitted = useSignal(0)
  const tip = useSignal<TipPlace | null>(null)
  const grid = useRef<LaneGrid | null>(null)
  const arrows = useRef<readonly FlightArrow[]>([])
  const drag = useRef<Drag | null>(null)
  const fingers = useRef(new Map<number, number>())
  const frame = useComputed(() => (run.log.value === null ? null : new RunFrame(run.log.value)))
  const found = useComputed(() => {
    run.known.value
    const log = run.log.value
    return log === null ? null : messagesWith(log, state.search.value)
  })
  useEffect(() => {
    seenDiagram.value = { run, state }
    return () => {
      if (seenDiagram.peek()?.state === state) seenDiagram.value = null
    }
  }, [run, state])

  const draw = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    const log = run.log.value
    run.known.value
    if (log === null || frame.value === null || log.steps === 0) return
    const [step, time] = [player.step.value, player.time.value]
    const span = state.spanAt(log, time)
    grid.current = new LaneGrid(state.orderOf(log), width, height, span, enlarged.value)
    const view = {
      span,
      time,
      step,
      found: found.value,
      chosen: step > 0 && !player.playing.value ? step - 1 : null,
      past: state.causal.value && step > 0 ? causalPast(log, step - 1) : null,
      secret: isSecret(run, player),
      pointed: hoveredFlight.value ?? chosenFlight.value,
    }
    const painted = paintDiagram(pen, frame.value, view, grid.current, theme.value)
    arrows.current = painted.arrows
    if (omitted.peek() !== painted.omitted)
      queueMicrotask(() => {
        omitted.value = painted.omitted
      })
  }

  const zoom = (factor: number, time = player.time.value) => {
    const log = run.log.value
    if (log === null) return
    state.span.value = zoomed(state.spanAt(log, player.time.value), factor, time, wholeSpan(log))
  }

  const scrub = (x: number) => {
    if (grid.current === null) return
    player.pause()
    player.toTime(grid.current.timeAt(Math.min(Math.max(x, grid.current.left), grid.current.right)))
  }

  /** What is under the pointer: a step where its sign is, else a message. */
  const point = ({ offsetX: x, offsetY: y, pointerType }: PointerEvent) => {
    const log = run.log.value
    if (log === null || grid.current === null) return
    const kind: PointerKind = pointerType === 'touch' ? 'touch' : 'mouse'
    const on = !grid.current.onAxis(y)
    const step = on ? stepAt(log, grid.current, x, y, kind) : null
    const flight = on && step === null ? flightAt(arrows.current, x, y, kind) : null
    const secret = isSecret(run, player) && (step ?? 0) >= player.step.value
    hoveredFlight.value = flight
    const { width, height } = grid.current
    tip.value =
      secret || (step === null && flight === null)
        ? null
        : { step, flight, x, y, late: x > width / 2, low: y > height / 2 }
  }

  const drop = (event: PointerEvent) => {
    const { offsetX: x, offsetY: y } = event
    const log = run.log.value
    const started = drag.current
    drag.current = null
    fingers.current.delete(event.pointerId)
    if (started === null || started.moved || log === null || grid.current === null) return
    if (started.scrubs) return scrub(x)
    point(event)
    if (tip.value?.flight != null) return chooseFlight(tip.value.flight)
    player.pause()
    player.toStep(nearestStep(log, grid.current, x, y) + 1)
  }

  const pull = (event: PointerEvent) => {
    const log = run.log.value
    const started = drag.current
    if (started === null || grid.current === null || log === null) return point(event)
    if (fingers.current.size === 2) return pinch(event)
    const by = started.x - event.offsetX
    if (!started.moved && Math.hypot(by, started.y - event.offsetY) < STILL) return
    started.moved = true
    tip.value = null
    if (started.scrubs) return scrub(event.offsetX)
    const time = grid.current.timeAt(by) - grid.current.timeAt(0)
    state.span.value = moved(started.span, time, wholeSpan(log))
  }

  /** Two fingers zoom by the change of their distance. */
  const pinch = ({ pointerId, offsetX }: PointerEvent) => {
    const other = [...fingers.current].find(([id]) => id !== pointerId)?.[1]
    const former = fingers.current.get(pointerId)
    if (other === undefined || former === undefined || grid.current === null) return
    const [before, after] = [Math.abs(former - other), Math.abs(offsetX - other)]
    if (before > STILL && after > STILL)
      zoom(before / after, grid.current.timeAt((offsetX + other) / 2))
    fingers.current.set(pointerId, offsetX)
    if (drag.current !== null) drag.current.moved = true
  }

  const begin = (event: PointerEvent) => {
    if (grid.current === null || event.button !== 0) return
    const { offsetX: x, offsetY: y, pointerId } = event
    fingers.current.set(pointerId, x)
    if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(pointerId)
    const scrubs = grid.current.onAxis(y)
    drag.current = { x, y, span: grid.current.span, scrubs, moved: false }
  }

  return (
    <>
      <DiagramTools {...{ run, player, state, zoom }} omitted={omitted.value} found={found.value} />
      <div class="lanes-area">
        <Canvas
          class="lanes"
          role="img"
          aria-label="Space-time diagram: a lane for each node, an arrow for each message"
          draw={draw}
          onWheel={(event) => {
            event.preventDefault()
            if (grid.current !== null)
              zoom(Math.exp(event.deltaY / WHEEL), grid.current.timeAt(event.offsetX))
          }}
          onPointerDown={begin}
          onPointerMove={pull}
          onPointerUp={drop}
          onPointerCancel={() => {
            drag.current = null
            fingers.current.clear()
          }}
          onPointerLeave={() => {
            hoveredFlight.value = null
            tip.value = null
          }}
        />
        {tip.value !== null && <DiagramTip run={run} place={tip.value} />}
      </div>
    </>
  )
}
