import type { NodeSchedule } from '../conditions.ts'
import type { MessageOverride } from './message-overrides.ts'

/** Which nodes cannot reach each other. */
export interface Partition {
  /** The two ends of the one link that it parts, if it is only one. */
  readonly link?: readonly [number, number]
  separates(a: number, b: number): boolean
}

/** The link between two nodes is gone. */
export function cutLink(a: number, b: number): Partition {
  return { link: [a, b], separates: (c, d) => (a === c && b === d) || (a === d && b === c) }
}

/** Nobody of one group reaches anybody of another; who is in none reaches everybody. */
export function partition(groups: readonly (readonly number[])[]): Partition {
  const group = new Map(groups.flatMap((nodes, mark) => nodes.map((node) => [node, mark] as const)))
  return {
    separates(a, b) {
      const [mine, yours] = [group.get(a), group.get(b)]
      return mine !== undefined && yours !== undefined && mine !== yours
    },
  }
}

/** What happens to a world at a moment, besides crashes. */
export type FaultEvent = {
  readonly at: number
} /** Back, with nothing but what is stable in its state; under another id if one is given. */ & (
  | { readonly what: 'recover'; readonly node: number; readonly id: number | null }
  /** Alive, but no longer to be elected: from now on it has this key, below all others. */
  | { readonly what: 'retire'; readonly node: number; readonly key: number }
  /** The detector takes a live node for dead, and sees its error. */
  | { readonly what: 'suspect' | 'trust'; readonly node: number }
  | { readonly what: 'cut' | 'mend'; readonly partition: Partition }
)

/** Everything that may go wrong, besides crashes. */
export interface FaultPlan {
  /** Ordered by time. */
  readonly events: readonly FaultEvent[]
  /** After how long the detector tells of a crash, a recovery or a link; null: never. */
  readonly detect: number | null
  /** Probabilities that the network loses a message, and that it makes two of it. */
  readonly loss: number
  readonly duplicate: number
  /** What is done to single messages. */
  readonly overrides: readonly MessageOverride[]
  /** When those who started start anew, once the election has ended; null: never. */
  readonly secondElection: number | null
}

export const noFaults: FaultPlan = {
  events: [],
  detect: null,
  loss: 0,
  duplicate: 0,
  overrides: [],
  secondElection: null,
}

/** Whether anything but a failure detector is there. */
export function hasFaults(troubles: FaultPlan): boolean {
  const { loss, duplicate, overrides } = troubles
  return loss > 0 || duplicate > 0 || overrides.length > 0 || changesOverTime(troubles)
}

/** Whether the detector will tell of a node in the course of the run. */
export function reportsCrashes({ times }: NodeSchedule, { events, detect }: FaultPlan): boolean {
  const comesOrGoes = events.some(({ what }) => what !== 'cut' && what !== 'mend')
  return detect !== null && (comesOrGoes || times.some((time) => time >= 0))
}

/** Whether the world changes, so that more than one election may be needed. */
export function changesOverTime({ events, secondElection }: FaultPlan): boolean {
  return events.length > 0 || secondElection !== null
}
