import type { GlobalState, State } from '../core/index.ts'

/** Up to this many nodes are named in a violation; more are counted. */
const MOST_NAMED = 5

export function namedNodes(global: GlobalState, nodes: readonly number[]): string {
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
  for (let node = 0; node < global.n; node++) if (global.alive(node)) return null
  return 'no node is alive to lead or to follow'
}

/** The live nodes whose state, valid only during the call, fulfils a condition. */
export function liveNodesWhere(
  global: GlobalState,
  condition: (state: Readonly<State>) => boolean,
): number[] {
  const look = reading(global)
  const nodes: number[] = []
  for (let node = 0; node < global.n; node++)
    if (global.alive(node) && condition(look(node))) nodes.push(node)
  return nodes
}

/** How to read many states one by one: each is valid until the next is read. */
export function reading(global: GlobalState): (node: number) => Readonly<State> {
  return global.cursor?.() ?? ((node) => global.state(node))
}

/** The live nodes by component. */
export function liveComponents(global: GlobalState): number[][] {
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
  const all = liveComponents(global)
  const awake = all.filter((nodes) => nodes.some((node) => global.state(node).status !== 'asleep'))
  return awake.length === 0 ? all : awake
}
