import type { TransitionSystem } from './transition-system.ts'

/*
 * The phases of one unit of time in mode clocked, in this order. Changes are recoveries and cuts. A
 * crash may occur in any phase, since it may interrupt a handler; notices are delivered as soon as
 * they are due, before anything else.
 */
export const CHANGES = 0
export const DELIVERIES = 1
export const STARTS = 2
export const TIMERS = 3

/** The stage after a starter; no more changes occur at that time. */
export function nextStage({ starters, mode }: TransitionSystem, stage: number): number {
  const last = stage === starters.length - 1
  return last && mode === 'clocked' ? stage + 1 + DELIVERIES : stage + 1
}

/** The stage without those in which nothing can happen: part of the canonical form of a state. */
export function canonicalStage(system: TransitionSystem): number {
  const { starters, faults, cache, mode, vector } = system
  const { cells } = vector
  const first = starters.length
  let stage = cells[system.stageCell]
  while (stage < first && !system.asleep(starters[stage])) stage = nextStage(system, stage)
  if (mode === 'clocked') {
    const changes = faults?.mayChange === true || cache.mayExpireEarly(cells)
    if (stage === first + CHANGES && !changes) stage = first + DELIVERIES
    if (stage === first + DELIVERIES && !system.anyMessage('deliverable')) stage = first + STARTS
    if (stage === first + STARTS && !system.anyMayWake) stage = first + TIMERS
  }
  return stage
}

/** The time until something can happen that cannot happen now in this phase. */
export function timeToNextEvent(system: TransitionSystem, phase: number): number {
  const { faults, cache, vector } = system
  if (system.inFlight) return 1
  const deadline = cache.nextDeadline(vector.cells, faults)
  const time = Math.min(faults?.nextNotice ?? deadline, deadline)
  // If no event is scheduled, a start or a fault may as well occur now, unless its phase is over.
  const scheduled = time < Number.POSITIVE_INFINITY
  if ((scheduled || phase > STARTS) && system.anyMayWake) return 1
  if (scheduled ? faults?.timingMatters : phase > CHANGES && faults?.mayChange) return 1
  return time
}
