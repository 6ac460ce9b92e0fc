import type { Delay, NodeSchedule } from '../conditions.ts'
import type { MessageOverride } from './message-overrides.ts'

/** Which nodes cannot reach each other. */
export interface Partition {
  /** The two ends of the link, if it cuts only one. */
  readonly link?: readonly [number, number]
  /** Whether messages go on from the second end of the link to the first. */
  readonly oneWay?: true
  /** Whether messages from one node to another are lost. */
  separates(from: number, to: number): boolean
}

/** Cuts the link between two nodes; or only the way from the first to the second. */
export function cutLink(a: number, b: number, oneWay = false): Partition {
  if (oneWay) return { link: [a, b], oneWay, separates: (from, to) => a === from && b === to }
  return { link: [a, b], separates: (c, d) => (a === c && b === d) || (a === d && b === c) }
}

/** Separates groups of nodes from each other; a node in no group still reaches all others. */
export function partition(groups: readonly (readonly number[])[]): Partition {
  const group = new Map(
    groups.flatMap((nodes, index) => nodes.map((node) => [node, index] as const)),
  )
  return {
    separates(a, b) {
      const [mine, theirs] = [group.get(a), group.get(b)]
      return mine !== undefined && theirs !== undefined && mine !== theirs
    },
  }
}

/** A fault event, or the end of one, at a moment; crashes are listed apart. */
export type FaultEvent = {
  readonly at: number
} & (
  | {
      readonly what: 'recover'
      readonly node: number
      /** Another id than before; null: the same. Only the stable part of its state is kept. */
      readonly id: number | null
      /** Its stable storage is lost, too. */
      readonly amnesia?: boolean
    }
  /** Stays alive, but must not be elected any more: its new key is below all others. */
  | { readonly what: 'retire'; readonly node: number; readonly key: number }
  /** A false suspicion of the detector, and its correction. */
  | { readonly what: 'suspect' | 'trust'; readonly node: number }
  /** A node handles nothing until a time, Infinity for ever; what reaches it meanwhile waits. */
  | { readonly what: 'pause'; readonly node: number; readonly until: number }
  | { readonly what: 'resume'; readonly node: number }
  | { readonly what: 'cut' | 'mend'; readonly partition: Partition }
)

/** All faults of a run, besides crashes. */
export interface FaultPlan {
  /** Ordered by time. */
  readonly events: readonly FaultEvent[]
  /** The delay after which the detector reports crashes, recoveries and links; null: never. */
  readonly detect: number | null
  /** Probabilities that a message is lost, and that it is duplicated. */
  readonly loss: number
  readonly duplicate: number
  /** The rates of clocks differ by this ratio: timers take up to 1 + drift times as long. */
  readonly drift: number
  /** How long a commit of changed stable fields takes; null: no time. */
  readonly disk: Delay | null
  /** Overrides of single messages. */
  readonly overrides: readonly MessageOverride[]
  /** The earliest time at which the initiators start a second election; null: never. */
  readonly secondElection: number | null
}

/** A fault plan without faults, and without a failure detector. */
export const noFaults: FaultPlan = {
  events: [],
  detect: null,
  loss: 0,
  duplicate: 0,
  drift: 0,
  disk: null,
  overrides: [],
  secondElection: null,
}

/** Whether the plan has any fault; a failure detector alone is none. */
export function hasFaults(plan: FaultPlan): boolean {
  const { loss, duplicate, overrides } = plan
  const spoilt = loss > 0 || duplicate > 0 || overrides.length > 0
  return spoilt || changesOverTime(plan) || onImperfectHosts(plan)
}

/** Whether nodes pause, or have clocks of different rates or disks that take time. */
export function onImperfectHosts({ events, drift, disk }: FaultPlan): boolean {
  return drift > 0 || disk !== null || events.some(({ what }) => what === 'pause')
}

/** What happens to links and hosts, which the detector does not report as a crash. */
const NO_CRASH: readonly FaultEvent['what'][] = ['cut', 'mend', 'pause', 'resume']

/** Whether the detector will report on a node during the run. */
export function reportsCrashes({ times }: NodeSchedule, { events, detect }: FaultPlan): boolean {
  const onNodes = events.some(({ what }) => !NO_CRASH.includes(what))
  return detect !== null && (onNodes || times.some((time) => time >= 0))
}

/** Whether nodes or links change, so that more than one election may be needed. */
export function changesOverTime({ events, secondElection }: FaultPlan): boolean {
  return events.length > 0 || secondElection !== null
}

/** The current partitions. Cut links are looked up by ends: moving nodes cut thousands. */
export class Partitions {
  private readonly links = new Map<number, number>()
  private readonly groups: Partition[] = []

  constructor(private readonly n: number) {}

  add(partition: Partition): void {
    if (partition.link === undefined) this.groups.push(partition)
    else this.count(partition, 1)
  }

  remove(partition: Partition): void {
    if (partition.link !== undefined) this.count(partition, -1)
    else this.groups.splice(this.groups.indexOf(partition), 1)
  }

  /** Whether messages from one node to another are lost. */
  separate(from: number, to: number): boolean {
    return (
      this.links.has(from * this.n + to) ||
      this.groups.some((partition) => partition.separates(from, to))
    )
  }

  private count({ link, oneWay }: Partition, change: number): void {
    const [from, to] = link!
    this.countWay(from * this.n + to, change)
    if (oneWay === undefined) this.countWay(to * this.n + from, change)
  }

  /** A link may be cut for two reasons at once. */
  private countWay(place: number, change: number): void {
    const count = (this.links.get(place) ?? 0) + change
    if (count > 0) this.links.set(place, count)
    else this.links.delete(place)
  }
}
