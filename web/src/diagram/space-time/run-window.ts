import type { DrawnArrow } from '../../../../src/diagram/space-time/arrows.ts'
import type {
  MessageArrow,
  NodeLane,
  NodeLife,
} from '../../../../src/diagram/space-time/history.ts'
import { type EventMark, eventMarks, isMarked } from '../../../../src/diagram/space-time/history.ts'
import { KINDS, STATUSES } from '../../recording/events.ts'
import type { RunFrame } from '../../recording/frame.ts'
import type { RunLog } from '../../recording/run-log.ts'
import { described } from '../../words/describe-step.ts'

const [ASLEEP, LEADER, DEAD] = (['asleep', 'leader', 'dead'] as const).map((status) =>
  STATUSES.indexOf(status),
)

/** The steps of a run that a diagram shows: from `first` up to but not including `last`. */
export interface StepRange {
  readonly first: number
  readonly last: number
}

/** A message of the run, by its number, and its arrow. */
export interface FlightArrow {
  readonly flight: number
  readonly arrow: DrawnArrow
}

/** The lines of all nodes. `start` is the frame before the first step of the range. */
export function lanesIn(start: RunFrame, { first, last }: StepRange, from: number): NodeLane[] {
  const { log } = start
  const status = start.status.slice()
  const lanes = Array.from(status, (now): NodeLane => {
    const life = lifeOf(now)
    return {
      lives: life === null ? [] : [{ kind: life, from, to: null, first: true }],
      leaderships: now === LEADER ? [{ kind: 'leader', from, to: null, first: true }] : [],
    }
  })
  for (let step = first; step < last; step++) {
    const node = log.nodeOf(step)
    const now = log.status.at(step)
    if (now === status[node]) continue
    const at = log.timeOf(step)
    const { lives, leaderships } = lanes[node]
    const life = lifeOf(now)
    if (life !== lifeOf(status[node])) {
      end(lives, at)
      if (life !== null) lives.push({ kind: life, from: at, to: null })
    }
    if (status[node] === LEADER) end(leaderships, at)
    if (now === LEADER) leaderships.push({ kind: 'leader', from: at, to: null })
    status[node] = now
  }
  return lanes
}

function lifeOf(status: number): NodeLife | null {
  return status === DEAD ? null : status === ASLEEP ? 'asleep' : 'awake'
}

function end(spans: { to: number | null }[], at: number): void {
  const last = spans.at(-1)
  if (last?.to === null) last.to = at
}

/** The part of all lines that lies between two moments. */
export function clipped(lanes: readonly NodeLane[], from: number, to: number | null): NodeLane[] {
  const part = <S extends { from: number; to: number | null; first?: true }>(spans: S[]): S[] =>
    spans
      .filter((span) => (to === null || span.from < to) && (span.to === null || span.to > from))
      .map(({ first, ...span }) => ({
        ...span,
        ...(first && span.from >= from && { first }),
        from: Math.max(span.from, from),
        to: to === null || (span.to !== null && span.to < to) ? span.to : to,
      })) as S[]
  return lanes.map(({ lives, leaderships }) => ({
    lives: part(lives),
    leaderships: part(leaderships),
  }))
}

/** A message as a diagram draws it. Its end is left out where it lies after `known` steps. */
export function messageIn(log: RunLog, flight: number, known: number): MessageArrow {
  const sending = log.sending.at(flight)
  const ended = log.endedIn.at(flight)
  const over = ended >= 0 && ended < known
  const at = over ? log.timeOf(ended) : null
  // A message is received as the first event of a step; every other end is a loss.
  const first = over ? log.first.at(ended) : -1
  const received = over && log.flight.at(first) === flight && KINDS[log.kind.at(first)] !== 'lose'
  return {
    from: log.node.at(sending),
    to: log.peer.at(sending),
    type: log.world.types[log.type.at(sending)] ?? '',
    body: {},
    sent: log.departure(flight),
    wraps: null,
    arrived: received ? at : null,
    lost: over && !received ? at : null,
    vanished: received && KINDS[log.kind.at(first)] === 'vanish',
    ignored: false,
  }
}

/** The marks of a step. */
export function stepMarks(log: RunLog, step: number): EventMark[] {
  const marks: EventMark[] = []
  for (let event = log.first.at(step); event < log.end(step); event++) {
    if (!isMarked(KINDS[log.kind.at(event)])) continue
    const { at, ...logged } = log.event(event)
    marks.push(...eventMarks({ ...described({ at, ...logged }), at } as never, log.world.n))
  }
  return marks
}
