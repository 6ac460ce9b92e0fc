import { valueText } from '../../core/trace/event-words.ts'
import { BLUSH, GREY, INK, ON_PAPER, PALE, PAPER } from '../palette.ts'
import { element, px, textLines, textWidth, words } from '../svg.ts'
import type { NodePoint } from './link-marks.ts'

type PartialState = Readonly<Record<string, unknown>>

interface DrawnMessage {
  readonly type: string
  readonly to: number
  /** On a complete network. */
  readonly sender?: number
  readonly going: 'left' | 'right' | null
  readonly body: PartialState
}

/** One step, of which only a part is decided; the node at position 0 takes it. */
export interface StepPicture {
  readonly title: string
  readonly subtitle: string
  /** A ring if left out. */
  readonly topology?: 'ring' | 'complete'
  /** On a ring, going left; a field that is left out may have any value. */
  readonly nodes: readonly PartialState[]
  readonly messages: readonly DrawnMessage[]
  readonly step: {
    readonly event: string
    readonly after: PartialState
    readonly sends: readonly DrawnMessage[]
  } | null
  /** The nodes and messages for which a clause fails after the step. */
  readonly broken: {
    readonly nodes: readonly number[]
    readonly messages: readonly ({ readonly inFlight: number } | { readonly sent: number })[]
  }
  /** The step in sentences, below the picture. */
  readonly text: readonly string[]
}

const FONTS = 'DejaVu Sans, Verdana, sans-serif'
const [WIDTH, MARGIN] = [960, 40]
const [TITLE, TEXT, SMALL] = [20, 14, 12]
/** The height of a line of a state. */
const LINE = SMALL * 1.25
const [RADIUS, NODE] = [118, 24]
/** Room around a node for its marks. */
const MARKS = 52
const ACTS = '#0067a8'

/** That a node has led is told like a message; it is nowhere in flight. */
function isPast({ type }: DrawnMessage): boolean {
  return type === 'led'
}

/** What is marked on one ring. */
interface RingMarks {
  readonly nodes: readonly number[]
  readonly messages: readonly DrawnMessage[]
}

/** One of the networks of a picture. */
interface DrawnNetwork {
  readonly caption: string
  readonly centre: NodePoint
  readonly nodes: readonly PartialState[]
  readonly messages: readonly DrawnMessage[]
  readonly marks: RingMarks
  /** The position of the node that takes the step; -1 if none does. */
  readonly acting: number
  /** Its state before the step. */
  readonly before?: PartialState
}

/** The ring before and after the step, as SVG; the same bytes for the same data. */
export function stepPicture(picture: StepPicture): string {
  const { nodes, step, topology = 'ring' } = picture
  const room = WIDTH - 2 * MARGIN
  const head = [
    ...textLines(picture.title, TITLE, room, true).map((text) => [text, TITLE, INK] as const),
    ...textLines(picture.subtitle, TEXT, room).map((text) => [text, TEXT, GREY] as const),
  ]
  let y = MARGIN / 2
  const titles = head.map(([text, size, fill]) => {
    y += size * 1.45
    return words(text, { x: MARGIN, y }, { size, fill, bold: size === TITLE })
  })
  // Room for the states of the nodes.
  const most = Math.max(...[...nodes, step?.after ?? {}].map((one) => Object.keys(one).length))
  const around = MARKS + Math.max(2, most) * LINE
  const centre = y + MARGIN / 2 + around + RADIUS
  const rings = networksOf(picture, centre).map((one) => networkElements(topology, one))
  let below = centre + RADIUS + around + MARGIN / 2
  const legend = legendElements(below, step !== null)
  below += TEXT
  const lines = picture.text.flatMap((text) => textLines(text, TEXT, room))
  const sentences = lines.map((text) => {
    below += TEXT * 1.5
    return words(text, { x: MARGIN, y: below }, { size: TEXT, fill: INK })
  })
  const height = Math.ceil(below + MARGIN / 2)
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      role: 'img',
      'aria-label': picture.title,
      'font-family': FONTS,
    },
    `\n${element('rect', { width: WIDTH, height, fill: PAPER })}`,
    ...[titles, ...rings, legend, sentences].map((parts) => `\n${parts.join('')}`),
    '\n',
  )}\n`
}

/** The network at the beginning, or before and after the step, at this height. */
function networksOf(
  { nodes, messages, step, broken }: StepPicture,
  y: number,
): readonly DrawnNetwork[] {
  const failing = broken.messages.flatMap((one) =>
    'inFlight' in one ? messages[one.inFlight] : (step?.sends[one.sent] ?? []),
  )
  const led = failing.filter(isPast).map(({ to }) => to)
  const marks: RingMarks = { nodes: [...broken.nodes, ...led], messages: failing }
  const inFlight = messages.filter((one) => !isPast(one))
  if (step === null) {
    const centre = { x: WIDTH / 2, y }
    return [{ caption: 'at the beginning', centre, nodes, messages: inFlight, marks, acting: -1 }]
  }
  const later = [...messages.slice(step.event === 'receive' ? 1 : 0), ...step.sends]
  return [
    {
      caption: 'before',
      centre: { x: WIDTH / 4, y },
      nodes,
      messages: inFlight,
      marks: { nodes: [], messages: [] },
      acting: 0,
    },
    {
      caption: 'after the step',
      centre: { x: (3 * WIDTH) / 4, y },
      nodes: [step.after, ...nodes.slice(1)],
      messages: later.filter((one) => !isPast(one)),
      marks,
      acting: 0,
      before: nodes[0],
    },
  ]
}

/** A network on a circle: its links, its nodes, their states and its messages. */
function networkElements(
  topology: 'ring' | 'complete',
  { caption, centre, nodes, messages, marks, acting, before }: DrawnNetwork,
): string[] {
  const n = nodes.length
  // Position 0 is at the top, and left is clockwise.
  const angleOf = (position: number) => (2 * Math.PI * position) / n - Math.PI / 2
  const at = (angle: number, radius = RADIUS): NodePoint => ({
    x: centre.x + radius * Math.cos(angle),
    y: centre.y + radius * Math.sin(angle),
  })
  const used = new Map<string, number>()
  return [
    words(caption, captionAt(centre), { size: TEXT, fill: GREY }),
    ...(topology === 'ring'
      ? [circleElement(centre)]
      : chordElements(nodes.map((_, node) => at(angleOf(node))))),
    ...nodes.flatMap((state, node) => {
      const fails = marks.nodes.includes(node)
      return nodeElements(state, node, at(angleOf(node)), { acts: node === acting, fails })
    }),
    ...nodes.flatMap((state, node) => {
      const angle = angleOf(node)
      const old = node === acting ? before : undefined
      return stateElements(state, node, at(angle, RADIUS + NODE + 12), angle, old)
    }),
    ...messages.flatMap((message) => {
      const fails = marks.messages.includes(message)
      const { to, sender = 0 } = message
      const going = message.going ?? 'left'
      const lane = topology === 'ring' ? `${to} ${going}` : `${to} ${sender}`
      const place = used.get(lane) ?? 0
      used.set(lane, place + 1)
      if (topology === 'complete')
        return chordMessage(message, at(angleOf(sender)), at(angleOf(to)), place, fails)
      // Half-way, and the next ones behind it.
      const back = (0.5 + 0.22 * place) * ((2 * Math.PI) / n)
      const angle = angleOf(to) + (going === 'left' ? -back : back)
      return arcMessage(message, at(angle), angle, fails)
    }),
  ]
}

/** At the corner, where neither states nor messages are. */
function captionAt({ x, y }: NodePoint): NodePoint {
  return { x: x - WIDTH / 4 + MARGIN, y: y - RADIUS - MARKS }
}

function nodeElements(
  { id, status }: PartialState,
  node: number,
  { x, y }: NodePoint,
  { acts, fails }: { acts: boolean; fails: boolean },
): string[] {
  const fill =
    status === undefined ? '#ececec' : status === 'leader' ? ON_PAPER.gold : ON_PAPER.paper
  const halo = (radius: number, stroke: string) =>
    element('circle', { cx: x, cy: y, r: radius, fill: 'none', stroke, 'stroke-width': 3 })
  return [
    ...(acts ? [halo(NODE + 5, ACTS)] : []),
    ...(fails ? [halo(NODE + (acts ? 10 : 5), ON_PAPER.danger)] : []),
    element('circle', {
      cx: x,
      cy: y,
      r: NODE,
      fill,
      stroke: status === undefined ? GREY : INK,
      'stroke-width': 1.6,
      'stroke-dasharray': status === 'asleep' ? '4 3' : undefined,
    }),
    words(
      id === undefined ? `p${node}` : `id ${valueText(id)}`,
      { x, y: y + SMALL * 0.36 },
      { size: SMALL, fill: id === undefined ? GREY : INK, bold: true, anchor: 'middle' },
    ),
  ]
}

/** The name of a node and what is decided of its state, outside of the ring. */
function stateElements(
  state: PartialState,
  node: number,
  { x, y }: NodePoint,
  angle: number,
  before: PartialState | undefined,
): string[] {
  const fields = Object.entries(state).filter(([name]) => name !== 'id')
  const across = Math.cos(angle)
  const anchor = across > 0.3 ? 'start' : across < -0.3 ? 'end' : 'middle'
  const lines = [`p${node}`, ...fields.map(([name, value]) => `${name} ${valueText(value)}`)]
  const high = lines.length * LINE
  const top = Math.sin(angle) < -0.3 ? y - high : Math.sin(angle) > 0.3 ? y + 8 : y - high / 2
  const others = fields.length === 0 ? ['any state'] : []
  return [...lines, ...others].map((text, i) => {
    const field = fields[i - 1]?.[0]
    const isNew = field !== undefined && before !== undefined && before[field] !== state[field]
    const fill = isNew ? ACTS : i === 0 || field !== undefined ? INK : GREY
    const place = { x: x + across * 8, y: top + (i + 0.8) * LINE }
    return words(text, place, { size: SMALL, fill, bold: i === 0 || isNew, anchor })
  })
}

/** The links of a ring. */
function circleElement({ x, y }: NodePoint): string {
  return element('circle', {
    cx: x,
    cy: y,
    r: RADIUS,
    fill: 'none',
    stroke: PALE,
    'stroke-width': 1.6,
  })
}

/** The links of a complete network. */
function chordElements(points: readonly NodePoint[]): string[] {
  return points.flatMap((a, i) =>
    points.slice(i + 1).map((b) =>
      element('path', {
        d: `M${px(a.x)} ${px(a.y)}L${px(b.x)} ${px(b.y)}`,
        stroke: PALE,
        'stroke-width': 1.6,
      }),
    ),
  )
}

/** A message on a ring; its label is inside, so that states have the outside. */
function arcMessage(
  message: DrawnMessage,
  { x, y }: NodePoint,
  angle: number,
  fails: boolean,
): string[] {
  const { going } = message
  const turn = going === null ? null : angle + (going === 'right' ? -1 : 1) * (Math.PI / 2)
  const inwards = 14 + textWidth(messageLabel(message), SMALL) / 2
  const place = { x: x - Math.cos(angle) * inwards, y: y - Math.sin(angle) * 20 }
  return messageElements(message, place, { x, y }, turn, fails)
}

/** A message on a complete network; several from one node to another are one behind the other. */
function chordMessage(
  message: DrawnMessage,
  from: NodePoint,
  to: NodePoint,
  place: number,
  fails: boolean,
): string[] {
  const along = (share: number): NodePoint => ({
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
  })
  const turn = Math.atan2(to.y - from.y, to.x - from.x)
  const share = Math.max(0.2, 0.5 - 0.15 * place)
  return messageElements(message, along(share), along(0.72), turn, fails)
}

function messageLabel({ type, body }: DrawnMessage): string {
  const fields = Object.entries(body).map(([name, value]) => `${name} ${valueText(value)}`)
  return fields.length === 0 ? type : `${type}(${fields.join(', ')})`
}

/** A message on its way: a label, and an arrow in its direction where that is decided. */
function messageElements(
  message: DrawnMessage,
  place: NodePoint,
  arrowAt: NodePoint,
  turn: number | null,
  fails: boolean,
): string[] {
  const text = messageLabel(message)
  const width = textWidth(text, SMALL) + 10
  const stroke = fails ? ON_PAPER.danger : turn === null ? GREY : INK
  const degrees = ((turn ?? 0) * 180) / Math.PI
  const arrow = {
    d: 'M-7 -6L7 0L-7 6Z',
    fill: stroke,
    transform: `translate(${px(arrowAt.x)} ${px(arrowAt.y)}) rotate(${px(degrees)})`,
  }
  const style = { size: SMALL, fill: INK, anchor: 'middle' } as const
  return [
    element('rect', {
      x: place.x - width / 2,
      y: place.y - SMALL,
      width,
      height: SMALL * 1.9,
      rx: 4,
      fill: fails ? BLUSH : PAPER,
      stroke,
      'stroke-width': fails ? 2 : 1,
    }),
    ...(turn === null ? [] : [element('path', arrow)]),
    words(text, { x: place.x, y: place.y + SMALL * 0.32 }, style),
  ]
}

/** What the marks mean. */
function legendElements(y: number, steps: boolean): string[] {
  const samples: readonly (readonly [string, string, string])[] = [
    ...(steps ? [['takes the step', ACTS, PAPER] as const] : []),
    ['for these the clause fails', ON_PAPER.danger, PAPER],
    ['may be anything', GREY, '#ececec'],
  ]
  let x = MARGIN
  return samples.map(([text, stroke, fill]) => {
    const circle = element('circle', {
      cx: x + 8,
      cy: y,
      r: 7,
      fill,
      stroke,
      'stroke-width': fill === PAPER ? 3 : 1.6,
    })
    const drawn = words(text, { x: x + 24, y: y + SMALL * 0.36 }, { size: SMALL, fill: INK })
    x += 24 + textWidth(text, SMALL) + 24
    return circle + drawn
  })
}
