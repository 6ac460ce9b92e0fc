import type { PageCounterexample } from '../engine/checker/protocol.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** The picture: its size, the circle of the nodes, and the room for the state of a node. */
export const [WIDTH, HEIGHT] = [720, 570]
export const RADIUS = 128
export const NODE = 27
export const CARD = { width: 184, height: 118 }
const CENTRE: Point = { x: WIDTH / 2, y: HEIGHT / 2 }

/** The node that acts is at the top; left is clockwise, as on the stage. */
export function angleOf(position: number, n: number): number {
  return (2 * Math.PI * position) / n - Math.PI / 2
}

export function pointAt(angle: number, radius = RADIUS): Point {
  return { x: CENTRE.x + radius * Math.cos(angle), y: CENTRE.y + radius * Math.sin(angle) }
}

/** Where the state of a node is written: away from the ring. */
export function cardOf(angle: number): Point & { readonly side: 'left' | 'right' | 'middle' } {
  const { x, y } = pointAt(angle, RADIUS + NODE + 8)
  const [across, down] = [Math.cos(angle), Math.sin(angle)]
  if (Math.abs(across) < 0.3)
    return {
      ...{ x: x - CARD.width / 2, side: 'middle' },
      y: down < 0 ? y - CARD.height : y,
    }
  return {
    ...{ x: across > 0 ? x : x - CARD.width, side: across > 0 ? 'right' : 'left' },
    y: y - CARD.height / 2 + (down * CARD.height) / 4,
  }
}

/** The way from one position to another going left, as a path on a circle. */
export function arcPath(from: number, to: number, n: number, radius: number): string {
  const whole = from === to
  // A circle is no arc: a way all round ends shortly before its beginning.
  const end = angleOf(whole ? from + n - 0.02 : to, n)
  const steps = (to - from + n) % n || n
  const [start, stop] = [pointAt(angleOf(from, n), radius), pointAt(end, radius)]
  const large = steps > n / 2 ? 1 : 0
  return `M${start.x} ${start.y} A${radius} ${radius} 0 ${large} 1 ${stop.x} ${stop.y}`
}

type Message = PageCounterexample['messages'][number]

/** A message in the picture: its place, and the point to which it travels. */
export interface PlacedMessage {
  readonly message: Message
  readonly at: Point
  readonly towards: Point
}

/** Messages half-way on their links, beside each other where several share one. */
export function placed(
  messages: readonly Message[],
  { topology, nodes: { length: n } }: PageCounterexample,
): PlacedMessage[] {
  const there = new Map<string, number>()
  return messages.map((message) => {
    const key = `${message.sender} ${message.to} ${message.going}`
    const others = there.get(key) ?? 0
    there.set(key, others + 1)
    return topology === 'ring' ? onRing(message, others, n) : onLine(message, others, n)
  })
}

/** Apart from each other, so that words do not overlap. */
const APART = 30

function onRing(message: Message, others: number, n: number): PlacedMessage {
  const arrival = angleOf(message.to ?? 0, n)
  if (message.going === null) {
    // The link is not decided: inside the ring, on the way to the receiver.
    const at = pointAt(arrival, RADIUS * 0.45)
    return { message, at: { ...at, y: at.y + others * APART }, towards: pointAt(arrival) }
  }
  const half = (message.going === 'left' ? -1 : 1) * (Math.PI / n)
  const at = pointAt(arrival + half)
  const towards = pointAt(arrival + half * 0.5)
  return { message, at: { ...at, y: at.y + others * APART }, towards }
}

function onLine(message: Message, others: number, n: number): PlacedMessage {
  const from = pointAt(angleOf(message.sender ?? 0, n))
  if (message.to === null) {
    const at = pointAt(angleOf(message.sender ?? 0, n), RADIUS * 0.5)
    return { message, at: { ...at, y: at.y + others * APART }, towards: CENTRE }
  }
  const to = pointAt(angleOf(message.to, n))
  const at = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + others * APART }
  return { message, at, towards: to }
}
