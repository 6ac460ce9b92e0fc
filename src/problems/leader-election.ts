import type { GlobalState, Problem, Property } from '../core/index.ts'
import { rivals } from '../core/language/problem.ts'
import { awakeComponents, liveNodes, nodeNames, noLiveNode } from './nodes.ts'

/** A complaint about the live nodes, other than leaders, for which something is not true. */
function everyOther(
  situation: GlobalState,
  holds: (node: number) => boolean,
  complaint: string,
): string | null {
  const failing = liveNodes(situation).filter(
    (node) => situation.state(node).status !== 'leader' && !holds(node),
  )
  return failing.length === 0 ? null : `${nodeNames(situation, failing)} ${complaint}`
}

const atMostOneLeader: Property = {
  name: 'at most one leader',
  says: 'At most one node ever leads.',
  when: 'always',
  passes: true,
  sees: 'leaders',
  broken: (situation) =>
    situation.leaders.length > 1 ? `${nodeNames(situation, situation.leaders)} lead at once` : null,
}

const leaderStays: Property = {
  name: 'a leader stays leader',
  says: 'A node that leads never stops leading.',
  when: 'always',
  sees: 'leaders',
  broken: (situation) =>
    situation.deposed.length > 0
      ? `${nodeNames(situation, situation.deposed)} led and gave it up`
      : null,
}

const exactlyOneLeader: Property = {
  name: 'exactly one leader at the end',
  says: 'When the run is quiet exactly one node leads.',
  when: 'at the end',
  broken(situation) {
    if (situation.leaders.length === 1) return null
    return situation.leaders.length === 0
      ? 'nobody leads'
      : `${nodeNames(situation, situation.leaders)} lead`
  },
}

const losersKnow: Property = {
  name: 'the others know they lost',
  says: 'Every other node knows that it will not lead (variant 1).',
  when: 'at the end',
  broken: (situation) =>
    everyOther(situation, (node) => situation.state(node).status === 'lost', 'not aware of losing'),
}

const leaderKnown: Property = {
  name: 'the others know the leader',
  says: "Every other node knows the leader's id (variant 2).",
  when: 'at the end',
  broken(situation) {
    const [leader] = situation.leaders
    if (leader === undefined) return 'there is no leader to know'
    const id = situation.state(leader).id ?? null
    return everyOther(
      situation,
      (node) => situation.state(node).status === 'lost' && situation.state(node).leader === id,
      'without the right id',
    )
  },
}

const endKnown: Property = {
  name: 'the others know it is over',
  says: 'Every other node knows that a leader has been elected (variant 3).',
  when: 'at the end',
  broken: (situation) =>
    everyOther(
      situation,
      (node) => situation.state(node).stopped || situation.state(node).status === 'lost',
      'still waiting',
    ),
}

const leaderTerminates: Property = {
  name: 'the leader terminates',
  says: 'The leader terminates explicitly (variant 4).',
  when: 'at the end',
  broken(situation) {
    const running = situation.leaders.filter((node) => !situation.state(node).stopped)
    if (situation.leaders.length === 0) return 'there is no leader'
    return running.length === 0
      ? null
      : `${nodeNames(situation, running)} leads and has not stopped`
  },
}

/** Where all runs end, that there is a leader at the end says the same. */
export const everyFairRunElects: Property = {
  name: 'every fair run elects',
  says: 'In every run in which nothing is ignored for ever somebody leads sooner or later.',
  when: 'eventually',
  broken: ({ leaders }) => (leaders.length === 0 ? 'nobody leads' : null),
}

const oneLeaderPerComponent: Property = {
  name: 'no two live leaders',
  says: 'No two live nodes that can reach each other lead at the same time, except for an old leader that is about to hear of a new one.',
  when: 'always',
  passes: true,
  sees: 'leaders',
  handsOver: true,
  broken(situation) {
    const pair = rivals(situation).find(([one, other]) => !situation.handover?.(one, other))
    return pair === undefined ? null : `${nodeNames(situation, pair)} lead at once`
  },
}

/** A complaint about live nodes that do not follow whom their part of the network should. */
function wrongFollowers(
  situation: GlobalState,
  wanted: ReadonlyMap<number, number>,
): string | null {
  const judged = awakeComponents(situation).flat()
  const lost = judged.filter((node) => {
    const right = wanted.get(situation.component(node))
    const { status, leader } = situation.state(node)
    if (right === undefined || right === node) return status !== 'leader'
    return status !== 'lost' || leader !== (situation.state(right).id ?? null)
  })
  return lost.length === 0 ? null : `${nodeNames(situation, lost)} without the right leader`
}

const agreementOnLargest: Property = {
  name: 'all live nodes follow the largest',
  says: 'When the run is quiet every live node follows the live node with the largest id that it can reach; a view that names a dead node counts as none.',
  when: 'at the end',
  moot: noLiveNode,
  broken(situation) {
    const best = new Map<number, number>()
    for (const node of liveNodes(situation)) {
      const component = situation.component(node)
      const rival = best.get(component) ?? node
      const larger = (situation.state(node).id ?? 0) >= (situation.state(rival).id ?? 0)
      if (larger) best.set(component, node)
    }
    return wrongFollowers(situation, best)
  },
}

const agreementOnLeader: Property = {
  name: 'all live nodes follow a live leader',
  says: 'When the run is quiet every live node follows the live leader that it can reach; a view that names a dead node counts as none.',
  when: 'at the end',
  moot: noLiveNode,
  broken: (situation) =>
    wrongFollowers(
      situation,
      new Map(situation.leaders.map((node) => [situation.component(node), node])),
    ),
}

const withoutFaults = [
  atMostOneLeader,
  leaderStays,
  exactlyOneLeader,
  losersKnow,
  leaderKnown,
  endKnown,
  leaderTerminates,
]

/** One node leads and the others know it: without faults, and with crashes. */
export const leaderElection: Problem = {
  name: 'leader election',
  properties(faults, largestWins = true, lasting = false) {
    if (!faults) return withoutFaults.filter((it) => !(lasting && it === leaderTerminates))
    return [oneLeaderPerComponent, largestWins ? agreementOnLargest : agreementOnLeader]
  },
}
