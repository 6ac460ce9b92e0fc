import type { Random } from '../../core/index.ts'
import {
  cutLink,
  type FaultEvent,
  type FaultPlan,
  type MessageOverride,
  type NodeSchedule,
  partition,
} from '../../sim/index.ts'
import { type TimeUnit, toMoment } from '../fields/time-unit.ts'
import { type Start, scheduleOf } from '../fields/wake.ts'
import type { FaultInterval, PlannedFaults } from './fault-text.ts'

/** Before everything that happens in a run. */
const BEFORE_START = -1

/** The simulator's plan of all faults but crashes. `moves` are the link changes of moving nodes. */
export function faultPlanOf(
  faults: PlannedFaults,
  unit: TimeUnit,
  moves: readonly FaultEvent[],
): FaultPlan {
  const { recoveries, retirements, suspicions, partitions, cuts, overrides } = faults
  const { detect, loss, duplicate, again } = faults
  const events = [
    ...moves,
    ...recoveries.map(({ node, at, id }): FaultEvent => {
      return { at: toMoment(at, unit), what: 'recover', node, id }
    }),
    ...cuts.flatMap((cut) => {
      const apart = cutLink(...cut.link)
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
    ...retirements.map(({ node, at }, retired): FaultEvent => {
      return { at: toMoment(at, unit), what: 'retire', node, key: retirements.length - retired }
    }),
    ...suspicions.flatMap(({ node, ...span }) =>
      endsOf(span, unit, { what: 'suspect', node }, { what: 'trust', node }),
    ),
  ]
  return {
    // The sort is stable: at the same time recoveries come first, then links, then the others.
    events: events.sort((a, b) => a.at - b.at),
    detect: detect === 'off' ? null : detect,
    loss,
    duplicate,
    overrides: overridesOf(overrides, unit),
    secondElection: again === 'never' ? null : Math.max(0, toMoment(again, unit)),
  }
}

/** What is done to single messages; one that is dropped before it is sent is dropped at once. */
export function overridesOf(
  overrides: PlannedFaults['overrides'],
  unit: TimeUnit,
): MessageOverride[] {
  return overrides.map(({ what, message, at }) => {
    return { what, message, at: at === null ? BEFORE_START : toMoment(at, unit) }
  })
}

/** Which nodes crash and when; a share is drawn among the nodes that are alive by then. */
export function crashSchedule(
  { crashes }: Pick<PlannedFaults, 'crashes'>,
  n: number,
  unit: TimeUnit,
  random: Random,
): NodeSchedule {
  const live = new Set(Array.from({ length: n }, (_, node) => node))
  const timed = crashes.map((crash) => {
    return { crash, at: crash.at === null ? BEFORE_START : toMoment(crash.at, unit) }
  })
  const victims: Start[] = []
  for (const { crash, at } of timed.sort((a, b) => a.at - b.at)) {
    const chosen = 'share' in crash ? drawShare([...live], crash.share, random) : [crash.node]
    for (const node of chosen) {
      // A node that has recovered may crash again.
      live.delete(node)
      victims.push({ node, at })
    }
  }
  return scheduleOf(victims)
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
  { from, to }: FaultInterval,
  unit: TimeUnit,
  first: Untimed<FaultEvent>,
  last: Untimed<FaultEvent>,
): FaultEvent[] {
  const begin = { ...first, at: from === null ? BEFORE_START : toMoment(from, unit) } as FaultEvent
  return to === null ? [begin] : [begin, { ...last, at: toMoment(to, unit) } as FaultEvent]
}

function drawShare(live: number[], share: number, random: Random): number[] {
  const count = Math.round(share * live.length)
  return Array.from(random.permutation(live.length).slice(0, count), (i) => live[i])
}
