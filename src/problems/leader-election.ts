import type { GlobalState, NodeView, Problem, Property, State } from '../core/index.ts'
import { type Followed, type ProblemTraits, rivals } from '../core/language/problem.ts'
import {
  awakeComponents,
  liveComponents,
  liveNodesWhere,
  namedNodes,
  noLiveNode,
  reading,
} from './nodes.ts'
import { populationProperties } from './population-election.ts'

/** A node as clauses see it. */
type Node = NodeView<State>

function idAt(global: GlobalState, node: number): number {
  return global.state(node).id ?? 0
}

/** The node with the largest id; the last of them where ids are equal. */
function largestNode(global: GlobalState, nodes: readonly number[]): number {
  return nodes.reduce((a, b) => (idAt(global, b) >= idAt(global, a) ? b : a))
}

/** The same among all live nodes; -1 where there is none. */
function largestLiveNode(global: GlobalState): number {
  const look = reading(global)
  let best = -1
  let largest = Number.NEGATIVE_INFINITY
  for (let node = 0; node < global.n; node++) {
    const id = global.alive(node) ? (look(node).id ?? 0) : Number.NaN
    if (!(id >= largest)) continue
    best = node
    largest = id
  }
  return best
}

/** The live nodes, other than leaders, that violate a condition, in words. */
function everyOther(
  global: GlobalState,
  holds: (state: Readonly<State>) => boolean,
  violation: [one: string, several: string],
): string | null {
  const failing = liveNodesWhere(global, (state) => state.status !== 'leader' && !holds(state))
  return failing.length === 0
    ? null
    : `${namedNodes(global, failing)} ${violation[failing.length > 1 ? 1 : 0]}`
}

const atMostOneLeader: Property = {
  name: 'at most one leader',
  says: 'At most one node ever leads.',
  when: 'always',
  passes: true,
  sees: 'leaders',
  universal: {
    messages: [],
    nodes: 2,
    holds: (a: Node, b: Node) => a === b || a.status !== 'leader' || b.status !== 'leader',
  },
  symmetric: true,
  broken: (global) =>
    global.leaders.length > 1 ? `${namedNodes(global, global.leaders)} lead at once` : null,
}

const leaderStays: Property = {
  name: 'a leader stays leader',
  says: 'A node that leads never stops leading.',
  when: 'always',
  sees: 'leaders',
  universal: {
    step: (before: Node, after: Node) => before.status !== 'leader' || after.status === 'leader',
  },
  symmetric: true,
  broken: (global) =>
    global.deposed.length > 0 ? `${namedNodes(global, global.deposed)} stopped leading` : null,
}

const exactlyOneLeader: Property = {
  name: 'exactly one leader at the end',
  says: 'When the run is quiet, exactly one node leads.',
  when: 'at the end',
  symmetric: true,
  broken(global) {
    if (global.leaders.length === 1) return null
    return global.leaders.length === 0
      ? 'no node leads'
      : `${namedNodes(global, global.leaders)} lead`
  },
}

const largestLeads: Property = {
  name: 'the largest id leads',
  says: 'When the run is quiet, no node leads that has a smaller id than another live node.',
  when: 'at the end',
  universal: {
    messages: [],
    nodes: 2,
    holds: (a: Node, b: Node) => a.status !== 'leader' || b.id! <= a.id!,
  },
  symmetric: true,
  broken(global) {
    const best = largestLiveNode(global)
    const wrong = global.leaders.find((node) => idAt(global, node) < idAt(global, best))
    return wrong === undefined
      ? null
      : `${namedNodes(global, [wrong])} leads, but ${global.name(best)} has a larger id`
  },
}

const BEST_LEADS = 'the best by the attribute leads'

/**
 * In its place where an attribute decides, or only some nodes take part: the best of those leads.
 */
function bestLeads({ attribute, candidate, quiet }: Partial<ProblemTraits>): Property {
  const better = attribute === undefined ? 'has a larger id' : `is better by ${attribute}`
  return {
    name: attribute === undefined ? largestLeads.name : BEST_LEADS,
    says: 'When the run is quiet, no node leads that is worse than another live node that took part and that it can reach.',
    when: quiet === 'never' ? 'from some time on' : 'at the end',
    moot: noLiveNode,
    symmetric: true,
    broken(global) {
      for (const nodes of liveComponents(global)) {
        const candidates = nodes.filter((node) => candidate?.(global.state(node)) ?? true)
        if (candidates.length === 0) continue
        const best = largestNode(global, candidates)
        const isWorse = (node: number) => idAt(global, node) < idAt(global, best)
        const wrong = global.leaders.find((node) => nodes.includes(node) && isWorse(node))
        if (wrong !== undefined)
          return `${namedNodes(global, [wrong])} leads, but ${global.name(best)} ${better}`
      }
      return null
    },
  }
}

const losersKnow: Property = {
  name: 'the others know they lost',
  says: 'When the run is quiet, every other node has lost: it knows that it will not lead (variant 1).',
  when: 'at the end',
  symmetric: true,
  broken: (global) =>
    everyOther(global, ({ status }) => status === 'lost', [
      'does not know that it lost',
      'do not know that they lost',
    ]),
}

/** The first node that has ever followed another node than this one; undefined if none has. */
function misled({ followed = [] }: GlobalState, leader: number | null): Followed | undefined {
  return followed.find((one) => one.leader !== leader)
}

/** What is broken if a node has followed another than the leader, which it has to name. */
function inVain(global: GlobalState, { node, leader }: Followed): string {
  const followed = [...Array(global.n).keys()].find((other) => idAt(global, other) === leader)
  const whom = followed === undefined ? 'an id that no node has' : global.name(followed)
  return `${namedNodes(global, [node])} followed ${whom}, who does not lead at the end`
}

const leaderKnown: Property = {
  name: 'the others know the leader',
  says: 'When the run is quiet, every other node follows the leader by its id, and nobody has ever followed another id (variant 2).',
  when: 'at the end',
  broken(global) {
    const [leader] = global.leaders
    if (leader === undefined) return 'there is no leader'
    const { id } = global.state(leader)
    const wrong = misled(global, id!)
    if (wrong !== undefined) return inVain(global, wrong)
    return everyOther(global, ({ status, leader }) => status === 'lost' && leader === id, [
      'does not know the leader',
      'do not know the leader',
    ])
  },
}

/** Without ids all that a node can know of the leader is that there is one. */
const anonymousLeaderKnown: Property = {
  name: leaderKnown.name,
  says: 'When the run is quiet, a node leads, and every other node has lost and stopped: without ids it cannot know more (variant 2).',
  when: 'at the end',
  symmetric: true,
  broken(global) {
    if (global.leaders.length === 0) return 'there is no leader'
    return everyOther(global, ({ status, stopped }) => status === 'lost' && stopped, [
      'does not know that there is a leader',
      'do not know that there is a leader',
    ])
  },
}

const endKnown: Property = {
  name: 'the others know it is over',
  says: 'When the run is quiet, a node leads, and every other node has stopped, or follows the leader by its id in a run in which nobody has ever followed another (variant 3).',
  when: 'at the end',
  broken(global) {
    const [leader] = global.leaders
    if (leader === undefined) return 'there is no leader'
    const { id } = global.state(leader)
    const named = id !== undefined && misled(global, id) === undefined
    const isOver = ({ stopped, status, leader }: Readonly<State>) =>
      stopped || (named && status === 'lost' && leader === id)
    return everyOther(global, isOver, [
      'does not know that it is over',
      'do not know that it is over',
    ])
  },
}

/** Where nodes have no ids, two leaders are alike. */
const anonymousEndKnown: Property = {
  ...endKnown,
  says: 'When the run is quiet, a node leads, and every other node has stopped (variant 3).',
  symmetric: true,
}

/** The variants of Burman about what other nodes know of the leader, and the leader of the end. */
function knownOutcome(anonymous: boolean, lasting: boolean): readonly Property[] {
  if (!anonymous) return [leaderKnown, endKnown]
  // Nodes that go on for ever without ids do nothing that shows whether they know.
  return lasting ? [] : [anonymousLeaderKnown, anonymousEndKnown]
}

const leaderTerminates: Property = {
  name: 'the leader terminates',
  says: 'When the run is quiet, a node leads, and every leader has stopped (variant 4).',
  when: 'at the end',
  symmetric: true,
  broken(global) {
    const running = global.leaders.filter((node) => !global.state(node).stopped)
    if (global.leaders.length === 0) return 'there is no leader'
    const verb = running.length > 1 ? 'lead and have' : 'leads and has'
    return running.length === 0 ? null : `${namedNodes(global, running)} ${verb} not stopped`
  },
}

/** If all runs end, this is equivalent to a leader at the end. */
export const everyFairRunElects: Property = {
  name: 'every fair run elects',
  says: 'In every weakly fair run some node eventually leads.',
  when: 'eventually',
  symmetric: true,
  broken: ({ leaders }) => (leaders.length === 0 ? 'no node leads' : null),
}

const oneLeaderPerComponent: Property = {
  name: 'no two leaders that reach each other',
  says: 'No two live nodes that can reach each other lead at the same time, except during a handover from an old leader to a new one.',
  when: 'always',
  passes: true,
  sees: 'leaders',
  handsOver: true,
  symmetric: true,
  broken(global) {
    const pair = rivals(global).find(([one, other]) => !global.handover?.(one, other))
    return pair === undefined ? null : `${namedNodes(global, pair)} lead at once`
  },
}

/** The live nodes that do not follow the right leader of their component, in words. */
function wrongFollowers(global: GlobalState, wanted: ReadonlyMap<number, number>): string | null {
  const nodes = awakeComponents(global).flat()
  const wrong = nodes.filter((node) => {
    const right = wanted.get(global.component(node))
    const { status, leader } = global.state(node)
    if (right === undefined || right === node) return status !== 'leader'
    return status !== 'lost' || leader !== (global.state(right).id ?? null)
  })
  return wrong.length === 0
    ? null
    : `${namedNodes(global, wrong)} ${wrong.length > 1 ? 'do' : 'does'} not follow the right leader`
}

const agreementOnLargest: Property = {
  name: 'all live nodes follow the largest',
  says: 'When the run is quiet, every live node follows the live node with the largest id that it can reach, which leads; parts of the network in which no node has started are left out.',
  when: 'at the end',
  moot: noLiveNode,
  broken(global) {
    const best = liveComponents(global).map((nodes): [number, number] => [
      global.component(nodes[0]),
      largestNode(global, nodes),
    ])
    return wrongFollowers(global, new Map(best))
  },
}

export const agreementOnLeader: Property = {
  name: 'all live nodes follow a live leader',
  says: 'When the run is quiet, every live node follows the live leader that it can reach; parts of the network in which no node has started are left out.',
  when: 'at the end',
  moot: noLiveNode,
  symmetric: true,
  broken: (global) =>
    wrongFollowers(global, new Map(global.leaders.map((node) => [global.component(node), node]))),
}

/** In place of agreement at the end, where there is no end. */
export const leaderStaysAgreed: Property = {
  name: 'the leader is stable',
  says: 'From some time on every live node follows the live leader that it can reach; parts of the network in which no node has started are left out.',
  when: 'from some time on',
  sees: 'outcomes',
  moot: noLiveNode,
  symmetric: true,
  broken: agreementOnLeader.broken,
}

export const largestStaysLeader: Property = {
  name: 'the largest is the stable leader',
  says: 'From some time on every live node follows the live node with the largest id that it can reach, which leads; parts of the network in which no node has started are left out.',
  when: 'from some time on',
  sees: 'outcomes',
  moot: noLiveNode,
  broken: agreementOnLargest.broken,
}

/** What properties of the largest id are called in runs in which nodes retire. */
const NAMES_AMONG_STANDING: ReadonlyMap<string, string> = new Map([
  [agreementOnLargest.name, 'all live nodes follow the largest that stands'],
  [largestStaysLeader.name, 'the largest that stands is the stable leader'],
  [largestLeads.name, 'the largest id that stands leads'],
  [BEST_LEADS, 'the best by the attribute that stands leads'],
])

/** The same property in a run in which nodes retire: engines rank these below all others. */
export function amongStanding(property: Property): Property {
  const { says } = property
  const name = NAMES_AMONG_STANDING.get(property.name)
  if (name === undefined) return property
  const rank = 'A node that has retired stands no more: it ranks below all others, the last lowest.'
  return { ...property, name, says: `${says} ${rank}` }
}

/** Leader election: one node leads and the others know it, without faults and with crashes. */
export const leaderElection = {
  name: 'leader election',
  properties(faults, traits: Partial<ProblemTraits> = {}) {
    const { elects = 'largest', lasting = false, quiet = null, needs } = traits
    if (traits.meet) return populationProperties
    // Anonymous nodes have no ids to compare.
    const anonymous = needs !== undefined && needs.ids === undefined
    const largestWins = elects === 'largest' && !anonymous
    const byIdAlone = traits.attribute === undefined && !traits.candidate
    const best = largestWins ? [byIdAlone ? largestLeads : bestLeads(traits)] : []
    // Agreement on the largest includes that the largest leads.
    const also = byIdAlone ? [] : best
    const agreed = largestWins && !traits.candidate
    if (quiet === 'never') {
      const always = faults ? [oneLeaderPerComponent] : [atMostOneLeader, leaderStays]
      return [...always, agreed ? largestStaysLeader : leaderStaysAgreed, ...also]
    }
    if (faults)
      return [oneLeaderPerComponent, agreed ? agreementOnLargest : agreementOnLeader, ...also]
    return [
      atMostOneLeader,
      leaderStays,
      exactlyOneLeader,
      ...best,
      losersKnow,
      ...knownOutcome(anonymous, lasting),
      ...(lasting ? [] : [leaderTerminates]),
    ]
  },
} satisfies Problem

/**
 * Implicit leader election: one node leads, and the others know only that they do not. They know
 * neither the leader nor whether there is one yet.
 */
export const implicitElection = {
  name: 'implicit leader election',
  properties: (faults, traits: Partial<ProblemTraits> = {}) =>
    leaderElection
      .properties(faults, traits)
      .filter((property) => !EXPLICIT.some(({ name }) => name === property.name)),
} satisfies Problem

/** What nodes know of another node than themselves. */
const EXPLICIT = [
  leaderKnown,
  endKnown,
  agreementOnLeader,
  agreementOnLargest,
  leaderStaysAgreed,
  largestStaysLeader,
]

/**
 * What an election that may fail promises only with a chance; everything else holds in every run.
 */
export const oneLeads: readonly Property[] = [
  atMostOneLeader,
  exactlyOneLeader,
  largestLeads,
  leaderKnown,
  endKnown,
  leaderTerminates,
  oneLeaderPerComponent,
]
