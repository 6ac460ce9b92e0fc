import type { GlobalState, Verdict } from '../core/language/problem.ts'
import { idOf, resultNaming, type World } from '../core/language/world.ts'
import {
  type BoundResult,
  boundsOf,
  type ExpectedMeetings,
  expectedMeetings,
  type FailureResult,
  failureResult,
} from './bounds.ts'
import { type RunUnit, timeUnit } from './conditions.ts'
import type { OverrideResult } from './faults/message-overrides.ts'
import type { RunEnd, Simulation } from './simulation.ts'
import { LATEST, type RunStop } from './stability.ts'

/** Results of up to this many nodes list the nodes by default. */
const LISTED = 1000

/** The result of a run, as `conclave run --json` prints it. */
export interface RunResult {
  readonly n: number
  readonly links: number
  /** The live leader at the end; null if there is none or more than one. */
  readonly leader: { readonly node: number; readonly id: number | null } | null
  /** The positions of all nodes that became leader, in that order. */
  readonly leaders: readonly number[]
  /** Who began to lead when and in which term; only where there are terms or no silence. */
  readonly leads?: readonly LeadResult[]
  /** The positions of the live leaders at the end. */
  readonly leading: readonly number[]
  /**
   * Only for algorithms that never fall silent: the positions of the nodes that send in the long
   * run, later than one period (the longest timer) after the outcome became stable; null where the
   * run has not come to that.
   */
  readonly senders?: readonly number[] | null
  readonly messages: {
    readonly total: number
    readonly byType: Readonly<Record<string, number>>
    readonly toDead: number
    readonly lost: number
    readonly duplicated: number
  }
  readonly bits: number
  readonly time: {
    readonly unit: RunUnit
    readonly elected: number | null
    readonly last: number | null
    /**
     * Only for algorithms that never fall silent: since when the outcome has not changed, up to the
     * end of the run; null where it was still open.
     */
    readonly stable?: number | null
    /** Only where nodes meet: `stable` divided by the number of nodes. */
    readonly parallel?: number | null
    /** Only for algorithms that never fall silent: when the run ended. */
    readonly ended?: number
    /** Only where nodes meet, and where it is known: how many meetings are expected. */
    readonly expected?: ExpectedMeetings
  }
  readonly verdict: { readonly ok: boolean; readonly properties: readonly Verdict[] }
  readonly bounds: readonly BoundResult[]
  /**
   * Only for elections that may fail: whether this one elected nobody or several, and the chance.
   */
  readonly failure?: FailureResult
  /** Overlaps of an old leader with a new one that were no violation, by position. */
  readonly handovers?: readonly { old: number; young: number; from: number; to: number | null }[]
  /** The effects of overrides of single messages, where there are any. */
  readonly tampered?: readonly OverrideResult[]
  /** The spanning tree, if the algorithm builds one; with edges where nodes are listed. */
  readonly tree?: SpanningTree
  readonly nodes?: readonly NodeResult[]
  /** The number of messages in each direction of each link, on request. */
  readonly traffic?: readonly { from: number; to: number; messages: number }[]
}

/** A spanning tree that an algorithm has built. */
export interface SpanningTree {
  /** The number of edges. */
  readonly links: number
  /** The sum of the weights, where links have weights. */
  readonly weight?: number
  /** Positions, the smaller one first, and the weight where links have weights. */
  readonly edges?: readonly TreeEdge[]
}

type TreeEdge = readonly [u: number, v: number] | readonly [u: number, v: number, weight: number]

/** A node took office. */
export interface LeadResult {
  readonly time: number
  readonly node: number
  /** Null where there are no terms. */
  readonly term: number | null
}

/** One node at the end of a run. */
export interface NodeResult {
  readonly node: number
  readonly id: number | null
  /** The value of the node, where nodes have values. */
  readonly value?: number
  readonly status: 'leader' | 'lost' | 'unknown' | 'asleep' | 'dead'
  readonly leader: number | null
  readonly state: Readonly<Record<string, unknown>>
  readonly sent?: number
  readonly received?: number
}

/** The result of a run that has ended. */
export function resultOf(simulation: Simulation, ending: RunEnd): RunResult {
  const { world, conditions, monitor, algorithm, linkCounters, overrides } = simulation
  const [leader] = monitor.leaders
  const { topology } = world
  const offset = conditions.synchronous ? 1 : 0
  const moment = (time: number) => (time < 0 ? null : time + offset)
  const senders = sendersOf(simulation)
  monitor.longRunSenders = senders
  const properties =
    ending === 'quiet'
      ? monitor.verdicts(null)
      : monitor.verdicts(limitOf(simulation), stopOf(simulation))
  const listed = topology.n <= LISTED || linkCounters !== null
  const tree = treeOf(world, monitor, listed)
  const expected = algorithm.meet === null ? null : expectedMeetings(simulation)
  const failure = failureResult(simulation)
  return {
    n: topology.n,
    links: topology.links,
    leader:
      monitor.leaders.length === 1
        ? { node: leader, id: realId(world, monitor.state(leader).id) }
        : null,
    leaders: monitor.leaderHistory,
    ...leadsOf(simulation, offset),
    leading: [...monitor.leaders],
    ...(simulation.lastSent !== null && { senders }),
    messages: {
      total: simulation.counters.total,
      byType: Object.fromEntries(
        algorithm.kinds.map(({ name, index }) => [name, simulation.counters.sent[index]]),
      ),
      toDead: simulation.toDead,
      lost: simulation.lost,
      duplicated: simulation.duplicated,
    },
    bits: simulation.counters.bits,
    time: {
      unit: timeUnit(world, conditions),
      elected: moment(monitor.elected),
      last: moment(simulation.lastReceipt),
      ...(algorithm.quiet === 'never' && {
        stable: monitor.stableSince,
        ...(algorithm.meet !== null && { parallel: parallelTime(monitor) }),
        ended: stopOf(simulation).at,
      }),
      ...(expected && { expected }),
    },
    verdict: { ok: properties.every(({ holds }) => holds === true), properties },
    bounds: boundsOf(simulation),
    ...(failure && { failure }),
    ...(monitor.handovers.all.length > 0 && { handovers: handoversOf(simulation) }),
    ...(overrides !== null && { tampered: overrides.outcomes(offset) }),
    ...(tree && { tree }),
    ...(listed && { nodes: nodesOf(simulation) }),
    ...(linkCounters !== null && { traffic: linkCounters.traffic(topology) }),
  }
}

/** Who took office when, where there are terms or no silence; where nodes meet, too many do. */
function leadsOf({ monitor, algorithm }: Simulation, offset: number): Pick<RunResult, 'leads'> {
  const { leads, leaderHistory, leaderTimes } = monitor
  if (leads.length > 0 || algorithm.problem?.terms)
    return { leads: leads.map((lead) => ({ ...lead, time: lead.time + offset })) }
  if (algorithm.quiet !== 'never' || algorithm.meet !== null) return {}
  return {
    leads: leaderHistory.map((node, i) => ({ time: leaderTimes[i] + offset, node, term: null })),
  }
}

/** Who sends in the long run; null where that is not known. */
function sendersOf(simulation: Simulation): readonly number[] | null {
  const { lastSent, monitor, conditions } = simulation
  const { at, longestTimer } = stopOf(simulation)
  if (lastSent === null || monitor.stableSince === null) return null
  const from = monitor.stableSince + longestTimer
  if (from >= at) return null
  const offset = conditions.synchronous ? 1 : 0
  return [...lastSent.keys()].filter((node) => lastSent[node] + offset > from)
}

function parallelTime({ stableSince, n }: Simulation['monitor']): number | null {
  return stableSince === null ? null : stableSince / n
}

function stopOf({ limitReached, now, timeLimit, conditions, algorithm }: Simulation): RunStop {
  const { end, longestTimer } = timeLimit
  if (algorithm.meet !== null) return { at: now, longestTimer: 0, meeting: true }
  const offset = conditions.synchronous ? 1 : 0
  // Without any timer there is no end but the last event.
  return { at: (limitReached || end >= LATEST ? now : end) + offset, longestTimer }
}

/** The limit that stopped a run, in words. */
function limitOf({
  limitReached,
  counters,
  conditions,
  world,
  timeLimit,
  now,
}: Simulation): string {
  const { end } = timeLimit
  const { maxMessages, synchronous } = conditions
  if (world.algorithm.meet !== null)
    return `stopped after ${now} interactions, the limit of the run`
  if (!limitReached) {
    const last = synchronous ? `round ${end + 1}` : `time ${end}`
    return `stopped after ${last}, the limit of the run`
  }
  const what = counters.total < maxMessages ? `timers of ${world.algorithm.name}` : 'messages'
  return `stopped after ${maxMessages} ${what}, the limit of the run`
}

/** The real id behind a key; null where there is none. */
function realId(world: World, key: number | null | undefined): number | null {
  return key === null || key === undefined ? null : idOf(world, key)
}

function handoversOf({ monitor, conditions }: Simulation) {
  const offset = conditions.synchronous ? 1 : 0
  return monitor.handovers.all.map(({ nodes: [old, young], from, to }) => ({
    old,
    young,
    from: from + offset,
    to: to === null ? null : to + offset,
  }))
}

/** Every node, however many there are. */
export function nodesOf({
  world,
  states,
  monitor,
  algorithm,
  linkCounters,
}: Simulation): NodeResult[] {
  return states.all().map((state, node) => ({
    node,
    id: realId(world, state.id),
    ...(world.values && { value: world.values[node] }),
    status: monitor.alive(node) ? state.status : 'dead',
    leader: realId(world, state.leader),
    state: algorithm.layout.json(state, resultNaming(world, node)),
    ...(linkCounters !== null && {
      sent: linkCounters.sent[node],
      received: linkCounters.received[node],
    }),
  }))
}

/** The tree that the live nodes have built, put together from the tree links of each node. */
function treeOf(
  { algorithm, topology, weights }: World,
  situation: GlobalState,
  all: boolean,
): SpanningTree | null {
  if (algorithm.tree === null) return null
  const found = new Map<number, TreeEdge>()
  for (let node = 0; node < topology.n; node++) {
    for (const link of situation.alive(node) ? algorithm.tree(situation.state(node)) : []) {
      const other = topology.neighbor(node, link)
      const channel = topology.channel(node, link)
      // Both ends may report an edge; a ring of two has two edges between the same nodes.
      const edge = Math.min(channel, topology.channel(other, topology.back(node, link)))
      const ends = [Math.min(node, other), Math.max(node, other)] as const
      if (situation.alive(other)) found.set(edge, weights ? [...ends, weights[channel]] : ends)
    }
  }
  const edges = [...found.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const weight = edges.reduce((sum, [, , cost = 0]) => sum + cost, 0)
  return { links: edges.length, ...(weights && { weight }), ...(all && { edges }) }
}

/**
 * The results of several elections in one: counts are added up, and the verdict is good if all are.
 * Leader and nodes are those of the first election.
 */
export function combinedResults(results: Readonly<Record<string, RunResult>>): RunResult {
  const all = Object.values(results)
  const { traffic: _, ...first } = all[0]
  const sum = (count: (result: RunResult) => number) =>
    all.reduce((total, result) => total + count(result), 0)
  const last = (moments: readonly (number | null)[]) =>
    moments.reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.max(a, b)))
  const elected = all.map(({ time }) => time.elected)
  return {
    ...first,
    messages: {
      total: sum(({ messages }) => messages.total),
      byType: addedUp(all.map(({ messages }) => messages.byType)),
      toDead: sum(({ messages }) => messages.toDead),
      lost: sum(({ messages }) => messages.lost),
      duplicated: sum(({ messages }) => messages.duplicated),
    },
    bits: sum(({ bits }) => bits),
    time: {
      unit: first.time.unit,
      elected: elected.includes(null) ? null : last(elected),
      last: last(all.map(({ time }) => time.last)),
    },
    verdict: {
      ok: all.every(({ verdict }) => verdict.ok),
      properties: Object.entries(results).flatMap(([role, { verdict }]) =>
        verdict.properties.map((property) => ({ ...property, name: `${role}: ${property.name}` })),
      ),
    },
    bounds: all.flatMap(({ bounds }) => bounds),
  }
}

/** Counts by type, added up. */
export function addedUp(
  counts: readonly Readonly<Record<string, number>>[],
): Record<string, number> {
  const sums = new Map<string, number>()
  for (const [type, count] of counts.flatMap(Object.entries))
    sums.set(type, (sums.get(type) ?? 0) + count)
  return Object.fromEntries(sums)
}
