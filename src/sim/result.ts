import type { GlobalState, Verdict } from '../core/language/problem.ts'
import { idOf, namingIn, type World } from '../core/language/world.ts'
import { type BoundResult, boundsOf } from './bounds.ts'
import type { OverrideResult } from './faults/message-overrides.ts'
import type { RunEnd, Simulation } from './simulation.ts'

/** Up to this many nodes a result lists them without being asked. */
const LISTED = 1000

/** What came out of a run, as `conclave run --json` prints it. */
export interface RunResult {
  readonly n: number
  readonly links: number
  /** The one live leader at the end; null if there is none or there are several. */
  readonly leader: { readonly node: number; readonly id: number | null } | null
  /** Positions in the order of taking office. */
  readonly leaders: readonly number[]
  /** Those of them that live and lead at the end. */
  readonly leading: readonly number[]
  readonly messages: {
    readonly total: number
    readonly byType: Readonly<Record<string, number>>
    readonly toDead: number
    readonly lost: number
    readonly duplicated: number
  }
  readonly bits: number
  readonly time: {
    readonly unit: 'round' | 'time'
    readonly elected: number | null
    readonly last: number | null
  }
  readonly verdict: { readonly ok: boolean; readonly properties: readonly Verdict[] }
  readonly bounds: readonly BoundResult[]
  /** Old leaders that stood beside new ones until they heard of them, by position. */
  readonly handovers?: readonly { old: number; young: number; from: number; to: number | null }[]
  /** What came of what was done to single messages, where something was. */
  readonly tampered?: readonly OverrideResult[]
  /** The tree that the algorithm has built, if it builds one; its edges where nodes are listed. */
  readonly tree?: SpanningTree
  readonly nodes?: readonly NodeResult[]
  /** Messages by direction of each link, on request. */
  readonly traffic?: readonly { from: number; to: number; messages: number }[]
}

/** The tree that an algorithm has built. */
export interface SpanningTree {
  /** How many edges it has. */
  readonly links: number
  /** What they cost together, where links have a cost. */
  readonly weight?: number
  /** By position, the smaller one first, with the cost of the edge where links have one. */
  readonly edges?: readonly TreeEdge[]
}

type TreeEdge = readonly [u: number, v: number] | readonly [u: number, v: number, weight: number]

/** One node at the end of a run. */
export interface NodeResult {
  readonly node: number
  readonly id: number | null
  /** What it holds, where nodes hold something. */
  readonly value?: number
  readonly status: 'leader' | 'lost' | 'unknown' | 'asleep' | 'dead'
  readonly leader: number | null
  readonly state: Readonly<Record<string, unknown>>
  readonly sent?: number
  readonly received?: number
}

/** Reads the result off a run that has ended. */
export function resultOf(simulation: Simulation, ending: RunEnd): RunResult {
  const { world, conditions, monitor, algorithm, linkCounters, overrides } = simulation
  const [leader] = monitor.leaders
  const { topology } = world
  const offset = conditions.synchronous ? 1 : 0
  const moment = (time: number) => (time < 0 ? null : time + offset)
  const properties = monitor.verdicts(ending === 'quiet' ? null : limitOf(simulation))
  const listed = topology.n <= LISTED || linkCounters !== null
  const tree = treeOf(world, monitor, listed)
  return {
    n: topology.n,
    links: topology.links,
    leader:
      monitor.leaders.length === 1
        ? { node: leader, id: realId(world, monitor.state(leader).id) }
        : null,
    leaders: monitor.leaderHistory,
    leading: [...monitor.leaders],
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
      unit: conditions.synchronous ? 'round' : 'time',
      elected: moment(monitor.elected),
      last: moment(simulation.lastReceipt),
    },
    verdict: { ok: properties.every(({ holds }) => holds === true), properties },
    bounds: boundsOf(simulation),
    ...(monitor.handovers.all.length > 0 && { handovers: handoversOf(simulation) }),
    ...(overrides !== null && { tampered: overrides.outcomes(offset) }),
    ...(tree && { tree }),
    ...(listed && { nodes: nodesOf(simulation) }),
    ...(linkCounters !== null && { traffic: linkCounters.traffic(topology) }),
  }
}

/** Which limit stopped a run, in words. */
function limitOf({ limitReached, counters, conditions, world }: Simulation): string {
  const { until, maxMessages, synchronous } = conditions
  if (!limitReached) {
    const end = synchronous ? `round ${until + 1}` : `time ${until}`
    return `stopped after ${end}; --until raises it`
  }
  const what = counters.total < maxMessages ? `timers of ${world.algorithm.name}` : 'messages'
  return `stopped after ${maxMessages} ${what}; --max-messages raises it`
}

/** The id as people know it; null where there is none. */
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
  const naming = namingIn(world)
  return states.all().map((state, node) => ({
    node,
    id: realId(world, state.id),
    ...(world.values && { value: world.values[node] }),
    status: monitor.alive(node) ? state.status : 'dead',
    leader: realId(world, state.leader),
    state: algorithm.layout.json(state, naming),
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
      // Both ends may name an edge; and a ring of two has two edges between the same nodes.
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
 * What came out of several elections at once: counts are added up, and it is well if all of them
 * are. Who leads, and what became of the nodes, is what the first says.
 */
export function combined(results: Readonly<Record<string, RunResult>>): RunResult {
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

function addedUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [type, count] of counts.flatMap(Object.entries)) {
    sums[type] = (sums[type] ?? 0) + count
  }
  return sums
}
