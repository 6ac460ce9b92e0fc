import { EDGE_ROLES, type EdgeRole, type NodeDisplay } from '../../core/language/display.ts'
import type { DisplayFacts } from '../../core/trace/node-display.ts'
import { COLOURS, INK, PAPER } from '../palette.ts'
import { element, px, textWidth, words } from '../svg.ts'
import { DIRECTED, type NodePoint, SMALL_TEXT_SIZE, TEXT_RADIUS_MIN } from './link-marks.ts'

/* What a definition says about its nodes: groups, badges, arrows and remaining times. */

type Displays = readonly (NodeDisplay | null | undefined)[]

/** The roles of links, by the positions of their ends, the smaller one first. */
export type LinkRoles = ReadonlyMap<string, EdgeRole>

/** Of two ends that see a link differently, the one with the stronger role is right. */
export function linkRoles(
  displays: Displays,
  tree: readonly (readonly [number, number])[] = [],
): LinkRoles {
  const roles = new Map<string, EdgeRole>(tree.map(([a, b]) => [`${a}-${b}`, 'tree']))
  for (const [node, display] of displays.entries())
    for (const [other, role] of display?.edges ?? []) {
      const link = keyOf(node, other)
      const known = roles.get(link)
      if (known === undefined || EDGE_ROLES.indexOf(role) > EDGE_ROLES.indexOf(known))
        roles.set(link, role)
    }
  return roles
}

/** Without the second blue, which a soft band would not tell from the first. */
const GROUPS = COLOURS.filter((_, i) => i !== 5)

/** A colour for each group of more than one node. */
function groupColours(displays: Displays): ReadonlyMap<string, string> {
  const sizes = new Map<string, number>()
  for (const display of displays)
    if (display?.group !== undefined) sizes.set(display.group, (sizes.get(display.group) ?? 0) + 1)
  const groups = [...sizes.keys()].filter((group) => sizes.get(group)! > 1)
  return new Map(groups.map((group, i) => [group, GROUPS[i % GROUPS.length]]))
}

/** Soft bands behind the nodes of a group and the links of its tree. */
export function groupElements(
  displays: Displays,
  roles: LinkRoles,
  points: readonly NodePoint[],
  radius: number,
): string[] {
  const colours = groupColours(displays)
  const colourOf = (node: number) => colours.get(displays[node]?.group ?? '')
  const spots = points.flatMap(({ x, y }, node) => {
    const fill = colourOf(node)
    return fill ? [element('circle', { cx: x, cy: y, r: radius * 1.6, fill })] : []
  })
  const bands = [...roles].flatMap(([link, role]) => {
    const [a, b] = link.split('-').map(Number)
    const stroke = colourOf(a)
    if (role === 'rejected' || role === 'out' || !stroke || stroke !== colourOf(b)) return []
    return [lineElement(points[a], points[b], { stroke, 'stroke-width': radius * 1.6 })]
  })
  const opacity = { opacity: 0.16, 'stroke-linecap': 'round' }
  return spots.length === 0 ? [] : [element('g', opacity, ...bands, ...spots)]
}

function lineElement(a: NodePoint, b: NodePoint, style: Readonly<Record<string, string | number>>) {
  return element('path', { d: `M${px(a.x)} ${px(a.y)}L${px(b.x)} ${px(b.y)}`, ...style })
}

/** Arrows from nodes to the neighbours that they point to. */
export function pointerElements(
  displays: Displays,
  points: readonly NodePoint[],
  radius: number,
): string[] {
  return displays.flatMap((display, node) => {
    const to = display?.pointer
    return to === undefined || to === node
      ? []
      : [arrowElement(points[node], points[to], radius, INK)]
  })
}

/** Arrows along the links that nodes direct away from themselves. */
export function directionElements(
  displays: Displays,
  roles: LinkRoles,
  points: readonly NodePoint[],
  radius: number,
): string[] {
  return displays.flatMap((display, node) =>
    (display?.edges ?? []).flatMap(([other, role]) =>
      role === 'out' && roles.get(keyOf(node, other)) === 'out'
        ? [arrowElement(points[node], points[other], radius, DIRECTED)]
        : [],
    ),
  )
}

function keyOf(a: number, b: number): string {
  return `${Math.min(a, b)}-${Math.max(a, b)}`
}

/** From rim to rim, with its head at the end. */
function arrowElement(a: NodePoint, b: NodePoint, radius: number, colour: string): string {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length]
  const at = (along: number, aside: number) =>
    `${px(a.x + ux * along - uy * aside)} ${px(a.y + uy * along + ux * aside)}`
  const [from, to] = [radius * 1.05, length - radius * 1.15]
  const head = Math.min(11, Math.max(5, radius * 0.6))
  return element('path', {
    d: `M${at(from, 0)}L${at(to - head, 0)}M${at(to, 0)}L${at(to - head, head / 2)}L${at(to - head, -head / 2)}Z`,
    stroke: colour,
    'stroke-width': 1.6,
    fill: colour,
  })
}

/** The badge of a node, and what is left of its countdown at this time. */
export function nodeMarks(
  { badge, countdown }: NodeDisplay,
  { x, y }: NodePoint,
  radius: number,
  now: number,
  centre: NodePoint | null,
): string[] {
  const marks: string[] = []
  if (countdown !== undefined) marks.push(ringElement(countdown, { x, y }, radius * 1.3, now))
  if (badge !== undefined && radius >= TEXT_RADIUS_MIN)
    marks.push(badgeElement(badge, { x, y }, radius, centre))
  return marks
}

/** On a circle outside of it, where no arrows arrive; else above the node, to the right. */
function badgeElement(
  text: string,
  { x, y }: NodePoint,
  radius: number,
  centre: NodePoint | null,
): string {
  const size = SMALL_TEXT_SIZE - 2
  const width = Math.max(size * 1.5, textWidth(text, size, true) + 6)
  const [dx, dy] = centre === null ? [1, -1] : [x - centre.x, y - centre.y]
  const reach = (radius * 1.25) / (Math.hypot(dx, dy) || 1)
  const left = x + dx * reach - width * (dx < -radius ? 0.75 : dx > radius ? 0.25 : 0.5)
  const middle = y + dy * reach
  return [
    element('rect', {
      x: left,
      y: middle - size * 0.75,
      width,
      height: size * 1.5,
      rx: size * 0.75,
      fill: INK,
      stroke: PAPER,
      'stroke-width': 1.5,
    }),
    words(
      text,
      { x: left + width / 2, y: middle + size * 0.36 },
      { size, fill: PAPER, bold: true, anchor: 'middle' },
    ),
  ].join('')
}

function ringElement(
  [from, until]: readonly [number, number],
  { x, y }: NodePoint,
  reach: number,
  now: number,
): string {
  const share = until > from ? Math.min(1, Math.max(0, (until - now) / (until - from))) : 0
  const style = { fill: 'none', stroke: COLOURS[1], 'stroke-width': 3 }
  if (share === 0) return ''
  if (share > 0.999) return element('circle', { cx: x, cy: y, r: reach, ...style })
  const angle = 2 * Math.PI * share
  const end = { x: x + reach * Math.sin(angle), y: y - reach * Math.cos(angle) }
  return element('path', {
    d: `M${px(x)} ${px(y - reach)}A${px(reach)} ${px(reach)} 0 ${share > 0.5 ? 1 : 0} 1 ${px(end.x)} ${px(end.y)}`,
    ...style,
  })
}

/** What the marks in a picture mean, in words. */
export function displayLegend(facts: DisplayFacts, displays: Displays): string[] {
  const has = (part: keyof NodeDisplay) => displays.some((display) => display?.[part] !== undefined)
  return [
    ...(facts.group && groupColours(displays).size > 0 ? [`same colour: same ${facts.group}`] : []),
    ...(facts.badge && has('badge') ? [`badge: ${facts.badge}`] : []),
    ...(facts.pointer && has('pointer') ? [`arrow: ${facts.pointer}`] : []),
    ...(facts.countdown && has('countdown') ? [`ring: ${facts.countdown}`] : []),
  ]
}
