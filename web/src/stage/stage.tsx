import { useComputed } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'
import {
  chooseFlight,
  chooseNode,
  chooseNothing,
  chosenNodes,
  hoveredFlight,
  hoveredNode,
} from '../model/selection.ts'
import { theme } from '../view/theme.ts'
import { Canvas } from './canvas.tsx'
import { nodeAt } from './geometry.ts'
import { layout } from './layout.ts'
import { type Painted, paintScene } from './scene.ts'
import './stage.css'

/** How near the pointer must be to a message. */
const REACH = 14

/** The network of a run, with what is in flight at the player's time. */
export function Stage({ run, player }: { readonly run: Run; readonly player: Player }) {
  const places = useComputed(() => (run.log.value === null ? null : layout(run.log.value.world)))
  const painted = useRef<Painted | null>(null)

  const draw = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    run.known.value
    const [step, time] = [player.step.value, player.time.value]
    const frame = run.frame(step)
    if (frame === null || places.value === null) return
    const scene = {
      frame,
      time,
      places: places.value,
      attention: {
        hovered: hoveredNode.value,
        chosen: chosenNodes.value,
        acting: player.playing.value || step === 0 ? null : frame.log.nodeOf(step - 1),
      },
      hoveredFlight: hoveredFlight.value,
    }
    painted.current = paintScene(pen, scene, width, height, theme.value)
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

  return (
    <Canvas
      class="stage"
      role="img"
      aria-label={`The network: ${run.log.value?.world.topology ?? 'not known yet'}`}
      draw={draw}
      onMouseMove={(event) => {
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
