import type { Pen } from '../../../src/diagram/pen.ts'
import { circle, cross } from '../../../src/diagram/shapes.ts'
import { integerColumn, realColumn } from '../recording/columns.ts'
import { numberOf, STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { PageTheme } from '../view/theme.ts'
import { paintMessagePixels } from './dense/raster.ts'
import { along, type Geometry } from './geometry.ts'
import type { LabelSpot, Labels } from './labels.ts'
import { messageCaption } from './message-text.ts'
import { type FlightPicture, flightPicture, lostFlights, receiptOf } from './motion.ts'
import { LEADER_SCALE } from './nodes.ts'
import type { StageScene } from './scene.ts'

const LEADER = STATUSES.indexOf('leader')
const RECEIVE = numberOf('receive')
const DOUBLE = numberOf('double')
const MEET = numberOf('meet')
/** The largest numbers of messages with labels: in full, with the decisive field, with a type. */
const LABELLED_FULL = 10
const LABELLED_MAX = 30
const LABELLED_BARE = 8
/** More messages, or messages between small nodes, are drawn as dots. */
const ARROWS_MAX = 400
const ARROW_RADIUS_MIN = 6
const PIXELS = 2500
/** In larger networks messages have no labels: to find room for one takes long. */
const LABELLED_NODES = 1000
/** How long a message is seen that a node takes in. */
const TAKEN_IN = 0.4
/** How far a message that is taken in goes from the rim to the middle: not over the id. */
const INWARD_SHARE_MAX = 0.35
/** How long a meeting is seen. */
const SEEN_MEETING = 1
/** A message that has just been sent stands clear of its sender. */
const CLEAR = 0.07

/** Paints the messages in flight at a time, and records where they are. */
export function paintMessages(
  pen: Pen,
  scene: StageScene,
  colours: PageTheme,
  flying: FlyingMessages,
  labels: Labels,
): void {
  const { frame, geometry } = scene
  const { open } = frame
  flying.clear()
  if (open.size > PIXELS && 'drawImage' in pen) {
    paintMessagePixels(pen as CanvasRenderingContext2D, scene, colours)
    return
  }
  if (open.size > ARROWS_MAX || (geometry.radius < ARROW_RADIUS_MIN && open.size > LABELLED_MAX)) {
    paintDots(pen, scene, colours, flying)
    paintLostDots(pen, scene, colours)
    return
  }
  const lost = lostFlights(scene.frame.log, scene.recent)
  for (const flight of lost) paintFlight(pen, scene, flight, colours, flying)
  for (const flight of open) paintFlight(pen, scene, flight, colours, flying)
  paintTakenIn(pen, scene, colours)
  if (flying.count > LABELLED_MAX || frame.log.world.n > LABELLED_NODES)
    labels.leaveOut(flying.count)
  else
    for (let i = 0; i < flying.count; i++) {
      const place = { x: flying.x.at(i), y: flying.y.at(i) }
      label(pen, scene, flying.flight.at(i), flying.count, place, colours, labels)
    }
}

function paintFlight(
  pen: Pen,
  scene: StageScene,
  flight: number,
  colours: PageTheme,
  flying: FlyingMessages,
): void {
  const { frame, geometry, attention } = scene
  const { log } = frame
  const sending = log.sending.at(flight)
  const [from, to] = [log.node.at(sending), log.peer.at(sending)]
  // A message in flight moves with the clock and has no end yet, even if it is due in this moment.
  const picture = frame.open.has(flight)
    ? { ...flightPicture(log, flight, scene.time), cross: null }
    : flightPicture(log, flight, scene.motion)
  const colour = colours.types[log.type.at(sending) % colours.types.length]
  const way = wayBetween(geometry, frame, from, to)
  const share = way.at(Math.max(CLEAR, picture.share))
  const { x, y } = along(geometry, from, to, share)
  const ahead = along(geometry, from, to, share + 0.02)
  const angle = Math.atan2(ahead.y - y, ahead.x - x)
  const size = (flight === attention.hoveredFlight ? 11 : 8) * geometry.scale
  flying.add(flight, x, y)
  pen.globalAlpha = 0.4
  paintWay(pen, geometry, from, to, [way.at(0), share], colour, 2 * geometry.scale)
  pen.globalAlpha = 1
  if (picture.cross !== null) paintLoss(pen, scene, [from, to], picture, colours)
  if (flight === attention.chosenFlight) {
    pen.strokeStyle = colours.accent
    pen.lineWidth = 3
    circle(pen, x, y, size + 6)
    pen.stroke()
  }
  if (picture.cross === 1) return
  if (log.kind.at(sending) === DOUBLE) {
    // The second copy of a duplicated message: an outline beside it.
    pen.strokeStyle = colour
    pen.lineWidth = 1.5
    paintArrow(pen, x - 7 * Math.sin(angle), y + 7 * Math.cos(angle), angle, size)
    pen.stroke()
  }
  pen.fillStyle = colour
  paintArrow(pen, x, y, angle, size)
  pen.fill()
}

/** The rest of the way of a lost message, dashed, and the cross at which it ends. */
function paintLoss(
  pen: Pen,
  { frame, geometry }: StageScene,
  [from, to]: readonly [number, number],
  { cross: at }: FlightPicture,
  colours: PageTheme,
): void {
  const way = wayBetween(geometry, frame, from, to)
  const place = along(geometry, from, to, way.at(at!))
  pen.beginGroup?.('loss')
  pen.setLineDash([3, 5])
  paintWay(pen, geometry, from, to, [way.at(at!), way.at(1)], colours.danger, 1.5)
  pen.setLineDash([])
  cross(pen, place.x, place.y, 6 * geometry.scale, colours.danger, 3)
  pen.endGroup?.()
}

/** Messages that nodes have just received: they shrink into the node, or fade at its rim. */
function paintTakenIn(
  pen: Pen,
  { frame, geometry, recent, motion }: StageScene,
  colours: PageTheme,
) {
  const { log } = frame
  for (const { event, step } of recent) {
    const age = motion - log.at.at(event)
    const flight = log.flight.at(event)
    if (log.kind.at(event) !== RECEIVE || flight < 0 || age > TAKEN_IN) continue
    const sending = log.sending.at(flight)
    const [from, to] = [log.node.at(sending), log.peer.at(sending)]
    const part = age / TAKEN_IN
    const receipt = receiptOf(log, step)
    const rim = wayBetween(geometry, frame, from, to).at(1)
    const share = rim + (1 - rim) * Math.min(INWARD_SHARE_MAX, 1.6 * part)
    const { x, y } = along(geometry, from, to, share)
    const back = along(geometry, from, to, share - 0.02)
    pen.globalAlpha = 1 - part
    pen.fillStyle = colours.types[log.type.at(sending) % colours.types.length]
    const size = 8 * geometry.scale * (receipt === 'swallowed' ? 1 - 0.8 * part : 1)
    paintArrow(pen, x, y, Math.atan2(y - back.y, x - back.x), size)
    pen.fill()
    if (receipt !== 'swallowed') continue
    // A ring that closes around the node: nothing goes on from here.
    pen.strokeStyle = pen.fillStyle
    pen.lineWidth = 2
    circle(pen, geometry.x[to], geometry.y[to], geometry.radius * (1.5 - 0.6 * part))
    pen.stroke()
  }
  pen.globalAlpha = 1
}

/** Meetings of the last moments: the link, with an arrow to the node that responds. */
export function paintMeetings(
  pen: Pen,
  { frame, geometry, recent, time }: StageScene,
  colours: PageTheme,
): void {
  const { log } = frame
  for (const { event } of recent) {
    const age = Math.max(0, time - log.at.at(event))
    if (log.kind.at(event) !== MEET || age >= SEEN_MEETING) continue
    const [from, to] = [log.node.at(event), log.peer.at(event)]
    const way = wayBetween(geometry, frame, from, to)
    const tip = along(geometry, from, to, way.at(1))
    const back = along(geometry, from, to, way.at(1) - 0.02)
    pen.globalAlpha = 1 - age / SEEN_MEETING
    paintWay(pen, geometry, from, to, [way.at(0), way.at(1)], colours.accent, 4 * geometry.scale)
    pen.fillStyle = colours.accent
    paintArrow(pen, tip.x, tip.y, Math.atan2(tip.y - back.y, tip.x - back.x), 9 * geometry.scale)
    pen.fill()
  }
  pen.globalAlpha = 1
}

/** One path for each type; nothing is allocated for a frame. */
function paintDots(
  pen: Pen,
  { frame: { log, open }, geometry: { x, y, radius }, time }: StageScene,
  colours: PageTheme,
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
      const { share } = flightPicture(log, flight, time)
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

function paintLostDots(pen: Pen, scene: StageScene, colours: PageTheme): void {
  const { log } = scene.frame
  for (const flight of lostFlights(scene.frame.log, scene.recent)) {
    const sending = log.sending.at(flight)
    const { cross: at, share } = flightPicture(log, flight, scene.time)
    const [from, to] = [log.node.at(sending), log.peer.at(sending)]
    const { x, y } = along({ ...scene.geometry, bend: 0 }, from, to, at ?? share)
    cross(pen, x, y, 2.5, colours.danger, 1.5)
  }
}

/** The visible part of the way: a message inside a node would hide its label. */
function wayBetween({ x, y, radius }: Geometry, { status }: RunFrame, from: number, to: number) {
  const length = Math.max(1, Math.hypot(x[to] - x[from], y[to] - y[from]))
  const inside = (node: number) =>
    Math.min(0.35, (radius * (status[node] === LEADER ? LEADER_SCALE : 1) + 6) / length)
  const [first, last] = [inside(from), 1 - inside(to)]
  return { at: (share: number) => first + (last - first) * share }
}

/** A part of the way between two nodes as a line. */
function paintWay(
  pen: Pen,
  geometry: Geometry,
  from: number,
  to: number,
  [first, last]: readonly [number, number],
  colour: string,
  width: number,
): void {
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.beginPath()
  const pieces = geometry.bend === 0 && from !== to ? 1 : 6
  for (let piece = 0; piece <= pieces; piece++) {
    const { x, y } = along(geometry, from, to, first + ((last - first) * piece) / pieces)
    if (piece === 0) pen.moveTo(x, y)
    else pen.lineTo(x, y)
  }
  pen.stroke()
}

/** The outline of an arrow head. */
export function paintArrow(pen: Pen, x: number, y: number, angle: number, size: number): void {
  pen.save()
  pen.translate(x, y)
  pen.rotate(angle)
  pen.beginPath()
  pen.moveTo(size, 0)
  pen.lineTo(-size * 0.7, size * 0.65)
  pen.lineTo(-size * 0.35, 0)
  pen.lineTo(-size * 0.7, -size * 0.65)
  pen.closePath()
  pen.restore()
}

/** The label of a message next to its way, preferably away from the middle. */
function label(
  pen: Pen,
  { frame: { log }, geometry: { x, y, width, height, scale } }: StageScene,
  flight: number,
  count: number,
  at: LabelSpot,
  colours: PageTheme,
  labels: Labels,
): void {
  const { kind, type, body, node, peer } = log.event(log.sending.at(flight))
  // Its original has the same label.
  if (kind === 'double') return
  const text = messageCaption(type, body, log.world.display?.decides[type], count > LABELLED_FULL)
  if (text === type && count > LABELLED_BARE) return
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
  const spots = [1, -1].map(aside).concat(above, below, [2, -2, 3, -3, 4, -4].map(aside))
  const owner = { ...at, colour: colours.types[log.type.at(log.sending.at(flight)) % 8] }
  labels.write(pen, text, spots, colours.ink, colours.surface, owner)
}

/** How near the pointer must be to a message. */
const REACH = 14

/** Where messages were painted; the columns are reused in every frame. */
export class FlyingMessages {
  readonly flight = integerColumn()
  readonly x = realColumn()
  readonly y = realColumn()

  get count(): number {
    return this.flight.length
  }

  clear(): void {
    this.flight.length = 0
    this.x.length = 0
    this.y.length = 0
  }

  add(flight: number, x: number, y: number): void {
    this.flight.push(flight)
    this.x.push(x)
    this.y.push(y)
  }

  /** The message under a point, if there is one. */
  at(x: number, y: number): number | null {
    let [nearest, distance] = [-1, REACH * REACH]
    for (let i = 0; i < this.count; i++) {
      const gap = (this.x.at(i) - x) ** 2 + (this.y.at(i) - y) ** 2
      if (gap < distance) [nearest, distance] = [i, gap]
    }
    return nearest < 0 ? null : this.flight.at(nearest)
  }
}
