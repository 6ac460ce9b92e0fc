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
  'down',
  'up',
  'cut',
  'mend',
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

export const STATUSES = ['asleep', 'unknown', 'lost', 'leader', 'dead'] as const

/** The statuses in words. */
export const STATUS_WORDS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  asleep: 'asleep',
  unknown: 'undecided',
  lost: 'not elected',
  leader: 'leads',
  dead: 'crashed',
}
