import { placeArrowLabels } from '../../../../src/diagram/space-time/labels.ts'
import type { RunLog } from '../../recording/run-log.ts'
import type { LaneGrid } from './lane-grid.ts'
import type { FlightArrow } from './run-window.ts'

/** The words of one message, and their middle. */
export interface ArrowWords {
  readonly flight: number
  readonly text: string
  readonly x: number
  readonly y: number
}

/** More arrows than this have no room for words. */
const MOST = 160

/** The last labels of each run: they do not depend on the clock, which moves all the time. */
const placed = new WeakMap<RunLog, { readonly key: string; readonly words: ArrowWords[] }>()

/**
 * Labels for arrows with room for one: the field that decides, or the first one. `known` is the
 * number of steps after which nothing is shown.
 */
export function labelsFor(
  log: RunLog,
  arrows: readonly FlightArrow[],
  grid: LaneGrid,
  known: number,
): readonly ArrowWords[] {
  if (arrows.length === 0 || arrows.length > MOST) return []
  const { width, height, span, order } = grid
  const ends = [arrows[0].flight, arrows[arrows.length - 1].flight, arrows.length, known]
  const key = [width, height, span.from, span.to, ...order.nodes, ...ends].join()
  const before = placed.get(log)
  if (before?.key === key) return before.words
  const words = wordsFor(log, arrows, grid)
  placed.set(log, { key, words })
  return words
}

function wordsFor(log: RunLog, arrows: readonly FlightArrow[], grid: LaneGrid): ArrowWords[] {
  const flights = new Map(arrows.map(({ arrow, flight }) => [arrow.flight, flight]))
  const labelled = arrows.map(({ arrow, flight }) => ({
    ...arrow,
    flight: { ...arrow.flight, body: decisiveField(log, flight) },
  }))
  const original = new Map(labelled.map((arrow, i) => [arrow.flight, arrows[i].arrow.flight]))
  const bundled = labelled.map((arrow) => ({ ...arrow, bundle: [arrow.flight] }))
  const lines = grid.order.nodes.map((node) => ({
    ...{ left: grid.left, right: grid.right },
    ...{ top: grid.y(node) - 4, bottom: grid.y(node) + 4 },
  }))
  const frame = { left: grid.left, right: grid.width, top: 0, bottom: grid.bottom }
  return placeArrowLabels(bundled, lines, frame).map(({ arrow, text, x, y }) => ({
    flight: flights.get(original.get(arrow.flight)!)!,
    ...{ text, x, y },
  }))
}

/** The content of a message with the field that decides alone, or the first one. */
function decisiveField(log: RunLog, flight: number): Readonly<Record<string, unknown>> {
  const { type, body } = log.event(log.sending.at(flight))
  const fields: Readonly<Record<string, unknown>> = body === '' ? {} : JSON.parse(body)
  const decides = log.world.display?.decides?.[type] ?? Object.keys(fields)[0]
  return decides === undefined || !(decides in fields) ? {} : { [decides]: fields[decides] }
}
