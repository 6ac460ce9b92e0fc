import type { RunFacts } from '../../recording/run-log.ts'

/** A node of a drawing, in the unit square. */
export interface DrawnNode {
  readonly x: number
  readonly y: number
}

/** A network as it is drawn: nodes by position, and links between them. */
export interface NetworkDrawing {
  readonly nodes: readonly DrawnNode[]
  /** Pairs of positions, the smaller one first. */
  readonly links: readonly (readonly [number, number])[]
}

/** More nodes than this are not drawn by hand. */
export const MOST_DRAWN = 60

/** The drawing of a network that is shown; a circle where it has no places of its own. */
export function drawingOf({ n, kind, edges, places }: RunFacts): NetworkDrawing {
  const nodes = Array.from({ length: n }, (_, node): DrawnNode => {
    if (places !== null) return { x: places[2 * node], y: places[2 * node + 1] }
    const angle = (2 * Math.PI * node) / n - Math.PI / 2
    return { x: 0.5 + 0.42 * Math.cos(angle), y: 0.5 + 0.42 * Math.sin(angle) }
  })
  return { nodes, links: linksOf(n, kind, edges) }
}

function linksOf(n: number, kind: RunFacts['kind'], edges: ArrayLike<number>) {
  const pairs: (readonly [number, number])[] = []
  if (kind === 'graph')
    for (let i = 0; i < edges.length; i += 2) pairs.push(pair(edges[i], edges[i + 1]))
  else
    for (let a = 0; a < n; a++)
      for (let b = a + 1; b < n; b++)
        if (kind === 'complete' || b === a + 1 || (a === 0 && b === n - 1 && n > 2))
          pairs.push([a, b])
  return pairs
}

function pair(a: number, b: number): readonly [number, number] {
  return a < b ? [a, b] : [b, a]
}

/** A new node, linked to another one if that is given. */
export function withNode(
  { nodes, links }: NetworkDrawing,
  node: DrawnNode,
  linkedTo: number | null,
): NetworkDrawing {
  if (nodes.length >= MOST_DRAWN) return { nodes, links }
  const added = linkedTo === null ? [] : [pair(linkedTo, nodes.length)]
  return { nodes: [...nodes, node], links: [...links, ...added] }
}

export function withMoved(
  { nodes, links }: NetworkDrawing,
  node: number,
  to: DrawnNode,
): NetworkDrawing {
  return { nodes: nodes.with(node, to), links }
}

/** Adds the link between two nodes, or removes it. */
export function withLinkToggled(drawing: NetworkDrawing, a: number, b: number): NetworkDrawing {
  if (a === b) return drawing
  const [from, to] = pair(a, b)
  const others = drawing.links.filter(([one, other]) => one !== from || other !== to)
  const removed = others.length < drawing.links.length
  return { ...drawing, links: removed ? others : [...others, [from, to]] }
}

/** The drawing without a node; the positions of later nodes move up. */
export function withoutNode({ nodes, links }: NetworkDrawing, node: number): NetworkDrawing {
  const moved = (one: number) => (one > node ? one - 1 : one)
  return {
    nodes: nodes.filter((_, i) => i !== node),
    links: links
      .filter(([a, b]) => a !== node && b !== node)
      .map(([a, b]) => [moved(a), moved(b)] as const),
  }
}

/** Why the drawing is no network to run on; null where it is one. */
export function drawingProblem({ nodes, links }: NetworkDrawing): string | null {
  if (nodes.length < 2) return 'A network has at least two nodes.'
  const reached = new Set([0])
  for (let size = 0; size < reached.size; ) {
    size = reached.size
    for (const [a, b] of links)
      if (reached.has(a) || reached.has(b)) {
        reached.add(a)
        reached.add(b)
      }
  }
  const apart = nodes.findIndex((_, node) => !reached.has(node))
  return apart < 0 ? null : 'Not all nodes are connected: link them.'
}

/** The notation of the network in scenarios. */
export function topologyOf({ links }: NetworkDrawing): string {
  const sorted = [...links].sort(([a, b], [c, d]) => a - c || b - d)
  return `edges:${sorted.map(([a, b]) => `${a}-${b}`).join()}`
}
