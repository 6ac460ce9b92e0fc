import {
  type GlobalState,
  LED,
  type MessageView,
  type Problem,
  type Property,
  type State,
  type TermLeader,
} from '../core/index.ts'
import { agreementOnLeader, leaderStaysAgreed } from './leader-election.ts'
import { liveNodes } from './nodes.ts'

type Led = MessageView<typeof LED, State>

/** Two nodes that have led in the same term; null if there are none. */
function sharedTerm({ leads = [] }: GlobalState): [TermLeader, TermLeader] | null {
  const firstIn = new Map<number, TermLeader>()
  for (const lead of leads) {
    const first = firstIn.get(lead.term)
    if (first === undefined) firstIn.set(lead.term, lead)
    else if (first.node !== lead.node) return [first, lead]
  }
  return null
}

/**
 * Safety of elections in terms. It reads the history, not only who leads now: a leader that was
 * deposed or has crashed still counts for its term.
 */
export const oneLeaderPerTerm: Property = {
  name: 'one leader per term',
  says: 'No two nodes ever lead in the same term.',
  when: 'always',
  sees: 'outcomes',
  universal: {
    messages: [LED, LED],
    nodes: 0,
    holds: (one: Led, other: Led) => one.term !== other.term || one.to === other.to,
  },
  broken(global) {
    const found = sharedTerm(global)
    if (found === null) return null
    const [first, second] = found.map(({ node }) => global.name(node))
    return `nodes ${first} and ${second} both led in term ${found[0].term}`
  },
}

/** Nothing is promised while no majority of the voters is alive. */
function noMajority(global: GlobalState): string | null {
  return 2 * liveNodes(global).length <= global.n ? 'no majority of the voters is alive' : null
}

/**
 * Leader election term by term: `net.lead({ term })`. Two leaders at once are no violation if their
 * terms differ. Without a bound on delays no algorithm can promise that an election ends, so the
 * checker demands agreement only of those that need one; runs are judged by it in any case.
 */
export const leaderPerTerm = {
  name: 'leader per term',
  terms: true,
  properties: (_faults, { quiet, needs }) => {
    const voted = needs.knows?.includes('voters') === true
    const agreed = quiet === 'never' ? leaderStaysAgreed : agreementOnLeader
    return [oneLeaderPerTerm, voted ? { ...agreed, unpromised: noMajority } : agreed]
  },
} satisfies Problem
