import type { Problem, Property } from '../core/index.ts'
import { largestStaysLeader } from './leader-election.ts'

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
