import type { Pen } from '../../../src/diagram/pen.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { RunFacts } from '../recording/run-log.ts'
import type { PageTheme } from '../view/theme.ts'
import type { Geometry } from './geometry.ts'

/** A complete network with more nodes has too many links to draw. */
const SEEN = 24

/** The links that never change. `skipped` are drawn by others: ends in ascending order. */
export function paintLinks(
  context: Pen,
  { kind, n, edges, walk }: RunFacts,
  { x, y, grid }: Geometry,
  colours: PageTheme,
  skipped?: { has(link: string): boolean },
): void {
  if (walk !== undefined || grid !== null) return
  context.strokeStyle = colours.line
  context.lineWidth = n > 200 ? 0.5 : kind === 'ring' ? 2 : 1
  context.beginPath()
  const link = (from: number, to: number) => {
    if (skipped?.has(from < to ? `${from}-${to}` : `${to}-${from}`)) return
    context.moveTo(x[from], y[from])
    context.lineTo(x[to], y[to])
  }
  if (kind === 'ring') for (let node = 0; node < n; node++) link(node, (node + 1) % n)
  else if (kind === 'graph') for (let i = 0; i < edges.length; i += 2) link(edges[i], edges[i + 1])
  else if (n <= SEEN) for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) link(a, b)
  context.stroke()
}

/** The current links of a network that changes. */
function paintMovingLinks(
  context: Pen,
  { log, cut }: RunFrame,
  { x, y }: Geometry,
  colours: PageTheme,
): void {
  const { edges } = log.world
  context.strokeStyle = colours.line
  context.lineWidth = 1
  context.beginPath()
  for (let i = 0; i < edges.length; i += 2) {
    if (cut.has(`${edges[i]}-${edges[i + 1]}`)) continue
    context.moveTo(x[edges[i]], y[edges[i]])
    context.lineTo(x[edges[i + 1]], y[edges[i + 1]])
  }
  context.stroke()
}

export function paintCuts(
  context: Pen,
  frame: RunFrame,
  geometry: Geometry,
  colours: PageTheme,
): void {
  const { cut } = frame
  const { x, y } = geometry
  if (frame.log.world.walk !== undefined) {
    paintMovingLinks(context, frame, geometry, colours)
    return
  }
  if (cut.size === 0) return
  context.strokeStyle = colours.danger
  context.lineWidth = 2
  context.setLineDash([2, 6])
  context.beginPath()
  for (const [from, to] of cut.values()) {
    context.moveTo(x[from], y[from])
    context.lineTo(x[to], y[to])
  }
  context.stroke()
  context.setLineDash([])
}

/** How near the pointer must be to a link. */
const REACH = 9

/** The link under a point as positions in ascending order, if there is one. */
export function linkAt(
  { log, cut }: RunFrame,
  { x, y }: Geometry,
  left: number,
  top: number,
): readonly [number, number] | null {
  const { kind, n, edges, walk } = log.world
  let [nearest, distance]: [readonly [number, number] | null, number] = [null, REACH]
  const look = (a: number, b: number) => {
    const gap = distanceTo(left, top, x[a], y[a], x[b], y[b])
    if (gap < distance) [nearest, distance] = [a < b ? [a, b] : [b, a], gap]
  }
  if (kind === 'ring') for (let node = 0; node < n; node++) look(node, (node + 1) % n)
  else if (kind === 'complete') {
    if (n <= SEEN) for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) look(a, b)
  } else
    for (let i = 0; i < edges.length; i += 2)
      if (walk === undefined || !cut.has(`${edges[i]}-${edges[i + 1]}`))
        look(edges[i], edges[i + 1])
  return nearest
}

/** The distance of a point from a line between two others. */
function distanceTo(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const along = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)
  const share = Math.min(1, Math.max(0, along))
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy)
}

/** Caches the picture of the links, which is the same in every frame and may have many links. */
export class BackgroundCache {
  private readonly canvas = document.createElement('canvas')
  private painted: readonly unknown[] = []

  draw(pen: CanvasRenderingContext2D, world: RunFacts, geometry: Geometry, theme: PageTheme): void {
    // Links that change are not part of the background.
    if (world.walk !== undefined) return
    const { canvas } = this
    const { width, height } = pen.canvas
    const wanted = [world, geometry, theme, width, height]
    if (wanted.some((it, i) => it !== this.painted[i])) {
      this.painted = wanted
      canvas.width = width
      canvas.height = height
      const own = canvas.getContext('2d')!
      own.setTransform(pen.getTransform())
      paintLinks(own, world, geometry, theme)
    }
    pen.drawImage(canvas, 0, 0, geometry.width, geometry.height)
  }
}
