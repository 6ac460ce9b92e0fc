import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'

/**
 * Every kind of trace event, by number: first those that begin a step. Aggregations in cycles have
 * only new estimates.
 */
export const KINDS = [
  'wake',
  'receive',
  'vanish',
  'timeout',
  'crash',
  'recover',
  'retire',
  'expire',
  'pause',
  'resume',
  'down',
  'up',
  'cut',
  'mend',
  'meet',
  'respond',
  'estimate',
  'send',
  'lose',
  'double',
  'lead',
  'follow',
  'stop',
  'withdraw',
] as const satisfies readonly (TraceEvent['event'] | 'estimate')[]

export type EventKind = (typeof KINDS)[number]

const NUMBERS = new Map<string, number>(KINDS.map((kind, number) => [kind, number]))

export function numberOf(kind: EventKind): number {
  return NUMBERS.get(kind)!
}

/** Whether an event begins a step; the others are actions of its handler. */
export function beginsStep(kind: number): boolean {
  return kind < numberOf('send')
}

const KNOWN: ReadonlySet<unknown> = new Set(KINDS)
/** The fields of events that name another node. */
export const WITH_OTHERS = ['to', 'from', 'peer'] as const
/** More nodes than the page can show. */
const MOST_NODES = 1_000_000

/** What is wrong with an event from outside, of a network with this many nodes; null if nothing. */
export function eventError(
  event: Readonly<Record<string, unknown>>,
  nodes = MOST_NODES,
): string | null {
  const isPosition = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) < nodes
  if (!KNOWN.has(event.event)) return `there is no event ${JSON.stringify(event.event)}`
  if (!Number.isFinite(event.at)) return 'the time "at" is missing'
  for (const place of ['node', ...WITH_OTHERS])
    if ((place === 'node' || place in event) && !isPosition(event[place]))
      return `"${place}" is a position from 0`
  return null
}

export const STATUSES = ['asleep', 'unknown', 'lost', 'leader', 'dead'] as const

/** The statuses in words. */
export const STATUS_WORDS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  asleep: 'asleep',
  unknown: 'undecided',
  lost: 'not elected',
  leader: 'leads',
  dead: 'crashed',
}
