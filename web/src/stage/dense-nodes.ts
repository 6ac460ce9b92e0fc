import type { Pen } from '../../../src/diagram/pen.ts'
import { cross, disc, star } from '../../../src/diagram/shapes.ts'
import { STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { PageTheme } from '../view/theme.ts'
import { estimateRange, SHADES, shadeOf } from './estimates.ts'
import type { Geometry } from './geometry.ts'
import { type Attention, LEADING, paintHalos } from './nodes.ts'
import { spriteOf } from './sprite.ts'

const DEAD = STATUSES.indexOf('dead')
const LEADER = STATUSES.indexOf('leader')
/** The least radius of leaders and crashed nodes, which stay visible among small nodes. */
const CONSPICUOUS = 11

/** The look of each node by number; reused in every frame. */
let paints = new Uint8Array(0)

/** Paints many small nodes: all nodes of one look at once, then leaders and crashed nodes. */
export function paintDenseNodes(
  pen: Pen,
  frame: RunFrame,
  geometry: Geometry,
  colours: PageTheme,
  attention: Attention,
): void {
  const { n } = frame.log.world
  const { x, y, radius } = geometry
  const range = estimateRange(frame)
  if (paints.length < n) paints = new Uint8Array(n)
  for (let node = 0; node < n; node++)
    paints[node] = range === null ? frame.status[node] : shadeOf(frame.estimate[node], range)
  const fills = range === null ? STATUSES.map((status) => colours[status]) : SHADES
  const edge = range === null ? colours.edge : colours.line
  for (const [paint, fill] of fills.entries()) {
    const first = paints.subarray(0, n).indexOf(paint)
    if (first < 0) continue
    // Drawing a sprite is several times faster than filling a circle; files need circles.
    const sprite =
      'drawImage' in pen ? spriteOf(pen as CanvasRenderingContext2D, fill, edge, radius) : null
    for (let node = first; node < n; node++)
      if (paints[node] !== paint) continue
      else if (sprite === null) disc(pen, x[node], y[node], radius, fill, edge)
      else sprite.draw(x[node], y[node])
  }
  for (let node = 0; node < n; node++) {
    const status = frame.status[node]
    if (status === DEAD) cross(pen, x[node], y[node], Math.max(radius, 4), colours.danger)
    if (status === LEADER)
      star(
        pen,
        x[node],
        y[node],
        Math.max(CONSPICUOUS, LEADING * radius),
        colours.leader,
        colours.ink,
      )
    paintHalos(pen, node, geometry, colours, attention)
  }
}
