import type { EdgeRole } from '../../../../src/core/language/display.ts'
import type { Pen } from '../../../../src/diagram/pen.ts'
import { polygon } from '../../../../src/diagram/shapes.ts'
import type { RunFrame } from '../../recording/frame.ts'
import type { PageTheme } from '../../view/theme.ts'
import type { Geometry } from '../geometry.ts'
import type { Labels } from '../labels.ts'

/** From the weakest to the strongest: where the ends of a link differ, the strongest is drawn. */
export const ROLES: readonly EdgeRole[] = ['rejected', 'tree', 'core']
const WIDTHS = { rejected: 2, tree: 5, core: 8 } as const

/** The links that have a role, by their ends in ascending order. */
export function rolesOf(frame: RunFrame): Map<string, readonly [number, number, EdgeRole]> {
  const roles = new Map<string, readonly [number, number, EdgeRole]>()
  for (let node = 0; node < frame.log.world.n; node++)
    for (const [other, role] of frame.display(node)?.edges ?? []) {
      const [a, b] = node < other ? [node, other] : [other, node]
      const before = roles.get(`${a}-${b}`)
      if (before === undefined || ROLES.indexOf(role) > ROLES.indexOf(before[2]))
        roles.set(`${a}-${b}`, [a, b, role])
    }
  return roles
}

/** Draws the links of the tree, the core, and those that were rejected. */
export function paintRoles(
  pen: Pen,
  given: Iterable<readonly [number, number, EdgeRole]>,
  { x, y, scale }: Geometry,
  colours: PageTheme,
): void {
  const roles = [...given]
  for (const role of ROLES) {
    const links = roles.filter(([, , has]) => has === role)
    if (links.length === 0) continue
    pen.beginGroup?.(role)
    for (const [a, b] of links) paintRole(pen, role, [x[a], y[a], x[b], y[b]], scale, colours)
    pen.endGroup?.()
  }
}

/** The links of the tree between many small nodes, as one path. */
export function paintThinRoles(
  pen: Pen,
  frame: RunFrame,
  { x, y }: Geometry,
  colours: PageTheme,
): void {
  if (!frame.log.world.display?.edges) return
  pen.strokeStyle = colours.tree
  pen.lineWidth = 1.5
  pen.setLineDash([])
  pen.beginPath()
  for (let node = 0; node < frame.log.world.n; node++)
    for (const [other, role] of frame.display(node)?.edges ?? []) {
      if (role === 'rejected') continue
      pen.moveTo(x[node], y[node])
      pen.lineTo(x[other], y[other])
    }
  pen.stroke()
}

export function paintRole(
  pen: Pen,
  role: EdgeRole,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  scale: number,
  colours: PageTheme,
): void {
  const line = (colour: string, width: number) => {
    pen.strokeStyle = colour
    pen.lineWidth = width * scale
    pen.beginPath()
    pen.moveTo(x1, y1)
    pen.lineTo(x2, y2)
    pen.stroke()
  }
  if (role === 'rejected') pen.setLineDash([2, 6])
  line(colours[role], WIDTHS[role])
  pen.setLineDash([])
  if (role === 'core') line(colours.surface, 2)
}

/** Arrows from nodes to their parents, or to those that have captured them. */
export function paintPointers(
  pen: Pen,
  frame: RunFrame,
  geometry: Geometry,
  colours: PageTheme,
): void {
  const { x, y, radius, scale } = geometry
  pen.beginGroup?.('pointers')
  for (let node = 0; node < frame.log.world.n; node++) {
    const to = frame.display(node)?.pointer
    if (to === undefined || to === node) continue
    const length = Math.hypot(x[to] - x[node], y[to] - y[node]) || 1
    const [dx, dy] = [(x[to] - x[node]) / length, (y[to] - y[node]) / length]
    const [near, far] = [radius + 2, length - radius - 3]
    const at = (share: number) => [x[node] + dx * share, y[node] + dy * share] as const
    paintPointer(pen, [...at(near), ...at(far)], scale, colours)
  }
  pen.endGroup?.()
}

export function paintPointer(
  pen: Pen,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  scale: number,
  colours: PageTheme,
): void {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length]
  const head = 11 * scale
  pen.strokeStyle = colours.ink
  pen.fillStyle = colours.ink
  pen.lineWidth = 2 * scale
  pen.setLineDash([])
  pen.beginPath()
  pen.moveTo(x1, y1)
  pen.lineTo(x2 - dx * head, y2 - dy * head)
  pen.stroke()
  polygon(pen, [
    [x2, y2],
    [x2 - dx * head - dy * head * 0.45, y2 - dy * head + dx * head * 0.45],
    [x2 - dx * head + dy * head * 0.45, y2 - dy * head - dx * head * 0.45],
  ])
  pen.fill()
}

/** The most links whose weights are written. */
const MOST_WEIGHTS = 120

/** Where a weight may stand on its link, best first. */
const PLACES = [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72]

/** The weights of links, near the middle of each where there is room. */
export function paintWeights(
  pen: Pen,
  { log }: RunFrame,
  { x, y, scale }: Geometry,
  colours: PageTheme,
  labels: Labels,
): void {
  const { weights } = log.world
  if (weights === undefined || weights.length > 3 * MOST_WEIGHTS) return
  const size = 11 * scale
  for (let i = 0; i < weights.length; i += 3) {
    const [a, b] = [weights[i], weights[i + 1]]
    const text = String(weights[i + 2])
    pen.font = `500 ${size}px system-ui`
    const [wide, high] = [pen.measureText(text).width / 2 + 2, size * 0.6]
    for (const share of PLACES) {
      const [across, down] = [x[a] + share * (x[b] - x[a]), y[a] + share * (y[b] - y[a])]
      if (!labels.hasRoom(across, down, wide, high)) continue
      labels.reserve(across, down, wide, high)
      paintWeight(pen, text, across, down, size, colours)
      break
    }
  }
}

/** A weight on a link around a point. */
export function paintWeight(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  size: number,
  colours: PageTheme,
): void {
  pen.font = `500 ${size}px system-ui`
  const half = pen.measureText(text).width / 2 + 2
  pen.fillStyle = colours.surface
  pen.fillRect(x - half, y - size * 0.6, 2 * half, size * 1.2)
  pen.fillStyle = colours.ink
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(text, x, y)
}
