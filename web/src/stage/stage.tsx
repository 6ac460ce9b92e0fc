import { useComputed, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { partitionOffer } from '../breaking/deeds.ts'
import type { Clock } from '../model/clock.ts'
import { change } from '../model/fork.ts'
import type { Run } from '../model/run.ts'
import {
  chooseFlight,
  chooseNode,
  chooseNothing,
  chosenNodes,
  drawing,
  hoveredFlight,
  hoveredNode,
} from '../model/selection.ts'
import { theme } from '../view/theme.ts'
import { Canvas } from './canvas.tsx'
import { type Line, nodeAt, sides } from './geometry.ts'
import { layout } from './layout.ts'
import { type Painted, paintScene } from './scene.ts'
import './stage.css'

function paintLine(pen: CanvasRenderingContext2D, { from, to }: Line, colour: string): void {
  pen.strokeStyle = colour
  pen.lineWidth = 3
  pen.setLineDash([8, 6])
  pen.beginPath()
  pen.moveTo(from.x, from.y)
  pen.lineTo(to.x, to.y)
  pen.stroke()
  pen.setLineDash([])
}

/** How near the pointer must be to a message. */
const REACH = 14

/** The network of a run, with what is in flight at the clock's time. */
export function Stage({ run, clock }: { readonly run: Run; readonly clock: Clock }) {
  const places = useComputed(() => (run.log.value === null ? null : layout(run.log.value.world)))
  const painted = useRef<Painted | null>(null)
  const line = useSignal<Line | null>(null)

  const draw = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    run.known.value
    const [step, time] = [clock.step.value, clock.time.value]
    const frame = run.frame(step)
    if (frame === null || places.value === null) return
    const scene = {
      frame,
      time,
      places: places.value,
      attention: {
        hovered: hoveredNode.value,
        chosen: chosenNodes.value,
        acting: clock.playing.value || step === 0 ? null : frame.log.nodeOf(step - 1),
      },
      hoveredFlight: hoveredFlight.value,
    }
    painted.current = paintScene(pen, scene, width, height, theme.value)
    if (line.value !== null) paintLine(pen, line.value, theme.value.danger)
  }

  const under = ({ offsetX, offsetY }: MouseEvent) => {
    const n = run.log.value?.world.n ?? 0
    if (painted.current === null) return { node: null, flight: null }
    const { geometry, flying } = painted.current
    const gap = (one: { x: number; y: number }) => Math.hypot(one.x - offsetX, one.y - offsetY)
    const nearest = flying.reduce<(typeof flying)[number] | null>(
      (best, one) => (gap(one) < (best === null ? REACH : gap(best)) ? one : best),
      null,
    )
    const node = nodeAt(geometry, n, offsetX, offsetY)
    return { node, flight: node === null ? (nearest?.flight ?? null) : null }
  }

  const part = () => {
    const n = run.log.value?.world.n ?? 0
    if (line.value === null || painted.current === null) return
    const groups = sides(painted.current.geometry, n, line.value)
    line.value = null
    drawing.value = false
    if (groups.some((group) => group.length === 0)) return
    const { deed, words } = partitionOffer(groups)
    change(deed, words)
  }

  return (
    <Canvas
      class="stage"
      role="img"
      aria-label={`The network: ${run.log.value?.world.topology ?? 'not known yet'}`}
      draw={draw}
      onMouseDown={({ offsetX: x, offsetY: y }) => {
        if (drawing.value) line.value = { from: { x, y }, to: { x, y } }
      }}
      onMouseUp={part}
      onMouseMove={(event) => {
        if (line.value !== null)
          line.value = { ...line.value, to: { x: event.offsetX, y: event.offsetY } }
        const { node, flight } = under(event)
        hoveredNode.value = node
        hoveredFlight.value = flight
      }}
      onMouseLeave={() => {
        hoveredNode.value = null
        hoveredFlight.value = null
      }}
      onClick={(event) => {
        const { node, flight } = under(event)
        if (node !== null) chooseNode(node, event.shiftKey || event.ctrlKey || event.metaKey)
        else if (flight !== null) chooseFlight(flight)
        else chooseNothing()
      }}
    />
  )
}
