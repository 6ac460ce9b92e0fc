import {
  type ReadonlySignal,
  signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { FlightDetails, NodeDetails } from '../inspector/inspector.tsx'
import { partitionOffer } from '../interventions/interventions.ts'
import type { RunClock } from '../model/clock.ts'
import { changeRun } from '../model/fork.ts'
import type { ShownRun } from '../model/run.ts'
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
import { FlyingMessages } from './messages.ts'
import { LONGEST_SEEN } from './motion.ts'
import { paintScene } from './scene.ts'
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
  readonly run: ShownRun
  readonly clock: RunClock
  /** What lies above the picture, such as the actions on what is chosen. */
  readonly children?: ComponentChildren
}

/** What is under the pointer or the keyboard focus of a stage, and what it does there. */
class StagePointer {
  geometry: Geometry | null = null
  readonly flying = new FlyingMessages()
  readonly pointed = signal<Pointed | null>(null)
  /** The line of a partition while it is drawn. */
  readonly line = signal<LineSegment | null>(null)

  constructor(
    public run: ShownRun,
    public clock: RunClock,
  ) {}

  /** Chooses the node, message or link under the pointer: by mouse and by touch alike. */
  choose(event: MouseEvent): void {
    const { node, flight } = this.under(event)
    if (node !== null) chooseNode(node, event.shiftKey || event.ctrlKey || event.metaKey)
    else if (flight !== null) chooseFlight(flight)
    else {
      const frame = this.run.frame(this.clock.step.peek())
      const { offsetX: x, offsetY: y } = event
      const link = frame && this.geometry && linkAt(frame, this.geometry, x, y)
      if (link) chooseLink(link)
      else chooseNothing()
    }
  }

  move(event: PointerEvent): void {
    const { offsetX: x, offsetY: y } = event
    if (this.line.value !== null) this.line.value = { ...this.line.value, to: { x, y } }
    // A finger covers what it points at: a tap shows it in the card.
    if (event.pointerType === 'touch') return
    const { node, flight } = this.under(event)
    if (this.geometry === null) return
    const at = node === null ? { x, y } : centre(this.geometry, node)
    this.pointAt(node, flight, at.x, at.y)
  }

  leave(): void {
    hoveredNode.value = null
    hoveredFlight.value = null
    this.pointed.value = null
  }

  /** The arrow keys move from node to node. */
  walk(by: number): void {
    if (this.geometry === null) return
    const { x, y } = this.geometry
    const last = hoveredNode.value ?? [...chosenNodes.value].at(-1) ?? -by
    const node = (last + by + x.length) % x.length
    this.pointAt(node, null, x[node], y[node])
  }

  beginLine({ offsetX: x, offsetY: y }: MouseEvent): void {
    this.line.value = { from: { x, y }, to: { x, y } }
  }

  /** Parts the nodes on both sides of the line. */
  endLine(): void {
    if (this.line.value === null || this.geometry === null) return
    const groups = sides(this.geometry, this.line.value)
    this.line.value = null
    drawing.value = false
    const frame = this.run.frame(this.clock.step.value)
    if (frame === null || groups.some((group) => group.length === 0)) return
    const { action, words } = partitionOffer(frame, groups)
    changeRun(action, words)
  }

  private under({ offsetX: x, offsetY: y }: MouseEvent) {
    const node = this.geometry === null ? null : nodeAt(this.geometry, x, y)
    return { node, flight: node === null ? this.flying.at(x, y) : null }
  }

  private pointAt(node: number | null, flight: number | null, x: number, y: number): void {
    const { width, height, radius } = this.geometry!
    hoveredNode.value = node
    hoveredFlight.value = flight
    const near = node === null ? 16 : 2 * radius + 8
    this.pointed.value =
      node === null && flight === null
        ? null
        : { node, flight, x, y, near, late: x > width / 2, low: y > height / 2 }
  }
}

/** Paints the network of a run as it is at the time of the clock. */
function usePainting(pointer: StagePointer) {
  const background = useRef<BackgroundCache>(null)
  const motion = useMotion(pointer.clock)
  return (pen: CanvasRenderingContext2D, width: number, height: number) => {
    const { run, clock, flying, line } = pointer
    run.known.value
    const [step, time] = [clock.step.value, clock.time.value]
    const frame = run.frame(step)
    if (frame === null) return
    const { world } = frame.log
    const scale = scaleOf(run.cycles.value)
    const strip = hasHistogram(scale, world.n, height) ? HISTOGRAM : 0
    const geometry = geometryOf(world, width, height - strip, enlarged.value, time)
    pointer.geometry = geometry
    background.current ??= new BackgroundCache()
    const links = background.current
    const attention = {
      hovered: hoveredNode.value,
      chosen: chosenNodes.value,
      acting: clock.playing.value ? null : actingIn(frame),
      hoveredFlight: hoveredFlight.value,
      chosenFlight: chosenFlight.value,
    }
    const moment = { frame, geometry, time, motion: motion.value }
    const input = { ...moment, attention, scale, positions: positionsShown.value, strip }
    paintScene(pen, input, theme.value, flying, () => links.draw(pen, world, geometry, theme.value))
    if (line.value !== null) paintLine(pen, line.value, theme.value.danger)
  }
}

/** The network of a run with the messages in flight at the time of the clock. */
export function Stage({ run, clock, children }: StageProps) {
  const pointer = useRef(new StagePointer(run, clock)).current
  pointer.run = run
  pointer.clock = clock
  const draw = usePainting(pointer)
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
          event.currentTarget.setPointerCapture(event.pointerId)
          pointer.beginLine(event)
        }}
        onPointerUp={() => pointer.endLine()}
        onPointerMove={(event) => pointer.move(event)}
        onPointerLeave={() => pointer.leave()}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) pointer.walk(0)
        }}
        onBlur={() => pointer.leave()}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') pointer.walk(1)
          else if (event.key === 'ArrowUp') pointer.walk(-1)
          else if (event.key === 'Enter' && hoveredNode.value !== null)
            chooseNode(hoveredNode.value, event.shiftKey)
          else return
          event.preventDefault()
        }}
        onClick={(event) => pointer.choose(event)}
      />
      <Tooltip run={run} clock={clock} pointed={pointer.pointed.value} />
      {children}
    </div>
  )
}

/** How long the motion after a single step takes, in milliseconds for a unit of time. */
const PACE = 900

const REDUCED = matchMedia('(prefers-reduced-motion: reduce)')
const still = signal(REDUCED.matches)
REDUCED.addEventListener('change', ({ matches }) => {
  still.value = matches
})

/**
 * The time of motions: the clock while it runs. After a step of a paused run it goes on for a
 * moment, then the picture is at rest. Those who want no motion have pictures at rest only.
 */
function useMotion(clock: RunClock): ReadonlySignal<number> {
  const since = useSignal(Number.POSITIVE_INFINITY)
  useSignalEffect(() => {
    clock.step.value
    if (clock.playing.value || still.value) {
      since.value = Number.POSITIVE_INFINITY
      return
    }
    const begun = performance.now()
    let asked = 0
    const beat = (now: number) => {
      const passed = Math.max(0, now - begun) / PACE
      since.value = passed < LONGEST_SEEN ? passed : Number.POSITIVE_INFINITY
      if (passed < LONGEST_SEEN) asked = requestAnimationFrame(beat)
    }
    since.value = 0
    asked = requestAnimationFrame(beat)
    return () => cancelAnimationFrame(asked)
  })
  return useComputed(() => {
    if (still.value) return Number.POSITIVE_INFINITY
    return clock.time.value + (clock.playing.value ? 0 : since.value)
  })
}

/** The node of the last step; in a cycle all nodes act. */
function actingIn({ log, step }: RunFrame): number | null {
  return step === 0 || log.world.unit === 'cycle' ? null : log.nodeOf(step - 1)
}

function centre({ x, y }: Geometry, node: number) {
  return { x: x[node], y: y[node] }
}

/** The node or message under the pointer or the keyboard focus, and its place on the stage. */
interface Pointed {
  readonly node: number | null
  readonly flight: number | null
  readonly x: number
  readonly y: number
  /** How far away the tooltip stands, so that it does not cover what it is about. */
  readonly near: number
  /** Whether there is more room to the left of it, or above it. */
  readonly late: boolean
  readonly low: boolean
}

interface TooltipProps {
  readonly run: ShownRun
  readonly clock: RunClock
  readonly pointed: Pointed | null
}

/** The whole state of a node, or a message, next to it. */
function Tooltip({ run, clock, pointed }: TooltipProps) {
  const frame = pointed === null ? null : run.frame(clock.step.value)
  if (frame === null || pointed === null) return null
  const { node, flight, x, y, near, late, low } = pointed
  const place = {
    [late ? 'right' : 'left']: late ? `calc(100% - ${x - near}px)` : `${x + near}px`,
    [low ? 'bottom' : 'top']: low ? `calc(100% - ${y - 12}px)` : `${y + 12}px`,
  }
  return (
    <div class="tooltip details" role="status" style={place}>
      {node !== null ? (
        <NodeDetails frame={frame} node={node} />
      ) : (
        flight !== null && <FlightDetails frame={frame} flight={flight} />
      )}
    </div>
  )
}
