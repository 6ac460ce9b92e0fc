import { STATUSES } from '../engine/events.ts'
import type { Frame } from '../engine/frame.ts'
import type { Places } from './layout.ts'

export interface Surface {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
}

const COLOURS = ['#9aa5b1', '#4c78a8', '#b07aa1', '#f2a900', '#444'] as const

/** Draws how a run stands at a time. */
export function paint(surface: Surface, frame: Frame, places: Places, time: number): void {
  const { context, width, height } = surface
  const { log } = frame
  const { n, ids } = log.world
  const radius = Math.max(3, Math.min(22, 180 / Math.sqrt(n)))
  const margin = radius + 24
  const scale = Math.max(1, Math.min(width, height) / 2 - margin)
  const x = (node: number) => width / 2 + places[2 * node] * scale
  const y = (node: number) => height / 2 + places[2 * node + 1] * scale
  context.clearRect(0, 0, width, height)
  context.strokeStyle = '#ccd3da'
  context.beginPath()
  for (const [from, to] of linksIn(frame)) {
    context.moveTo(x(from), y(from))
    context.lineTo(x(to), y(to))
  }
  context.stroke()
  context.fillStyle = '#d1495b'
  for (const flight of frame.open) {
    const sending = log.sending.at(flight)
    const from = log.node.at(sending)
    const to = log.peer.at(sending)
    const begun = log.departure(flight)
    const share = Math.min(1, Math.max(0, (time - begun) / (log.arrival(flight) - begun)))
    context.beginPath()
    context.arc(x(from) + (x(to) - x(from)) * share, y(from) + (y(to) - y(from)) * share, 5, 0, 7)
    context.fill()
  }
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (let node = 0; node < n; node++) {
    context.fillStyle = COLOURS[frame.status[node]]
    context.beginPath()
    context.arc(
      x(node),
      y(node),
      radius * (STATUSES[frame.status[node]] === 'leader' ? 1.3 : 1),
      0,
      7,
    )
    context.fill()
    context.fillStyle = '#fff'
    if (radius > 8) context.fillText(String(ids?.[node] ?? node), x(node), y(node))
  }
}

function* linksIn({ log }: Frame): Generator<[number, number]> {
  const { kind, n, edges } = log.world
  if (kind === 'ring') for (let node = 0; node < n; node++) yield [node, (node + 1) % n]
  else if (kind === 'graph')
    for (let i = 0; i < edges.length; i += 2) yield [edges[i], edges[i + 1]]
  else if (n <= 24) for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) yield [a, b]
}
