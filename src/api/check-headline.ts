import { type CheckResult, FAULT_KINDS, type FaultKind, type FaultOptions } from '../check/index.ts'
import { counted, enumerated, grouped } from '../core/text-format.ts'

type Explored = Pick<
  CheckResult,
  'exhausted' | 'reason' | 'violated' | 'properties' | 'draws' | 'bounds' | 'timeouts'
> & { readonly faults?: FaultOptions }

/**
 * The result of an exploration in a line: it says what was not explored. `covered` is what it says
 * about ids. `holds` is null where something is undecided.
 */
export function checkHeadline(
  explored: Explored,
  covered = '',
): { readonly text: string; readonly holds: boolean | null } {
  const { exhausted, reason, violated, faults, properties } = explored
  const inWords = faults === undefined ? '' : ` (${faultsInWords(faults)})`
  const about = `${exhausted || violated ? covered : ''}${inWords}`
  if (violated !== null) return { text: `Violated: ${violated.property}${about}`, holds: false }
  if (!exhausted) return { text: `Not exhausted: ${reason}${about}`, holds: null }
  const text = `${coverageTitle(explored)} explored${about}`
  const open = properties.filter(({ holds }) => holds === null).length
  if (open === 0) return { text, holds: true }
  return {
    text: `${text}; ${counted(open, 'property is', 'properties are')} undecided`,
    holds: null,
  }
}

/** What was explored, where runs are cut or not every delay was tried. */
function coverageTitle({ draws, bounds, timeouts }: Explored): string {
  const limits = [
    ...(draws === undefined || draws.enough
      ? []
      : [`at most ${counted(draws.most, 'random choice')} per node`]),
    ...(bounds === undefined || bounds.enough
      ? []
      : Object.entries(bounds.of).map(([field, most]) => `${field} at most ${grouped(most)}`)),
    ...(timeouts === undefined || timeouts.enough
      ? []
      : [`${counted(timeouts.most, 'value')} of each random delay`]),
  ]
  return limits.length === 0 ? 'Every interleaving' : `Every run with ${enumerated(limits)}`
}

const SINGULAR: Readonly<Record<FaultKind, string>> = {
  crashes: 'crash',
  losses: 'loss',
  duplicates: 'duplicate',
  cuts: 'cut',
  recoveries: 'recovery',
  amnesia: 'recovery without memory',
  partitions: 'partition',
  pauses: 'pause',
}

/** Where the name of the option is not the plural. */
const PLURAL: Partial<Readonly<Record<FaultKind, string>>> = {
  amnesia: 'recoveries without memory',
}

/** The faults in words: `up to 1 crash and 2 losses, detector off`. */
function faultsInWords(faults: FaultOptions): string {
  const { dead = [], reappear, detect, oneWay, drift = 0, ...budget } = faults
  const counts = FAULT_KINDS.map((kind) => ({ kind, count: budget[kind] ?? 0 }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${count === 1 ? SINGULAR[kind] : (PLURAL[kind] ?? kind)}`)
  return [
    ...(counts.length > 0
      ? [`up to ${enumerated(counts)}${reappear ? ' under another id' : ''}`]
      : []),
    ...(oneWay ? ['also of one direction'] : []),
    ...(drift > 0 ? [`timers up to ${counted(drift, 'unit')} early or late`] : []),
    ...(dead.length > 0 ? [`${enumerated(dead.map(String))} dead from the start`] : []),
    ...(detect === 'off' ? ['detector off'] : []),
  ].join(', ')
}
