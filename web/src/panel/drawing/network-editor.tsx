import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { branches } from '../../model/lab.ts'
import { keepPlaces } from '../../model/run.ts'
import { finishDialog } from '../../view/dialogs.tsx'
import { change, tryOut } from '../draft.ts'
import {
  type DrawnNode,
  drawingOf,
  drawingProblem,
  MOST_DRAWN,
  type NetworkDrawing,
  topologyOf,
  withLinkToggled,
  withMoved,
  withNode,
  withoutNode,
} from './network-drawing.ts'
import './drawing.css'

const EMPTY: NetworkDrawing = { nodes: [], links: [] }
/** How far an arrow key moves a node. */
const NUDGE = 0.02
/** A pointer that moves less than this clicks. */
const CLICK_DISTANCE = 0.01

/** Draws the network of the scenario: add, move, link and remove nodes. */
export function NetworkEditor() {
  const world = branches.value[0].log.value?.world
  const fits = world !== undefined && world.n <= MOST_DRAWN
  const drawing = useSignal(fits ? drawingOf(world) : EMPTY)
  const chosen = useSignal<number | null>(null)
  const problem = drawingProblem(drawing.value)
  const use = () => {
    const topology = topologyOf(drawing.value)
    keepPlaces(topology, Float64Array.from(drawing.value.nodes.flatMap(({ x, y }) => [x, y])))
    change({ topology, n: undefined, ids: undefined, values: undefined, weights: undefined })
    tryOut()
    finishDialog()
  }
  const remove = () => {
    if (chosen.value === null) return
    drawing.value = withoutNode(drawing.value, chosen.value)
    chosen.value = null
  }
  return (
    <>
      <p>
        Click on the paper to add a node; it is linked to the chosen one. Drag a node to move it.
        Click one node and then another to link them, or to remove their link.
      </p>
      <DrawingPaper drawing={drawing} chosen={chosen} onRemove={remove} />
      <p role="status" class={problem === null ? 'note' : 'error'}>
        {problem ?? `${drawing.value.nodes.length} nodes, ${drawing.value.links.length} links.`}
      </p>
      <p class="choices">
        <button type="button" class="primary" disabled={problem !== null} onClick={use}>
          Use this network
        </button>
        <button
          type="button"
          onClick={() => {
            drawing.value = withNode(drawing.value, { x: 0.5, y: 0.5 }, chosen.value)
          }}
        >
          Add a node
        </button>
        <button type="button" disabled={chosen.value === null} onClick={remove}>
          Remove the chosen node
        </button>
        <button
          type="button"
          onClick={() => {
            drawing.value = EMPTY
            chosen.value = null
          }}
        >
          Clear
        </button>
      </p>
    </>
  )
}

interface PaperProps {
  readonly drawing: Signal<NetworkDrawing>
  readonly chosen: Signal<number | null>
  readonly onRemove: () => void
}

function DrawingPaper(props: PaperProps) {
  const { drawing, chosen } = props
  const paper = useRef<HTMLDivElement>(null)
  const drag = useRef<{ node: number; from: DrawnNode; moved: boolean } | null>(null)
  const placeOf = ({ clientX, clientY }: PointerEvent | MouseEvent): DrawnNode => {
    const { left, top, width, height } = paper.current!.getBoundingClientRect()
    return { x: unscaled((clientX - left) / width), y: unscaled((clientY - top) / height) }
  }
  const click = (node: number) => {
    const former = chosen.value
    if (former !== null && former !== node) {
      drawing.value = withLinkToggled(drawing.value, former, node)
      chosen.value = null
    } else chosen.value = former === node ? null : node
  }
  const move = (event: PointerEvent) => {
    if (drag.current === null) return
    const to = placeOf(event)
    const { from, node } = drag.current
    if (!drag.current.moved && Math.hypot(to.x - from.x, to.y - from.y) < CLICK_DISTANCE) return
    drag.current.moved = true
    drawing.value = withMoved(drawing.value, node, to)
  }
  const { nodes, links } = drawing.value
  return (
    <div
      ref={paper}
      role="presentation"
      class="drawing-paper"
      onPointerMove={move}
      onPointerUp={(event) => {
        const { current } = drag
        drag.current = null
        if (current === null) {
          if (event.target === paper.current)
            drawing.value = withNode(drawing.value, placeOf(event), chosen.value)
        } else if (!current.moved) click(current.node)
      }}
    >
      <svg aria-hidden="true">
        {links.map(([a, b]) => (
          <line key={`${a}-${b}`} {...lineOf(nodes[a], nodes[b])} />
        ))}
      </svg>
      {nodes.map(({ x, y }, i) => (
        <button
          key={i}
          type="button"
          aria-pressed={chosen.value === i}
          aria-label={`Node ${i}`}
          style={{ left: percent(x), top: percent(y) }}
          onPointerDown={(event) => {
            drag.current = { node: i, from: placeOf(event), moved: false }
            paper.current?.setPointerCapture(event.pointerId)
          }}
          onKeyDown={(event) => handleKey(event, i, props, click)}
        >
          {i}
        </button>
      ))}
    </div>
  )
}

/** Keys on a node move it, choose it or remove it. */
function handleKey(
  event: KeyboardEvent,
  node: number,
  { drawing, chosen, onRemove }: PaperProps,
  click: (node: number) => void,
): void {
  const by = ARROWS[event.key]
  if (by !== undefined) {
    event.preventDefault()
    const { x, y } = drawing.value.nodes[node]
    const to = { x: within(x + NUDGE * by[0]), y: within(y + NUDGE * by[1]) }
    drawing.value = withMoved(drawing.value, node, to)
  }
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault()
    click(node)
  }
  if (event.key === 'Delete') {
    chosen.value = node
    onRemove()
  }
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

function lineOf(a: DrawnNode, b: DrawnNode) {
  return { x1: percent(a.x), y1: percent(a.y), x2: percent(b.x), y2: percent(b.y) }
}

/** The margin of the paper around the unit square, so that nodes at its edge are whole. */
const MARGIN = 0.06

function percent(place: number): string {
  return `${100 * (MARGIN + (1 - 2 * MARGIN) * place)}%`
}

/** The place at a share of the width or height of the paper. */
function unscaled(share: number): number {
  return within((share - MARGIN) / (1 - 2 * MARGIN))
}

function within(place: number): number {
  return Math.min(1, Math.max(0, place))
}
