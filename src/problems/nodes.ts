import type { GlobalState } from '../core/index.ts'

/** Nodes up to this many are named in a complaint; more are counted. */
const NAMED = 5

export function nodeNames(situation: GlobalState, nodes: readonly number[]): string {
  if (nodes.length > NAMED) return `${nodes.length} nodes`
  const names = nodes.map((node) => situation.name(node)).join(', ')
  return `${nodes.length > 1 ? 'nodes' : 'node'} ${names}`
}

export function liveNodes(situation: GlobalState): number[] {
  const nodes: number[] = []
  for (let node = 0; node < situation.n; node++) if (situation.alive(node)) nodes.push(node)
  return nodes
}

/** Of the dead everything is true: where nobody lives there is nothing to judge. */
export function noLiveNode(situation: GlobalState): string | null {
  return liveNodes(situation).length === 0 ? 'no node is alive to lead or to follow' : null
}

/** The live nodes by the part of the network that they can reach. */
export function components(situation: GlobalState): number[][] {
  const parts = new Map<number, number[]>()
  for (const node of liveNodes(situation)) {
    const component = situation.component(node)
    const part = parts.get(component)
    if (part === undefined) parts.set(component, [node])
    else part.push(node)
  }
  return [...parts.values()]
}

/** Those in which somebody is awake: where all sleep nothing can be missed, unless all sleep. */
export function awakeComponents(situation: GlobalState): number[][] {
  const all = components(situation)
  const awake = all.filter((part) => part.some((node) => situation.state(node).status !== 'asleep'))
  return awake.length === 0 ? all : awake
}
