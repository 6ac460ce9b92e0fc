import { decimal, integer } from '../../options/reading.ts'

/** The unit in which a scenario gives times. Rounds and cycles count from 1. */
export interface TimeUnit {
  readonly synchronous: boolean
  /** The name of a discrete step where it is not a round. */
  readonly step?: string
}

/** Asynchronous runs: real-valued times from 0. */
export const TIME: TimeUnit = { synchronous: false }

/** Aggregations: faults happen at the beginning of a cycle. */
export const CYCLES: TimeUnit = { synchronous: true, step: 'cycle' }

/** Checks a time and returns it as the simulator counts it: round r is time r - 1. */
export function momentOf(where: string, time: unknown, unit: TimeUnit): number {
  const { synchronous, step = 'round' } = unit
  if (synchronous)
    return toMoment(integer(where, time, 1, Number.MAX_SAFE_INTEGER, `a ${step}`), unit)
  return decimal(
    where,
    time,
    'a time from 0 to 2^53 - 1',
    2,
    (t) => t >= 0 && t <= Number.MAX_SAFE_INTEGER,
  )
}

/** A time that has been checked, as the simulator counts it. */
export function toMoment(time: number, { synchronous }: TimeUnit): number {
  return synchronous ? time - 1 : time
}
