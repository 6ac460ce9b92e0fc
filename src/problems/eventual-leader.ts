import type { Problem, Property } from '../core/index.ts'
import { largestStaysLeader } from './leader-election.ts'
import { namedNodes, noLiveNode } from './nodes.ts'

/** Communication efficiency: who is silent in the long run costs nothing. */
const onlyLeaderSends: Property = {
  name: 'only the leader sends',
  says: 'In the long run no node sends but the leader.',
  when: 'in the long run',
  sees: 'outcomes',
  moot: noLiveNode,
  broken(global) {
    const others = (global.senders ?? []).filter((node) => !global.leaders.includes(node))
    const verb = others.length > 1 ? 'do' : 'does'
    return others.length === 0 ? null : `${namedNodes(global, others)} ${verb}, too`
  },
}

/**
 * The failure detector Omega: in the end all live nodes trust the same live node, the one with the
 * largest id. Before, several nodes may lead at one moment.
 */
export const eventualLeader = {
  name: 'eventual leader',
  properties: () => [largestStaysLeader, onlyLeaderSends],
} satisfies Problem

const converges: Property = {
  ...largestStaysLeader,
  name: 'converges',
  says: 'Whatever the states and messages at the beginning: from some time on every live node follows the live node with the largest id that it can reach.',
}

/**
 * Self-stabilization: from any state at all the nodes come to agree on the largest id. Before, they
 * may believe anything.
 */
export const selfStabilization = {
  name: 'self-stabilization',
  anyStart: true,
  properties: () => [converges],
} satisfies Problem
