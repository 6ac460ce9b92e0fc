import type { Pen } from '../pen/pen.ts'
import { KINDS } from '../recording/events.ts'
import type { RunLog } from '../recording/run-log.ts'
import type { PageTheme } from '../view/theme.ts'
import type { DiagramView, Lanes } from './lanes.ts'

/** More lines than this are thin ones: those are painted several times faster. */
const THICK = 400

/** How a line looks: what differs is painted by itself, all that is alike in one stroke. */
const [HAPPENED, COMING, UNRELATED] = [0, 1, 2]
const ALPHAS = [0.9, 0.22, 0.08]

/** An arrow for each message, from its sending to its end. */
export function paintFlights(
  pen: Pen,
  log: RunLog,
  flights: readonly number[],
  view: DiagramView,
  lanes: Lanes,
  theme: PageTheme,
): void {
  const groups = new Map<number, number[]>()
  const { length } = theme.types
  for (const flight of flights) {
    const type = log.type.at(log.sending.at(flight)) % length
    const key = 2 * (length * lookOf(log, flight, view) + type) + (isWhole(log, flight) ? 0 : 1)
    const group = groups.get(key)
    if (group) group.push(flight)
    else groups.set(key, [flight])
  }
  // What happened last lies on top.
  for (const [key, group] of [...groups].sort(([a], [b]) => b - a)) {
    const [look, type] = [Math.floor(key / 2 / length), (key >> 1) % length]
    pen.globalAlpha = ALPHAS[look]
    pen.strokeStyle = theme.types[type]
    pen.lineWidth = flights.length > THICK ? 1 : view.past && look === HAPPENED ? 2 : 1.2
    pen.setLineDash(key % 2 === 0 ? [] : [3, 3])
    pen.beginPath()
    for (const flight of group) line(pen, log, flight, lanes)
    pen.stroke()
    if (lanes.gap <= 8) continue
    pen.setLineDash([])
    pen.beginPath()
    for (const flight of group) head(pen, log, flight, lanes)
    pen.stroke()
  }
  pen.setLineDash([])
  pen.globalAlpha = 1
}

function lookOf(log: RunLog, flight: number, { step, past }: DiagramView): number {
  const [sent, ended] = [log.sentIn.at(flight), log.endedIn.at(flight)]
  if (past !== null && !(ended >= 0 && past.has(ended) && past.has(sent))) return UNRELATED
  return sent >= step ? COMING : HAPPENED
}

/** Whether a message is received in the end; the others have broken lines. */
function isWhole(log: RunLog, flight: number): boolean {
  const ended = log.endedIn.at(flight)
  return ended >= 0 && KINDS[log.kind.at(log.first.at(ended))] !== 'vanish'
}

function line(pen: Pen, log: RunLog, flight: number, lanes: Lanes): void {
  const sending = log.sending.at(flight)
  const begun = log.departure(flight)
  const arrives = log.arrival(flight)
  pen.moveTo(lanes.x(begun), lanes.y(log.node.at(sending)))
  pen.lineTo(lanes.x(Number.isFinite(arrives) ? arrives : begun + 1), lanes.y(log.peer.at(sending)))
}

function head(pen: Pen, log: RunLog, flight: number, lanes: Lanes): void {
  const arrives = log.arrival(flight)
  if (!Number.isFinite(arrives)) return
  const sending = log.sending.at(flight)
  const [x, y] = [lanes.x(arrives), lanes.y(log.peer.at(sending))]
  const angle = Math.atan2(y - lanes.y(log.node.at(sending)), x - lanes.x(log.departure(flight)))
  const [back, spread] = [7, 0.4]
  pen.moveTo(x - back * Math.cos(angle - spread), y - back * Math.sin(angle - spread))
  pen.lineTo(x, y)
  pen.lineTo(x - back * Math.cos(angle + spread), y - back * Math.sin(angle + spread))
}
