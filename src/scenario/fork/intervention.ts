import { UsageError } from '../../core/index.ts'
import { position } from '../../options/reading.ts'
import type { FaultSpan, MessageFault } from '../../options/scenario-options.ts'
import type { PlannedFaults } from '../faults/fault-fields.ts'
import type { SpontaneousStart } from '../fields/wake.ts'
import type { RunSnapshot } from './run-snapshot.ts'

/** A change to a run at a time, or at the beginning of a round or cycle. */
export type Intervention = { readonly at: number } & (
  | { readonly what: 'crash' | 'wake'; readonly node: number }
  /** A crashed node recovers, under another id if one is given. */
  | { readonly what: 'recover'; readonly node: number; readonly id?: number }
  /** A message in flight is lost. */
  | { readonly what: 'drop'; readonly message: number }
  /** A message in flight arrives at that time, earlier or later than it would have. */
  | { readonly what: 'arrive'; readonly message: number; readonly to: number }
  | { readonly what: 'cut' | 'mend'; readonly link: readonly [number, number] }
  | { readonly what: 'partition'; readonly groups: readonly (readonly number[])[] }
  /** All current partitions end. */
  | { readonly what: 'heal' }
)

/** What an intervention needs to know of the world. */
export interface InterventionWorld {
  readonly fifo: boolean
  /** The nodes that start spontaneously, with times as users count them. */
  starts(): readonly SpontaneousStart[]
}

/** The parts of a scenario that an intervention changes. */
export type AmendedPlan = Partial<PlannedFaults> & { readonly wake?: readonly SpontaneousStart[] }

/**
 * The parts of a fault plan that differ once an intervention is added; an intervention that makes
 * no sense at its time is rejected. The run is only simulated where that must be known.
 */
export function withIntervention(
  faults: PlannedFaults,
  intervention: Intervention,
  look: () => RunSnapshot,
  world: InterventionWorld,
): AmendedPlan {
  const { at } = intervention
  const { cut: cuts, partition: partitions } = faults
  switch (intervention.what) {
    case 'crash':
    case 'recover':
    case 'wake':
      return withNodeChange(faults, intervention, look(), world.starts)
    case 'drop':
    case 'arrive':
      return { tamper: withOverride(faults.tamper, intervention, look(), world.fifo) }
    case 'cut': {
      const { link } = intervention
      if (cuts.some((cut) => holds(cut, at) && joins(cut.link, link)))
        throw new UsageError('cut', 'the link is already cut at that time.', 'Mend it first.')
      return { cut: [...cuts, { link, from: at }] }
    }
    case 'mend': {
      const { link } = intervention
      return { cut: ended('mend', cuts, at, (cut) => joins(cut.link, link)) }
    }
    case 'partition':
      return { partition: [...partitions, { groups: intervention.groups, from: at }] }
    case 'heal':
      return { partition: ended('heal', partitions, at, () => true) }
  }
}

type Concerning<K extends string> = Extract<Intervention, Readonly<Record<K, unknown>>>

function withNodeChange(
  { crash: crashes, recover: recoveries }: PlannedFaults,
  intervention: Concerning<'node'>,
  run: RunSnapshot,
  starts: () => readonly SpontaneousStart[],
): AmendedPlan {
  const { what, node, at } = intervention
  position(what, node, run.n)
  const refuse = (condition: string) => {
    const problem = `position ${node} ${condition} at that time.`
    return new UsageError(what, problem, 'Choose another node or another time.')
  }
  switch (intervention.what) {
    case 'crash':
      if (!run.alive) throw refuse('has already crashed')
      return { crash: [...crashes, { node, at }] }
    case 'recover': {
      if (run.alive) throw refuse('is alive')
      const { id } = intervention
      const recovery = { node, at, ...(id !== undefined && { id }) }
      return { recover: [...withoutObsolete(crashes, recoveries, node, at), recovery] }
    }
    case 'wake':
      if (!run.asleep) throw refuse('is not asleep')
      return { wake: [...starts().filter((start) => start.node !== node), { node, at }] }
  }
}

/** Drops later recoveries of a node that recovers now, up to its next crash. */
function withoutObsolete(
  crashes: PlannedFaults['crash'],
  recoveries: PlannedFaults['recover'],
  node: number,
  at: number,
): PlannedFaults['recover'] {
  const later = crashes
    .filter((crash) => 'share' in crash || crash.node === node)
    .flatMap((crash) => (crash.at !== undefined && crash.at > at ? [crash.at] : []))
  const nextCrash = Math.min(...later)
  return recoveries.filter((one) => one.node !== node || one.at <= at || one.at >= nextCrash)
}

function withOverride(
  overrides: PlannedFaults['tamper'],
  intervention: Concerning<'message'>,
  run: RunSnapshot,
  fifo: boolean,
): PlannedFaults['tamper'] {
  const { what, message, at } = intervention
  if (!run.inFlight) {
    throw new UsageError(
      what,
      `message ${message} is not in flight at that time.`,
      'Take its number from the trace, and a time between its sending and its arrival.',
    )
  }
  const concerns = (one: MessageFault) => ('drop' in one ? one.drop : one.arrive) === message
  const others = overrides.filter((one) => !('drop' in one && concerns(one)))
  // A message that was to arrive at another time still delays those behind it until it is lost.
  if (intervention.what === 'drop') return [...others, { drop: message, at }]
  refuseImpossibleArrival(intervention, run, fifo)
  const free = others.filter((one) => !concerns(one))
  return [...free, { arrive: message, at: intervention.to }]
}

/** A message arrives neither in the past nor, on FIFO links, before the messages ahead of it. */
function refuseImpossibleArrival(
  { message, at, to }: Extract<Intervention, { what: 'arrive' }>,
  { partlyDelivered, ahead }: RunSnapshot,
  fifo: boolean,
): void {
  if (!(to >= at))
    throw new UsageError(
      'arrive',
      `time ${to} is before ${at}, and the past cannot change.`,
      'Choose a later arrival.',
    )
  if (partlyDelivered) {
    throw new UsageError(
      'arrive',
      `message ${message} was duplicated and one copy has arrived; the past cannot change.`,
      'Drop it, or choose another message.',
    )
  }
  if (!fifo || ahead === null) return
  throw new UsageError(
    'arrive',
    `links are FIFO, and message ${ahead} is ahead of ${message} on the same link at that time.`,
    'Let that message arrive first, or use order any.',
  )
}

/** Whether an interval has begun by a time and not ended. */
function holds({ from, to }: FaultSpan, at: number): boolean {
  return (from === undefined || from <= at) && (to === undefined || at < to)
}

/** The entries, of which those that hold end now. One that begins now has nothing to end. */
function ended<T extends FaultSpan>(
  what: 'mend' | 'heal',
  entries: readonly T[],
  at: number,
  concerns: (entry: T) => boolean,
): T[] {
  const ends = (entry: T) =>
    concerns(entry) && holds(entry, at) && (entry.from === undefined || entry.from < at)
  if (!entries.some(ends)) {
    throw new UsageError(
      what,
      what === 'mend' ? 'the link is not cut at that time.' : 'there is no partition at that time.',
      'Choose another time.',
    )
  }
  return entries.map((entry) => (ends(entry) ? { ...entry, to: at } : entry))
}

function joins([a, b]: readonly [number, number], [c, d]: readonly [number, number]): boolean {
  return (a === c && b === d) || (a === d && b === c)
}
