import type { Frame } from '../engine/frame.ts'
import type { Theme } from '../view/theme.ts'
import { along, type Geometry } from './geometry.ts'
import type { Pen } from './pen.ts'

/** Up to so many messages in flight are labelled. */
const LABELLED = 24
/** More are drawn as dots alone. */
const ARROWED = 400

/** Where a message is that is under way, and how it is labelled. */
export interface Flying {
  readonly flight: number
  readonly x: number
  readonly y: number
}

/** Draws what is in flight at a time, and tells where. */
export function paintMessages(
  context: Pen,
  frame: Frame,
  geometry: Geometry,
  colours: Theme,
  time: number,
  hovered: number | null,
): Flying[] {
  const { log, open } = frame
  const flying: Flying[] = []
  const plain = open.size > ARROWED
  for (const flight of open) {
    const sending = log.sending.at(flight)
    const [from, to] = [log.node.at(sending), log.peer.at(sending)]
    const share = progress(log.departure(flight), log.arrival(flight), time)
    const [first, length] = betweenRims(geometry, from, to)
    const { x, y } = along(geometry, from, to, first + length * share)
    flying.push({ flight, x, y })
    context.fillStyle = colours.types[log.type.at(sending) % colours.types.length]
    if (plain) context.fillRect(x - 1.5, y - 1.5, 3, 3)
    else {
      const ahead = along(geometry, from, to, first + length * share + 0.02)
      arrow(context, x, y, Math.atan2(ahead.y - y, ahead.x - x), flight === hovered ? 11 : 8)
    }
  }
  if (open.size <= LABELLED) for (const one of flying) label(context, frame, one, colours)
  return flying
}

/** The part of the way that is seen: a message inside a node would hide its name. */
function betweenRims({ x, y, radius }: Geometry, from: number, to: number): [number, number] {
  const length = Math.hypot(x(to) - x(from), y(to) - y(from))
  const inside = Math.min(0.35, (radius + 6) / Math.max(length, 1))
  return [inside, 1 - 2 * inside]
}

function progress(begun: number, ends: number, time: number): number {
  // What never arrives hangs on the way.
  if (!Number.isFinite(ends)) return 0.5
  return ends > begun ? Math.min(1, Math.max(0, (time - begun) / (ends - begun))) : 1
}

function arrow(context: Pen, x: number, y: number, angle: number, size: number): void {
  context.save()
  context.translate(x, y)
  context.rotate(angle)
  context.beginPath()
  context.moveTo(size, 0)
  context.lineTo(-size * 0.7, size * 0.65)
  context.lineTo(-size * 0.35, 0)
  context.lineTo(-size * 0.7, -size * 0.65)
  context.closePath()
  context.fill()
  context.restore()
}

function label(context: Pen, { log }: Frame, { flight, x, y }: Flying, colours: Theme) {
  const { type, body } = log.event(log.sending.at(flight))
  const text = messageText(type, body)
  context.font = '11px system-ui'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const width = context.measureText(text).width + 6
  context.globalAlpha = 0.85
  context.fillStyle = colours.paper
  context.fillRect(x - width / 2, y - 23, width, 14)
  context.globalAlpha = 1
  context.fillStyle = colours.ink
  context.fillText(text, x, y - 16)
}

const LONGEST = 28

/** A message in few words: its type and what it carries. */
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
