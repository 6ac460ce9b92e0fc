import type { TransitionCache } from '../model/transition-cache.ts'
import type { TransitionSystem } from '../model/transition-system.ts'

/**
 * Whether it is sound to let all nodes wake at the beginning. A spontaneous wake-up commutes with
 * all earlier transitions, since nothing happens to a sleeping node. A node that a message would
 * have woken may wake earlier if it starts in the same way then. And no run may end while some node
 * sleeps: a node that starts sends to others, which wake, and so on to all nodes.
 */
export function eagerWakeIsSound(system: TransitionSystem): boolean {
  const { anyWake, faults, cache } = system
  if (!anyWake || faults !== null || !cache.world.algorithm.wakes) return false
  const starts = cache.initialStates.map((local, node) => startOf(system, node, local))
  if (!starts.every(({ uniform }) => uniform)) return false
  const wakes = starts.map((start) => start.wakes)
  // Strongly connected: node 0 reaches all nodes, and all reach node 0.
  return reachesAll(wakes) && reachesAll(reversed(wakes))
}

/** How a node starts: whether always in the same way, and which nodes it sends to. */
interface Start {
  readonly uniform: boolean
  readonly wakes: readonly number[]
}

/** By system, node and local state: a system may be searched for one permutation after another. */
const known = new WeakMap<TransitionSystem, Start[][]>()

function startOf(system: TransitionSystem, node: number, local: number): Start {
  const { cache } = system
  const starts = known.get(system) ?? cache.localStates.map(() => [])
  known.set(system, starts)
  starts[node][local] ??= {
    uniform: cache.startsUniformly(node, local),
    wakes: wokenByStart(cache, node, local),
  }
  return starts[node][local]
}

/** The nodes to which a node sends in every outcome of its start; none if it may become leader. */
function wokenByStart(cache: TransitionCache, node: number, local: number): number[] {
  const outcomes = cache.onWake(node, local)
  if (outcomes.length === 0 || outcomes.some(({ changesLeader }) => changesLeader)) return []
  const [first, ...others] = outcomes.map(
    ({ sent }) => new Set(sent.map(({ channel }) => cache.channels[channel].route.to)),
  )
  return [...first].filter((to) => others.every((receivers) => receivers.has(to)))
}

/** Whether all nodes are reached from node 0. */
function reachesAll(edges: readonly (readonly number[])[]): boolean {
  const reached = new Set([0])
  for (const node of reached) for (const other of edges[node]) reached.add(other)
  return reached.size === edges.length
}

/** The same graph with all edges reversed. */
function reversed(edges: readonly (readonly number[])[]): number[][] {
  const into: number[][] = edges.map(() => [])
  for (const [node, others] of edges.entries()) for (const other of others) into[other].push(node)
  return into
}
