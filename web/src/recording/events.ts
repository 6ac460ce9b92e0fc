import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'

/**
 * Every kind of trace event, by number: first those that begin a step. Where exchanges are done at
 * once there are only new estimates.
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

/** Whether an event is something that happens to a node; the others are what it then does. */
export function beginsStep(kind: number): boolean {
  return kind < numberOf('send')
}

export const STATUSES = ['asleep', 'unknown', 'lost', 'leader', 'dead'] as const

/** The same as people say it. */
export const STATUS_WORDS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  asleep: 'asleep',
  unknown: 'undecided',
  lost: 'not elected',
  leader: 'leads',
  dead: 'dead',
}
