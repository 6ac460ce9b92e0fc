import { EDGE_ROLES, type EdgeRole } from '../../../../src/core/language/display.ts'
import type { Pen } from '../../../../src/diagram/pen.ts'
import { polygon } from '../../../../src/diagram/shapes.ts'
import type { RunFrame } from '../../recording/frame.ts'
import type { PageTheme } from '../../view/theme.ts'
import type { Geometry } from '../geometry.ts'
import type { Labels } from '../labels.ts'

const WIDTHS = { rejected: 2, tree: 5, core: 8 } as const

/** A link with a role: the end that says so, the other, and whether both say so. */
type RoleOfLink = readonly [from: number, to: number, role: EdgeRole, both: boolean]

/** The links that have a role, by their ends in ascending order. */
export function rolesOf(frame: RunFrame): Map<string, RoleOfLink> {
  const roles = new Map<string, RoleOfLink>()
  for (let node = 0; node < frame.log.world.n; node++)
    for (const [other, role] of frame.display(node)?.edges ?? []) {
      const link = node < other ? `${node}-${other}` : `${other}-${node}`
      const before = roles.get(link)
      if (before?.[2] === role) roles.set(link, [other, node, role, true])
      else if (!before || EDGE_ROLES.indexOf(role) > EDGE_ROLES.indexOf(before[2]))
        roles.set(link, [node, other, role, false])
    }
  return roles
}

/** Whether a link belongs to the tree that is built. */
export function isOfTree(role: EdgeRole): boolean {
  return role === 'tree' || role === 'core'
}

/** Draws the links of the tree, the core, directed ones, and those that were rejected. */
export function paintRoles(
  pen: Pen,
  given: Iterable<RoleOfLink>,
  { x, y, radius, scale }: Geometry,
  colours: PageTheme,
): void {
  const roles = [...given]
  for (const role of EDGE_ROLES) {
    const links = roles.filter(([, , has]) => has === role)
    if (links.length === 0) continue
    pen.beginGroup?.(role)
    for (const [a, b, , both] of links) {
      const ends = [x[a], y[a], x[b], y[b]] as const
      if (role !== 'out') paintRole(pen, role, ends, scale, colours)
      else {
        const line = betweenRims(ends, radius)
        paintRole(pen, role, line, scale, colours)
        // Each end takes the link for its own until a message on the way has arrived.
        if (both) paintHead(pen, reversed(line), HEAD * scale)
      }
    }
    pen.endGroup?.()
  }
}

type Line = readonly [x1: number, y1: number, x2: number, y2: number]

function reversed([x1, y1, x2, y2]: Line): Line {
  return [x2, y2, x1, y1]
}

/** The part of a line between two nodes that neither covers. */
function betweenRims([x1, y1, x2, y2]: Line, radius: number): Line {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1
  const [near, far] = [(radius + 2) / length, (length - radius - 3) / length]
  const at = (share: number) => [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share] as const
  return [...at(near), ...at(far)]
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
      if (!isOfTree(role)) continue
      pen.moveTo(x[node], y[node])
      pen.lineTo(x[other], y[other])
    }
  pen.stroke()
}

export function paintRole(
  pen: Pen,
  role: EdgeRole,
  ends: Line,
  scale: number,
  colours: PageTheme,
): void {
  if (role === 'out') {
    paintArrowLine(pen, ends, scale, colours.edge)
    return
  }
  const [x1, y1, x2, y2] = ends
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
    const line = betweenRims([x[node], y[node], x[to], y[to]], radius)
    paintArrowLine(pen, line, scale, colours.ink)
  }
  pen.endGroup?.()
}

/** The length of the head of an arrow. */
const HEAD = 11

/** A line with a head at its end. */
export function paintArrowLine(pen: Pen, line: Line, scale: number, colour: string): void {
  const [x1, y1, x2, y2] = line
  const length = Math.hypot(x2 - x1, y2 - y1) || 1
  const share = 1 - (HEAD * scale) / length
  pen.strokeStyle = colour
  pen.fillStyle = colour
  pen.lineWidth = 2 * scale
  pen.setLineDash([])
  pen.beginPath()
  pen.moveTo(x1, y1)
  pen.lineTo(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share)
  pen.stroke()
  paintHead(pen, line, HEAD * scale)
}

function paintHead(pen: Pen, [x1, y1, x2, y2]: Line, head: number): void {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length]
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
