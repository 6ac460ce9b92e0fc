import type { GlobalState, Problem, Property, TermLeader } from '../core/index.ts'
import type { ProblemTraits } from '../core/language/problem.ts'
import { liveComponents, namedNodes, noLiveNode } from './nodes.ts'

/** A majority that stands has a leader after so many leases. */
const LEASES = 3

const oneHolder: Property = {
  name: 'one holder at a time',
  says: 'No two nodes lead at the same time, whether they can reach each other or not.',
  when: 'always',
  passes: true,
  sees: 'leaders',
  broken: (global) =>
    global.leaders.length > 1 ? `${namedNodes(global, global.leaders)} lead at once` : null,
}

/** A leadership whose term is no larger than that of an earlier one; null where there is none. */
function stale({ leads = [] }: GlobalState): [earlier: TermLeader, later: TermLeader] | null {
  let highest: TermLeader | null = null
  for (const lead of leads) {
    if (highest !== null && lead.term <= highest.term) return [highest, lead]
    highest = lead
  }
  return null
}

const tokensGrow: Property = {
  name: 'tokens grow',
  says: 'Every leadership has a larger term than all before it, so that terms serve as fencing tokens.',
  when: 'always',
  sees: 'outcomes',
  broken(global) {
    const found = stale(global)
    if (found === null) return null
    const [earlier, later] = found
    const [before, now] = [global.name(earlier.node), namedNodes(global, [later.node])]
    return `${now} leads in term ${later.term} after ${before} led in term ${earlier.term}`
  },
}

/** The nodes of a majority that can reach each other and take part; empty where there is none. */
function standing(global: GlobalState, candidate: ProblemTraits['candidate']): number[] {
  const takesPart = (node: number) =>
    global.paused?.(node) !== true &&
    global.state(node).status !== 'asleep' &&
    (candidate?.(global.state(node)) ?? true)
  const groups = liveComponents(global).map((nodes) => nodes.filter(takesPart))
  return groups.find((nodes) => 2 * nodes.length > global.n) ?? []
}

function leaderInTime({ candidate }: Partial<ProblemTraits>): Property {
  return {
    name: 'a majority has a leader in time',
    says: `While a majority stands whose nodes reach each other, no node leads for at most ${LEASES} leases.`,
    when: 'always',
    sees: 'outcomes',
    moot: noLiveNode,
    within(global) {
      const { lease } = global.state(0)
      return typeof lease === 'number' ? LEASES * lease : null
    },
    broken(global) {
      if (global.leaders.length > 0) return null
      const nodes = standing(global, candidate)
      return nodes.length === 0 ? null : `no node leads, though ${namedNodes(global, nodes)} stand`
    },
  }
}

/**
 * Leadership that excludes: at most one node leads, wherever it is, for leaders act on the world
 * without asking. The length of a lease is the parameter `lease` of the definition; a node stands
 * where its `candidate` says so, and everywhere without one.
 */
export const lease = {
  name: 'lease',
  terms: true,
  ordered: true,
  properties: (_faults, traits: Partial<ProblemTraits> = {}) => [
    oneHolder,
    tokensGrow,
    leaderInTime(traits),
  ],
} satisfies Problem
