import { EDGE_ROLES, type EdgeRole } from '../../../src/core/language/display.ts'
import { type Pen, paintLine, paintText } from '../../../src/diagram/pen.ts'
import { cross, disc, halo } from '../../../src/diagram/shapes.ts'
import type { CycleEntry } from '../../../src/sim/index.ts'
import { type EventKind, KINDS, STATUS_WORDS, STATUSES } from '../recording/events.ts'
import type { RunLog } from '../recording/run-log.ts'
import type { PageTheme } from '../view/theme.ts'
import { type EstimateScale, estimateText, NO_ESTIMATE, placeOn, SHADES } from './estimates.ts'
import { paintArrowLine, paintRole, paintWeight } from './ideas/link-ideas.ts'
import { paintCountdown, paintTag, paintValue } from './ideas/node-ideas.ts'
import { paintArrow } from './messages.ts'
import { paintNode } from './nodes.ts'
import { MOST_DISPLAYED } from './scene.ts'

/** A sign of the stage, painted around a point, and what it means. */
export interface LegendSign {
  readonly name: string
  paint(pen: Pen, x: number, y: number, colours: PageTheme): void
}

/** Half of the width and of the height of a sign. */
export const SIGN = 10
const RADIUS = 6.5

interface Occurrences {
  events: number
  steps: number
  texts: number
  readonly kinds: Set<EventKind>
  readonly statuses: Set<(typeof STATUSES)[number]>
  readonly roles: Set<EdgeRole>
}

const known = new WeakMap<RunLog, Occurrences>()

/** Which kinds of events and which statuses occur in a run as far as it is known. */
function occurrencesIn(log: RunLog): Occurrences {
  const found = known.get(log) ?? {
    events: 0,
    steps: 0,
    texts: 0,
    kinds: new Set(),
    statuses: new Set(),
    roles: new Set(),
  }
  known.set(log, found)
  const [events, steps] = [new Set<number>(), new Set<number>()]
  for (; found.events < log.kind.length; found.events++) events.add(log.kind.at(found.events))
  for (; found.steps < log.steps; found.steps++) steps.add(log.status.at(found.steps))
  for (const kind of events) found.kinds.add(KINDS[kind])
  for (const status of steps) found.statuses.add(STATUSES[status])
  if (log.world.display?.edges)
    for (; found.texts < log.texts.length; found.texts++)
      for (const role of EDGE_ROLES)
        if (log.texts[found.texts].includes(`"${role}"]`)) found.roles.add(role)
  return found
}

/** All signs that a picture of a run may have; `cycles` are those of an aggregation. */
export function signsOf(log: RunLog, cycles: readonly CycleEntry[]): LegendSign[] {
  const { kinds, statuses, roles } = occurrencesIn(log)
  const { types, messageTypes } = log.world
  const elected = cycles.length === 0
  return [
    ...STATUSES.filter((status) => statuses.has(status) || (elected && status === 'unknown'))
      .filter((status) => elected || status === 'dead')
      .map(statusSign),
    ...(cycles.some(({ unknown }) => unknown > 0) ? [WITHOUT] : []),
    ...types.slice(0, messageTypes).map(messageSign),
    ...(kinds.has('meet') ? [MEETING] : []),
    ...(kinds.has('lose') || kinds.has('vanish') ? [LOST] : []),
    ...(kinds.has('double') ? [DUPLICATE] : []),
    ...(kinds.has('cut') ? [CUT] : []),
    ...ideaSigns(log, roles),
  ]
}

/** The rings around the node of the last step and around chosen nodes: not in files. */
export function ringSigns({ world }: RunLog): LegendSign[] {
  return world.unit === 'cycle' ? [CHOSEN] : [ACTING, CHOSEN]
}

/** The names that a definition gives to what it displays. */
function ideaSigns({ world }: RunLog, roles: ReadonlySet<EdgeRole>): LegendSign[] {
  const { group, badge, pointer, countdown, passive } = world.display ?? {}
  const seen = passive ? [PASSIVE] : []
  if (world.n > MOST_DISPLAYED) return roles.has('tree') ? [...seen, roleSign('tree')] : seen
  return [
    ...seen,
    ...(group === undefined ? [] : [{ ...GROUP, name: `same ${group}` }]),
    ...(badge === undefined ? [] : [{ ...BADGE, name: badge }]),
    ...EDGE_ROLES.filter((role) => roles.has(role)).map(roleSign),
    ...(world.weights === undefined ? [] : [WEIGHT]),
    ...(world.values === undefined ? [] : [VALUE]),
    ...(pointer === undefined ? [] : [{ ...POINTER, name: pointer }]),
    ...(countdown === undefined ? [] : [{ ...COUNTDOWN, name: `${countdown}, time left` }]),
  ]
}

function statusSign(status: (typeof STATUSES)[number]): LegendSign {
  return {
    name: STATUS_WORDS[status],
    paint(pen, x, y, colours) {
      paintNode(pen, status, x, y, status === 'leader' ? RADIUS * 0.8 : RADIUS, colours)
    },
  }
}

function messageSign(name: string, type: number): LegendSign {
  return {
    name,
    paint(pen, x, y, colours) {
      pen.fillStyle = colours.types[type % colours.types.length]
      paintArrow(pen, x, y, 0, 7)
      pen.fill()
    },
  }
}

const WITHOUT: LegendSign = {
  name: 'no estimate yet',
  paint: (pen, x, y, colours) => disc(pen, x, y, RADIUS, SHADES[NO_ESTIMATE], colours.edge),
}

const MEETING: LegendSign = {
  name: 'meets',
  paint(pen, x, y, colours) {
    paintLine(pen, [x - 9, y, x + 3, y], { colour: colours.accent, width: 3 })
    pen.fillStyle = colours.accent
    paintArrow(pen, x + 4, y, 0, 6)
    pen.fill()
  },
}

const LOST: LegendSign = {
  name: 'lost',
  paint(pen, x, y, colours) {
    paintLine(pen, [x - 9, y, x, y], { colour: colours.danger, width: 1.5 })
    paintLine(pen, [x, y, x + 9, y], { colour: colours.danger, width: 1.5, dash: [2, 3] })
    cross(pen, x, y, 4, colours.danger, 2.5)
  },
}

const DUPLICATE: LegendSign = {
  name: 'duplicate',
  paint(pen, x, y, colours) {
    pen.strokeStyle = colours.types[0]
    pen.lineWidth = 1.5
    paintArrow(pen, x, y + 4, 0, 6)
    pen.stroke()
    pen.fillStyle = colours.types[0]
    paintArrow(pen, x, y - 3, 0, 6)
    pen.fill()
  },
}

const CUT: LegendSign = {
  name: 'cut link',
  paint(pen, x, y, colours) {
    paintLine(pen, [x - 9, y, x + 9, y], { colour: colours.danger, width: 2, dash: [2, 4] })
    pen.setLineDash([])
  },
}

const ACTING: LegendSign = {
  name: 'acted last',
  paint: (pen, x, y, colours) => halo(pen, x, y, RADIUS, colours.acting),
}

const CHOSEN: LegendSign = {
  name: 'chosen',
  paint: (pen, x, y, colours) => halo(pen, x, y, RADIUS, colours.accent),
}

const PASSIVE: LegendSign = {
  name: 'passive',
  paint: (pen, x, y, colours) => paintNode(pen, 'passive', x, y, RADIUS, colours),
}

const GROUP: LegendSign = {
  name: 'group',
  paint(pen, x, y, colours) {
    disc(pen, x - 3, y, 7, colours.groups[0], colours.groups[0])
    disc(pen, x + 4, y, 5, colours.groups[0], colours.groups[0])
    disc(pen, x - 2, y, 3.5, colours.unknown, colours.edge)
  },
}

const BADGE: LegendSign = {
  name: 'badge',
  paint: (pen, x, y, colours) => paintTag(pen, '2', x, y, 11, colours),
}

const WEIGHT: LegendSign = {
  name: 'weight',
  paint(pen, x, y, colours) {
    paintLine(pen, [x - 9, y, x + 9, y], { colour: colours.line, width: 2 })
    paintWeight(pen, '5', x, y, 11, colours)
  },
}

const VALUE: LegendSign = {
  name: 'value that decides',
  paint: (pen, x, y, colours) => paintValue(pen, '5', x, y, 11, colours),
}

const POINTER: LegendSign = {
  name: 'pointer',
  paint: (pen, x, y, colours) => paintArrowLine(pen, [x - 9, y, x + 9, y], 0.8, colours.ink),
}

const COUNTDOWN: LegendSign = {
  name: 'countdown',
  paint: (pen, x, y, colours) => paintCountdown(pen, x, y, RADIUS, [0, 3], 1, colours),
}

const ROLE_WORDS = {
  tree: 'tree',
  core: 'core',
  out: 'direction of a link',
  rejected: 'rejected or pruned link',
} as const

function roleSign(role: EdgeRole): LegendSign {
  return {
    name: ROLE_WORDS[role],
    paint: (pen, x, y, c) => paintRole(pen, role, [x - 9, y, x + 9, y], 0.7, c),
  }
}

/** The size of the colour scale with its numbers. */
export const SCALE_SIZE = { width: 260, height: 30 } as const

/** The colours of estimates with the numbers at their ends, the truth at the start and now. */
export function paintScale(
  pen: Pen,
  scale: EstimateScale,
  now: number,
  left: number,
  top: number,
  colours: PageTheme,
): void {
  const [from, wide] = [left + 30, SCALE_SIZE.width - 60]
  const shades = SHADES.slice(0, -1)
  for (const [i, shade] of shades.entries()) {
    pen.fillStyle = shade
    pen.fillRect(from + (wide * i) / shades.length, top, wide / shades.length + 0.5, 10)
  }
  pen.strokeStyle = colours.edge
  pen.lineWidth = 1
  pen.setLineDash([])
  pen.beginPath()
  pen.rect(from, top, wide, 10)
  pen.stroke()
  const style = { size: 11, fill: colours.soft, align: 'center' } as const
  paintText(pen, estimateText(scale.low), from, top + 23, style)
  paintText(pen, estimateText(scale.high), from + wide, top + 23, style)
  const at = from + wide * placeOn(scale, now)
  paintLine(pen, [at, top - 2, at, top + 13], { colour: colours.ink, width: 2 })
  const bold = { ...style, fill: colours.ink, bold: true }
  const middle = Math.min(Math.max(at, from + 55), from + wide - 55)
  paintText(pen, `truth ${estimateText(now)}`, middle, top + 24, bold)
}
