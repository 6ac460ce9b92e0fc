import type { PageCounterexample } from '../engine/checker/protocol.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** The picture: its size, the circle of the nodes, and the room for the state of a node. */
const [WIDTH, HEIGHT] = [730, 580]
export const RADIUS = 128
export const NODE = 27
export const CARD = { width: 184, wide: 300, height: 118 }
export const CENTRE: Point = { x: WIDTH / 2, y: HEIGHT / 2 }

/** The part of the picture that so many nodes need: two have their states above and below. */
export function viewBoxOf(n: number): string {
  const width = n <= 2 ? 440 : WIDTH
  return `${(WIDTH - width) / 2} 0 ${width} ${HEIGHT}`
}

/** The node that acts is at the top; left is clockwise, as on the stage. */
export function angleOf(position: number, n: number): number {
  return (2 * Math.PI * position) / n - Math.PI / 2
}

export function pointAt(angle: number, radius = RADIUS): Point {
  return { x: CENTRE.x + radius * Math.cos(angle), y: CENTRE.y + radius * Math.sin(angle) }
}

interface Card extends Point {
  readonly width: number
  readonly side: 'left' | 'right' | 'middle'
}

/** Where the state of a node is written: away from the ring. */
export function cardOf(angle: number): Card {
  const { x, y } = pointAt(angle, RADIUS + NODE + 14)
  const [across, down] = [Math.cos(angle), Math.sin(angle)]
  if (Math.abs(across) < 0.3)
    return {
      x: x - CARD.wide / 2,
      width: CARD.wide,
      side: 'middle',
      y: down < 0 ? y - CARD.height : y,
    }
  return {
    x: across > 0 ? x : x - CARD.width,
    width: CARD.width,
    side: across > 0 ? 'right' : 'left',
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
  const linkOf = ({ sender, to, going }: Message) => `${sender} ${to} ${going}`
  return messages.map((message, i) => {
    const shared = messages.filter((other) => linkOf(other) === linkOf(message))
    const before = messages.slice(0, i).filter((other) => linkOf(other) === linkOf(message))
    const place = { number: before.length, of: shared.length }
    return topology === 'ring' ? onRing(message, place, n) : onLine(message, place, n)
  })
}

/** Which of the messages on a link it is. */
interface PlaceOnLink {
  readonly number: number
  readonly of: number
}

/** How far messages on the same link are apart, so that words do not overlap. */
const APART = 40

function apart({ number, of }: PlaceOnLink): number {
  return (number - (of - 1) / 2) * APART
}

function onRing(message: Message, place: PlaceOnLink, n: number): PlacedMessage {
  const arrival = angleOf(message.to ?? 0, n)
  if (message.going === null) {
    // The link is not decided: inside the ring, on the way to the receiver.
    const at = pointAt(arrival, RADIUS * 0.45)
    return { message, at: { ...at, y: at.y + apart(place) }, towards: pointAt(arrival) }
  }
  const way = (message.going === 'left' ? -1 : 1) * ((2 * Math.PI) / n)
  // The first is ahead of the others.
  const left = (place.number + 1) / (place.of + 1)
  const at = pointAt(arrival + way * left, RADIUS + apart(place) / 4)
  return { message, at, towards: pointAt(arrival + way * left * 0.6) }
}

function onLine(message: Message, place: PlaceOnLink, n: number): PlacedMessage {
  const from = pointAt(angleOf(message.sender ?? 0, n))
  if (message.to === null) {
    const at = pointAt(angleOf(message.sender ?? 0, n), RADIUS * 0.5)
    return { message, at: { ...at, y: at.y + apart(place) }, towards: CENTRE }
  }
  const to = pointAt(angleOf(message.to, n))
  const at = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + apart(place) }
  return { message, at, towards: to }
}
