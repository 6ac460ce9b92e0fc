import { type Random, type Topology, UsageError } from '../../core/index.ts'
import { mobile } from '../../core/networks/random/mobile-network.ts'
import { grouped } from '../../core/text-format.ts'
import { readDuration } from '../../options/delays.ts'
import type { FaultSpan } from '../../options/scenario-options.ts'
import type { NodeSchedule } from '../../sim/conditions.ts'
import {
  cutLink,
  type FaultEvent,
  type FaultPlan,
  type Partition,
  partition,
} from '../../sim/faults/faults.ts'
import type { MessageOverride } from '../../sim/faults/message-overrides.ts'
import { type TimeUnit, toMoment } from '../fields/time-unit.ts'
import { type SpontaneousStart, scheduleOf } from '../fields/wake.ts'
import type { PlannedFaults } from './fault-fields.ts'

/** Before everything that happens in a run. */
const BEFORE_START = -1

/** Nodes stop moving at this time, so that the run can end. */
const LONGEST_WALK = 100
const MOST_NODES = 1000

/** The simulator's plan of all faults but crashes. `moves` are the link changes of moving nodes. */
export function faultPlanOf(
  faults: PlannedFaults,
  unit: TimeUnit,
  moves: readonly FaultEvent[],
): FaultPlan {
  const { recover, retire, suspect, partition: partitions, cut: cuts, tamper, pause } = faults
  const { detect, loss, duplicate, again, drift = 0, disk } = faults
  const events = [
    ...moves,
    ...recover.map(({ node, at, id = null, amnesia = false }): FaultEvent => {
      return { at: toMoment(at, unit), what: 'recover', node, id, amnesia }
    }),
    ...cuts.flatMap((cut) => {
      const apart = cutLink(...cut.link, cut.oneWay)
      return endsOf(
        cut,
        unit,
        { what: 'cut', partition: apart },
        { what: 'mend', partition: apart },
      )
    }),
    ...partitions.flatMap((one) => {
      const apart = partition(one.groups)
      return endsOf(
        one,
        unit,
        { what: 'cut', partition: apart },
        { what: 'mend', partition: apart },
      )
    }),
    // Keys from 1 on are reserved for retired nodes; the last to retire gets the lowest.
    ...retire.map(({ node, at }, retired): FaultEvent => {
      return { at: toMoment(at, unit), what: 'retire', node, key: retire.length - retired }
    }),
    ...suspect.flatMap(({ node, ...span }) =>
      endsOf(span, unit, { what: 'suspect', node }, { what: 'trust', node }),
    ),
    ...pause.flatMap(({ node, ...span }) => {
      const until = span.to === undefined ? Number.POSITIVE_INFINITY : toMoment(span.to, unit)
      return endsOf(span, unit, { what: 'pause', node, until }, { what: 'resume', node })
    }),
  ]
  return {
    // The sort is stable: at the same time recoveries come first, then links, then the others.
    events: events.sort((a, b) => a.at - b.at),
    detect: detect === 'off' ? null : detect,
    loss,
    duplicate,
    drift,
    disk: disk === undefined ? null : readDuration('disk', disk),
    overrides: overridesOf(tamper, unit),
    secondElection: again === 'never' ? null : Math.max(0, toMoment(again, unit)),
  }
}

/** What is done to single messages; one that is dropped before it is sent is dropped at once. */
export function overridesOf(tamper: PlannedFaults['tamper'], unit: TimeUnit): MessageOverride[] {
  return tamper.map((fault) => {
    const at = momentIn(fault.at, unit)
    return 'drop' in fault
      ? { what: 'drop', message: fault.drop, at }
      : { what: 'arrive', message: fault.arrive, at }
  })
}

/** Which nodes crash and when; a share is drawn among the nodes that are alive by then. */
export function crashSchedule(
  { crash: crashes }: Pick<PlannedFaults, 'crash'>,
  n: number,
  unit: TimeUnit,
  random: Random,
): NodeSchedule {
  const crashed = new Set<number>()
  const live = () =>
    Array.from({ length: n }, (_, node) => node).filter((node) => !crashed.has(node))
  const timed = crashes.map((crash) => ({ crash, at: momentIn(crash.at, unit) }))
  const victims: SpontaneousStart[] = []
  for (const { crash, at } of timed.sort((a, b) => a.at - b.at)) {
    const chosen = 'share' in crash ? drawShare(live(), crash.share, random) : [crash.node]
    for (const node of chosen) {
      // A node that has recovered may crash again.
      crashed.add(node)
      victims.push({ node, at })
    }
  }
  return scheduleOf(victims)
}

/** A network of moving nodes: all links that ever exist, and when they appear and disappear. */
export function mobilityOf(
  where: string,
  speed: number,
  topology: Topology,
  until: number,
  random: Random,
): { readonly topology: Topology; readonly events: readonly FaultEvent[] } {
  if (speed === 0) return { topology, events: [] }
  const { name, coordinates, n } = topology
  const [kind, , range] = name.split(':')
  if (kind !== 'geometric' || coordinates === undefined || n > MOST_NODES) {
    throw new UsageError(
      where,
      `${name} cannot move: mobility needs a geometric network of at most ${grouped(MOST_NODES)} nodes.`,
      'Use a network such as geometric:100:0.2, or leave out mobility.',
    )
  }
  const walk = { range: Number(range), speed, until: Math.min(until, LONGEST_WALK) }
  const moving = mobile({ name, n, coordinates }, walk, random)
  const partitions = new Map<number, Partition>()
  const events = moving.changes.map(({ at, what, ends: [a, b] }): FaultEvent => {
    const link = a * n + b
    if (what === 'cut') partitions.set(link, cutLink(a, b))
    const partition = partitions.get(link) ?? cutLink(a, b)
    return { at, what, partition }
  })
  return { topology: moving.topology, events }
}

/** The ids behind the keys, including the keys that nodes get when they retire. */
export function namesWithRetired(
  { events }: FaultPlan,
  names: ReadonlyMap<number, number>,
  ids: Float64Array,
): ReadonlyMap<number, number> {
  const retired = events.flatMap((event): [number, number][] =>
    event.what === 'retire' ? [[event.key, ids[event.node]]] : [],
  )
  return new Map([...names, ...retired])
}

type Untimed<E> = E extends FaultEvent ? Omit<E, 'at'> : never

/** The events at the two ends of an interval. */
function endsOf(
  { from, to }: FaultSpan,
  unit: TimeUnit,
  first: Untimed<FaultEvent>,
  last: Untimed<FaultEvent>,
): FaultEvent[] {
  const begin = { ...first, at: momentIn(from, unit) } as FaultEvent
  return to === undefined ? [begin] : [begin, { ...last, at: toMoment(to, unit) } as FaultEvent]
}

/** What has no time happens before everything else. */
function momentIn(at: number | undefined, unit: TimeUnit): number {
  return at === undefined ? BEFORE_START : toMoment(at, unit)
}

function drawShare(live: number[], share: number, random: Random): number[] {
  const count = Math.round(share * live.length)
  return Array.from(random.permutation(live.length).slice(0, count), (i) => live[i])
}
