import type { Pen } from '../../../src/diagram/pen.ts'
import { STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { PageTheme } from '../view/theme.ts'
import { along, type Geometry } from './geometry.ts'
import type { LabelSpot, Labels } from './labels.ts'
import type { FlyingMessages } from './messages-in-flight.ts'
import { LEADING } from './nodes.ts'

const LEADER = STATUSES.indexOf('leader')
/** The largest numbers of messages with labels: with content, and with a type only. */
const LABELLED = 24
const LABELLED_BARE = 8
/** More messages, or messages between small nodes, are drawn as dots. */
const ARROWED = 400
const SMALL = 6

/** Paints the messages in flight at a time, and records where they are. */
export function paintMessages(
  pen: Pen,
  frame: RunFrame,
  geometry: Geometry,
  colours: PageTheme,
  time: number,
  hovered: number | null,
  flying: FlyingMessages,
  labels: Labels,
): void {
  const { open } = frame
  flying.clear()
  if (open.size > ARROWED || (geometry.radius < SMALL && open.size > LABELLED))
    paintDots(pen, frame, geometry, colours, time, flying)
  else paintArrows(pen, frame, geometry, colours, time, hovered, flying, labels)
}

function paintArrows(
  pen: Pen,
  frame: RunFrame,
  geometry: Geometry,
  colours: PageTheme,
  time: number,
  hovered: number | null,
  flying: FlyingMessages,
  labels: Labels,
): void {
  const { log, open } = frame
  for (const flight of open) {
    const sending = log.sending.at(flight)
    const [from, to] = [log.node.at(sending), log.peer.at(sending)]
    const [first, length] = betweenRims(geometry, frame, from, to)
    const share = first + length * progress(log.departure(flight), log.arrival(flight), time)
    const { x, y } = along(geometry, from, to, share)
    const ahead = along(geometry, from, to, share + 0.02)
    flying.add(flight, x, y)
    pen.fillStyle = colours.types[log.type.at(sending) % colours.types.length]
    arrow(
      pen,
      x,
      y,
      Math.atan2(ahead.y - y, ahead.x - x),
      (flight === hovered ? 11 : 8) * geometry.scale,
    )
  }
  if (open.size > LABELLED) return
  for (let i = 0; i < flying.count; i++) {
    const place = { x: flying.x.at(i), y: flying.y.at(i) }
    label(pen, frame, geometry, flying.flight.at(i), place, colours, labels)
  }
}

/** One path for each type; nothing is allocated for a frame. */
function paintDots(
  pen: Pen,
  { log, open }: RunFrame,
  { x, y, radius }: Geometry,
  colours: PageTheme,
  time: number,
  flying: FlyingMessages,
): void {
  // On the right side of the link, where no node hides them.
  const aside = log.world.kind === 'ring' ? radius + 4 : 0
  const { messageTypes } = log.world
  for (let type = 0; type < messageTypes; type++) {
    pen.fillStyle = colours.types[type % colours.types.length]
    pen.beginPath()
    for (const flight of open) {
      const sending = log.sending.at(flight)
      if (log.type.at(sending) !== type) continue
      const from = log.node.at(sending)
      const to = log.peer.at(sending)
      const share = progress(log.departure(flight), log.arrival(flight), time)
      const dx = x[to] - x[from]
      const dy = y[to] - y[from]
      const off = aside === 0 ? 0 : aside / (Math.hypot(dx, dy) || 1)
      const left = x[from] + dx * share - dy * off
      const top = y[from] + dy * share + dx * off
      flying.add(flight, left, top)
      pen.rect(left - 1.5, top - 1.5, 3, 3)
    }
    pen.fill()
  }
}

/** The visible part of the way: a message inside a node would hide its label. */
function betweenRims(
  { x, y, radius }: Geometry,
  { status }: RunFrame,
  from: number,
  to: number,
): [number, number] {
  const length = Math.max(1, Math.hypot(x[to] - x[from], y[to] - y[from]))
  const inside = (node: number) =>
    Math.min(0.35, (radius * (status[node] === LEADER ? LEADING : 1) + 6) / length)
  return [inside(from), 1 - inside(from) - inside(to)]
}

function progress(begun: number, ends: number, time: number): number {
  // A message that never arrives stays on its way.
  if (!Number.isFinite(ends)) return 0.5
  return ends > begun ? Math.min(1, Math.max(0, (time - begun) / (ends - begun))) : 1
}

function arrow(pen: Pen, x: number, y: number, angle: number, size: number): void {
  pen.save()
  pen.translate(x, y)
  pen.rotate(angle)
  pen.beginPath()
  pen.moveTo(size, 0)
  pen.lineTo(-size * 0.7, size * 0.65)
  pen.lineTo(-size * 0.35, 0)
  pen.lineTo(-size * 0.7, -size * 0.65)
  pen.closePath()
  pen.fill()
  pen.restore()
}

/** The label of a message next to its way, preferably away from the middle. */
function label(
  pen: Pen,
  { log, open }: RunFrame,
  { x, y, width, height, scale }: Geometry,
  flight: number,
  at: LabelSpot,
  colours: PageTheme,
  labels: Labels,
): void {
  const { type, body, node, peer } = log.event(log.sending.at(flight))
  const text = messageText(type, body)
  if (text === type && open.size > LABELLED_BARE) return
  const length = Math.hypot(x[peer] - x[node], y[peer] - y[node]) || 1
  let [across, down] = [(y[node] - y[peer]) / length, (x[peer] - x[node]) / length]
  if (across * (at.x - width / 2) + down * (at.y - height / 2) < 0)
    [across, down] = [-across, -down]
  pen.font = `${labels.size}px system-ui`
  const half = pen.measureText(text).width / 2 + 3
  const aside = (far: number) => ({
    x: at.x + across * (half + Math.abs(far) * 10 * scale) * Math.sign(far),
    y: at.y + down * far * 16 * scale,
  })
  const above = { x: at.x, y: at.y - 18 * scale }
  const below = { x: at.x, y: at.y + 18 * scale }
  const spots = [aside(1), aside(-1), above, below, aside(2), aside(-2), aside(3)]
  labels.write(pen, text, spots, colours.ink, colours.paper)
}

const LONGEST = 28

/** A short text of a message: its type and its content. */
export function messageText(type: string, body: string): string {
  const content = body === '' ? [] : Object.entries(JSON.parse(body) as Record<string, unknown>)
  const values = content.map(([name, value]) =>
    content.length === 1 ? show(value) : `${name} ${show(value)}`,
  )
  const text = [type, values.join(', ')].filter((part) => part !== '').join(' ')
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

function show(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
