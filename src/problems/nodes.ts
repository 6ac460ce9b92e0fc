import type { GlobalState } from '../core/index.ts'

/** Up to this many nodes are named in a violation; more are counted. */
const MOST_NAMED = 5

export function nodeNames(global: GlobalState, nodes: readonly number[]): string {
  if (nodes.length > MOST_NAMED) return `${nodes.length} nodes`
  const names = nodes.map((node) => global.name(node)).join(', ')
  return `${nodes.length > 1 ? 'nodes' : 'node'} ${names}`
}

export function liveNodes(global: GlobalState): number[] {
  const nodes: number[] = []
  for (let node = 0; node < global.n; node++) if (global.alive(node)) nodes.push(node)
  return nodes
}

/** Without live nodes there is nothing to decide. */
export function noLiveNode(global: GlobalState): string | null {
  return liveNodes(global).length === 0 ? 'no node is alive to lead or to follow' : null
}

/** The live nodes by component. */
export function components(global: GlobalState): number[][] {
  const byComponent = new Map<number, number[]>()
  for (const node of liveNodes(global)) {
    const component = global.component(node)
    const nodes = byComponent.get(component)
    if (nodes === undefined) byComponent.set(component, [node])
    else nodes.push(node)
  }
  return [...byComponent.values()]
}

/** The components with a node that is awake; all components if all nodes sleep. */
export function awakeComponents(global: GlobalState): number[][] {
  const all = components(global)
  const awake = all.filter((nodes) => nodes.some((node) => global.state(node).status !== 'asleep'))
  return awake.length === 0 ? all : awake
}
