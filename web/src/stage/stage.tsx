import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { partitionOffer } from '../interventions/interventions.ts'
import type { RunClock } from '../model/clock.ts'
import { change } from '../model/fork.ts'
import type { Run } from '../model/run.ts'
import {
  chooseFlight,
  chooseLink,
  chooseNode,
  chooseNothing,
  chosenFlight,
  chosenNodes,
  drawing,
  hoveredFlight,
  hoveredNode,
} from '../model/selection.ts'
import type { RunFrame } from '../recording/frame.ts'
import { enlarged } from '../view/layout.ts'
import { theme } from '../view/theme.ts'
import { Canvas } from './canvas.tsx'
import { HISTOGRAM, hasHistogram } from './dense/histogram.ts'
import { scaleOf } from './estimates.ts'
import { type Geometry, geometryOf, type LineSegment, nodeAt, sides } from './geometry.ts'
import { BackgroundCache, linkAt } from './links.ts'
import { FlyingMessages } from './messages-in-flight.ts'
import { useMotion } from './motion/use-motion.ts'
import { paintScene } from './scene.ts'
import { type Pointed, Tooltip } from './tooltip.tsx'
import './stage.css'

/** Whether nodes show their positions besides their ids. */
export const positionsShown = signal(false)

function paintLine(pen: CanvasRenderingContext2D, { from, to }: LineSegment, colour: string): void {
  pen.strokeStyle = colour
  pen.lineWidth = 3
  pen.setLineDash([8, 6])
  pen.beginPath()
  pen.moveTo(from.x, from.y)
  pen.lineTo(to.x, to.y)
  pen.stroke()
  pen.setLineDash([])
}

const KEYS = 'Arrows up and down go from node to node, Enter keeps one in the inspector.'

interface StageProps {
  readonly run: Run
  readonly clock: RunClock
  /** What lies above the picture, such as the actions on what is chosen. */
  readonly children?: ComponentChildren
}

/** The network of a run with the messages in flight at the time of the clock. */
export function Stage({ run, clock, children }: StageProps) {
  const geometry = useRef<Geometry | null>(null)
  const flying = useRef(new FlyingMessages()).current
  const background = useRef<BackgroundCache>(null)
  const line = useSignal<LineSegment | null>(null)
  const pointed = useSignal<Pointed | null>(null)
  const motion = useMotion(clock)

  const draw = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    run.known.value
    const [step, time] = [clock.step.value, clock.time.value]
    const frame = run.frame(step)
    if (frame === null) return
    const { world } = frame.log
    const scale = scaleOf(run.cycles.value)
    const strip = hasHistogram(scale, world.n, height) ? HISTOGRAM : 0
    const now = geometryOf(world, width, height - strip, enlarged.value, time)
    geometry.current = now
    background.current ??= new BackgroundCache()
    const links = background.current
    const attention = {
      hovered: hoveredNode.value,
      chosen: chosenNodes.value,
      acting: clock.playing.value ? null : actingIn(frame),
      hoveredFlight: hoveredFlight.value,
      chosenFlight: chosenFlight.value,
    }
    const moment = { frame, geometry: now, time, motion: motion.value }
    const input = { ...moment, attention, scale, positions: positionsShown.value, strip }
    paintScene(pen, input, theme.value, flying, () => links.draw(pen, world, now, theme.value))
    if (line.value !== null) paintLine(pen, line.value, theme.value.danger)
  }

  const pointAt = (node: number | null, flight: number | null, x: number, y: number) => {
    const { width, height, radius } = geometry.current!
    hoveredNode.value = node
    hoveredFlight.value = flight
    const near = node === null ? 16 : 2 * radius + 8
    if (node === null && flight === null) pointed.value = null
    else pointed.value = { node, flight, x, y, near, late: x > width / 2, low: y > height / 2 }
  }

  const pointAtNothing = () => {
    hoveredNode.value = null
    hoveredFlight.value = null
    pointed.value = null
  }

  const under = ({ offsetX: x, offsetY: y }: MouseEvent) => {
    const node = geometry.current === null ? null : nodeAt(geometry.current, x, y)
    return { node, flight: node === null ? flying.at(x, y) : null }
  }

  /** The arrow keys move from node to node. */
  const walk = (by: number) => {
    if (geometry.current === null) return
    const { x, y } = geometry.current
    const last = hoveredNode.value ?? [...chosenNodes.value].at(-1) ?? -by
    const node = (last + by + x.length) % x.length
    pointAt(node, null, x[node], y[node])
  }

  const part = () => {
    if (line.value === null || geometry.current === null) return
    const groups = sides(geometry.current, line.value)
    line.value = null
    drawing.value = false
    const frame = run.frame(clock.step.value)
    if (frame === null || groups.some((group) => group.length === 0)) return
    const { action, words } = partitionOffer(frame, groups)
    change(action, words)
  }

  /** Chooses the node, message or link under the pointer: by mouse and by touch alike. */
  const choose = (event: MouseEvent) => {
    const { node, flight } = under(event)
    if (node !== null) chooseNode(node, event.shiftKey || event.ctrlKey || event.metaKey)
    else if (flight !== null) chooseFlight(flight)
    else {
      const frame = run.frame(clock.step.peek())
      const { offsetX: x, offsetY: y } = event
      const link = frame && geometry.current && linkAt(frame, geometry.current, x, y)
      if (link) chooseLink(link)
      else chooseNothing()
    }
  }

  return (
    <div class={drawing.value ? 'stage-place drawing' : 'stage-place'}>
      <Canvas
        class="stage"
        role="application"
        tabIndex={0}
        aria-label={`The network: ${run.log.value?.world.topology ?? 'not known yet'}. ${KEYS}`}
        draw={draw}
        onPointerDown={(event) => {
          if (!drawing.value) return
          const { offsetX: x, offsetY: y } = event
          event.currentTarget.setPointerCapture(event.pointerId)
          line.value = { from: { x, y }, to: { x, y } }
        }}
        onPointerUp={part}
        onPointerMove={(event) => {
          const { offsetX: x, offsetY: y } = event
          if (line.value !== null) line.value = { ...line.value, to: { x, y } }
          // A finger covers what it points at: a tap shows it in the card.
          if (event.pointerType === 'touch') return
          const { node, flight } = under(event)
          if (geometry.current === null) return
          const at = node === null ? { x, y } : centre(geometry.current, node)
          pointAt(node, flight, at.x, at.y)
        }}
        onPointerLeave={pointAtNothing}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) walk(0)
        }}
        onBlur={pointAtNothing}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') walk(1)
          else if (event.key === 'ArrowUp') walk(-1)
          else if (event.key === 'Enter' && hoveredNode.value !== null)
            chooseNode(hoveredNode.value, event.shiftKey)
          else return
          event.preventDefault()
        }}
        onClick={choose}
      />
      {pointed.value !== null && <Tooltip run={run} clock={clock} pointed={pointed.value} />}
      {children}
    </div>
  )
}

/** The node of the last step; in a cycle all nodes act. */
function actingIn({ log, step }: RunFrame): number | null {
  return step === 0 || log.world.unit === 'cycle' ? null : log.nodeOf(step - 1)
}

function centre({ x, y }: Geometry, node: number) {
  return { x: x[node], y: y[node] }
}
