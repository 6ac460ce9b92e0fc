import { type Algorithm, type Topology, UsageError } from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import {
  cutLink,
  type FaultEvent,
  type FaultPlan,
  type NodeSchedule,
  partition,
} from '../../sim/index.ts'
import { decimal, integer, quoted, text } from '../fields/reading.ts'
import { momentOf, positionOf, type TimeUnit } from '../fields/schedule-text.ts'
import type { FieldLocator, ScenarioInput } from '../scenario.ts'
import { overridesOf } from './message-overrides.ts'

/** What may go wrong besides crashes, as a scenario has it. */
export interface FaultFields {
  readonly recover: string
  readonly retire: string
  readonly detect: number | 'off'
  readonly suspect: string
  readonly loss: number
  readonly duplicate: number
  readonly partition: string
  readonly cut: string
  readonly tamper: string
  readonly again: number | 'never'
  readonly mobility: number
}

export const FAULT_FIELDS = [
  'recover',
  'retire',
  'detect',
  'suspect',
  'loss',
  'duplicate',
  'partition',
  'cut',
  'tamper',
  'again',
  'mobility',
]

/** Reads the fields that say what goes wrong; their positions and times are looked at later. */
export function readFaults(
  given: ScenarioInput,
  timing: 'sync' | 'async',
  where: FieldLocator,
): FaultFields {
  const plan = (name: string, example: string) =>
    given[name] === undefined ? 'none' : text(where(name), given[name], example)
  const probability = (name: string) =>
    decimal(
      where(name),
      given[name] ?? 0,
      'a probability from 0 to 1',
      0.1,
      (p) => p >= 0 && p <= 1,
    )
  const time = (name: string, value: unknown, otherwise: string) =>
    timing === 'sync'
      ? integer(
          where(name),
          value,
          0,
          Number.MAX_SAFE_INTEGER,
          `${otherwise}, or a number of rounds`,
        )
      : decimal(where(name), value, `${otherwise}, or a time of 0 or more,`, 1, (t) => t >= 0)
  const { detect = 1, again = 'never' } = given
  return {
    recover: plan('recover', '7@30'),
    retire: plan('retire', '7@20'),
    detect: detect === 'off' ? detect : time('detect', detect, 'off'),
    suspect: plan('suspect', '3@10..20'),
    loss: probability('loss'),
    duplicate: probability('duplicate'),
    partition: plan('partition', '0,1,2/3,4@10..50'),
    cut: plan('cut', '0-1@5..9'),
    tamper: plan('tamper', 'drop:17@5.5'),
    again: again === 'never' ? again : time('again', again, 'never'),
    mobility: decimal(
      where('mobility'),
      given.mobility ?? 0,
      'a speed from 0 to 1',
      0.01,
      (v) => v >= 0 && v <= 1,
    ),
  }
}

/**
 * Everything that changes in the course of a run, in the order of time. `keyed` says that nodes
 * compare keys instead of their ids.
 */
export function faultPlanOf(
  faults: FaultFields,
  topology: Topology,
  clock: TimeUnit,
  keyed: boolean,
  moves: readonly FaultEvent[],
  where: FieldLocator,
): FaultPlan {
  const changes = [
    ...moves,
    ...recoveries(where('recover'), faults.recover, topology.n, clock, keyed),
    ...spans(where('cut'), faults.cut, ',', clock, (what) => {
      const [a, b, ...rest] = what.split('-')
      if (b === undefined || rest.length > 0) throw malformed(where('cut'), what, '0-1@5..9')
      const ends = [a, b].map((end) => positionOf(where('cut'), end, topology.n))
      refuseNoLink(where('cut'), topology, ends[0], ends[1])
      const apart = cutLink(ends[0], ends[1])
      return [
        { what: 'cut', partition: apart },
        { what: 'mend', partition: apart },
      ]
    }),
    ...spans(where('partition'), faults.partition, ';', clock, (what) => {
      const apart = partition(groupsOf(where('partition'), what, topology.n))
      return [
        { what: 'cut', partition: apart },
        { what: 'mend', partition: apart },
      ]
    }),
    ...retirements(where('retire'), faults.retire, topology.n, clock),
    ...spans(where('suspect'), faults.suspect, ',', clock, (what) => {
      const node = positionOf(where('suspect'), what, topology.n)
      return [
        { what: 'suspect', node },
        { what: 'trust', node },
      ]
    }),
  ]
  return {
    // A stable sort: at one moment recoveries come first, then links, then the rest.
    events: changes.sort((a, b) => a.at - b.at),
    detect: faults.detect === 'off' ? null : faults.detect,
    loss: faults.loss,
    duplicate: faults.duplicate,
    overrides: overridesOf(where('tamper'), faults.tamper, clock),
    secondElection:
      faults.again === 'never' ? null : Math.max(0, faults.again - (clock.synchronous ? 1 : 0)),
  }
}

/** The ids behind the keys, and behind those that nodes get when they retire. */
export function namesWith(
  { events }: FaultPlan,
  names: ReadonlyMap<number, number>,
  ids: Float64Array,
): ReadonlyMap<number, number> {
  const retired = events.flatMap((change): [number, number][] =>
    change.what === 'retire' ? [[change.key, ids[change.node]]] : [],
  )
  return new Map([...names, ...retired])
}

/** How many nodes retire. */
export function countOf(plan: string): number {
  return plan === 'none' ? 0 : plan.split(',').length
}

/** Who retires leaves its office to another: only elections that go on can find that one. */
export function refuseRetirement(
  { retire }: FaultFields,
  { name, lasting }: Algorithm,
  where: FieldLocator,
): void {
  if (retire === 'none' || lasting) return
  throw new UsageError(
    where('retire'),
    `a leader retires where elections go on, but ${name} holds one and ends.`,
    'Use bully, ring-list or wireless.',
  )
}

/** Only the dead come back. Whom a fraction strikes is drawn, so that nobody can know it. */
export function refuseTheLiving(
  { events }: FaultPlan,
  { nodes, times }: NodeSchedule,
  crash: string,
  where: FieldLocator,
): void {
  if (crash.split(',').some((entry) => entry.split('@')[0].includes('.'))) return
  const back = new Map<number, number>()
  for (const change of events) {
    if (change.what !== 'recover') continue
    const { node, at } = change
    const since = back.get(node) ?? Number.NEGATIVE_INFINITY
    back.set(node, at)
    if (times.some((time, i) => nodes[i] === node && time > since && time <= at)) continue
    throw new UsageError(
      where('recover'),
      `only a node that has crashed before comes back, but position ${node} is alive at that moment.`,
      `Add for example --crash ${node}, or leave it out.`,
    )
  }
}

function recoveries(
  where: string,
  plan: string,
  n: number,
  clock: TimeUnit,
  keyed: boolean,
): FaultEvent[] {
  return entriesOf(plan, ',').map((entry) => {
    const parsed = /^(\d+)@([\d.e+-]+)(?::id=(\d+))?$/.exec(entry)
    if (parsed === null) throw malformed(where, entry, '7@30 or 7@30:id=2')
    const [, position, time, id] = parsed
    if (id !== undefined && keyed) {
      throw new UsageError(
        where,
        `another id has a place only where ids decide, but ${quoted(entry)} was given with another order.`,
        'Leave out the id, or elect by id and let nobody retire.',
      )
    }
    return {
      at: momentOf(where, time, clock),
      what: 'recover',
      node: positionOf(where, position, n),
      id: id === undefined ? null : integer(where, id, 0, Number.MAX_SAFE_INTEGER, 'an id'),
    }
  })
}

/** Keys from 1 on are left free for those who retire, the last to retire having the lowest. */
function retirements(where: string, plan: string, n: number, clock: TimeUnit): FaultEvent[] {
  const entries = entriesOf(plan, ',')
  return entries.map((entry, retired) => {
    const parsed = /^(\d+)@([\d.e+]+)$/.exec(entry)
    if (parsed === null) throw malformed(where, entry, '7@20')
    const [, position, time] = parsed
    const node = positionOf(where, position, n)
    const at = momentOf(where, time, clock)
    return { at, what: 'retire', node, key: entries.length - retired }
  })
}

type Unplaced<C> = C extends FaultEvent ? Omit<C, 'at'> : never

/** Changes that begin and end: `WHAT@10..20`; `WHAT@10` for good, `WHAT` from the start. */
function spans(
  where: string,
  plan: string,
  separator: string,
  clock: TimeUnit,
  changesOf: (what: string) => [first: Unplaced<FaultEvent>, last: Unplaced<FaultEvent>],
): FaultEvent[] {
  return entriesOf(plan, separator).flatMap((entry) => {
    const [what, span = '', ...rest] = entry.split('@')
    const [from = '', to, ...more] = span.split('..')
    if (rest.length > 0 || more.length > 0 || (span === '' && entry.includes('@')))
      throw malformed(where, entry, `${what}@10..20`)
    const [first, last] = changesOf(what)
    const begin = from === '' ? -1 : momentOf(where, from, clock)
    const change = { ...first, at: begin } as FaultEvent
    if (to === undefined) return [change]
    const end = momentOf(where, to, clock)
    if (end > begin) return [change, { ...last, at: end } as FaultEvent]
    throw new UsageError(
      where,
      `the end comes after the beginning, but ${quoted(entry)} was given.`,
      'Swap them.',
    )
  })
}

function groupsOf(where: string, text: string, n: number): number[][] {
  const groups = text
    .split('/')
    .map((group) => group.split(',').map((position) => positionOf(where, position.trim(), n)))
  const all = groups.flat()
  if (groups.length < 2) throw malformed(where, text, '0,1,2/3,4@10..50')
  const twice = all.find((node, i) => all.indexOf(node) !== i)
  if (twice === undefined) return groups
  throw new UsageError(
    where,
    `a node is in one group, but position ${twice} is there twice.`,
    'Leave one out.',
  )
}

function refuseNoLink(where: string, topology: Topology, a: number, b: number): void {
  if (linksOf(topology, a).some((link) => topology.neighbor(a, link) === b)) return
  throw new UsageError(
    where,
    `a link of ${topology.name} is needed, but ${a} and ${b} have none.`,
    'Name two neighbours, by their positions.',
  )
}

function entriesOf(plan: string, separator: string): string[] {
  return plan === 'none' ? [] : plan.split(separator).map((entry) => entry.trim())
}

function malformed(where: string, given: string, example: string): UsageError {
  return new UsageError(
    where,
    `something like ${example} is needed, but ${quoted(given)} was given.`,
    'Numbers are positions, from 0; times come after the @.',
  )
}
