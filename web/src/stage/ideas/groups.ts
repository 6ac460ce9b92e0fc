import type { Pen } from '../../../../src/diagram/pen.ts'
import { circle } from '../../../../src/diagram/shapes.ts'
import type { RunFrame } from '../../recording/frame.ts'
import type { RunFacts } from '../../recording/run-log.ts'
import type { PageTheme } from '../../view/theme.ts'
import type { Geometry } from '../geometry.ts'
import { isOfTree } from './link-ideas.ts'

/** How much of its colour an area has. */
const SOFTNESS = 0.5

/** Nodes that belong together, and the links between them along which their area extends. */
export interface NodeGroup {
  readonly name: string
  readonly nodes: number[]
  readonly links: (readonly [number, number])[]
}

/**
 * The groups of live nodes. An area extends along the links that the nodes themselves have marked
 * or point along; in a group without any it extends along all links of the network.
 */
export function groupsOf(frame: RunFrame): NodeGroup[] {
  const { world } = frame.log
  const names: (string | undefined)[] = []
  const groups = new Map<string, NodeGroup>()
  for (let node = 0; node < world.n; node++) {
    const name = frame.display(node)?.group
    names.push(name)
    if (name === undefined) continue
    const group = groups.get(name)
    if (group) group.nodes.push(node)
    else groups.set(name, { name, nodes: [node], links: [] })
  }
  if (groups.size === 0) return []
  for (let node = 0; node < world.n; node++) {
    const { edges = [], pointer } = frame.display(node) ?? {}
    const marked = edges.filter(([, role]) => isOfTree(role)).map(([other]) => other)
    const name = names[node]
    for (const other of pointer === undefined ? marked : [...marked, pointer])
      if (name !== undefined && name === names[other]) groups.get(name)!.links.push([node, other])
  }
  for (const [a, b] of linkPairs(world)) {
    const name = names[a]
    if (name !== undefined && name === names[b]) {
      const group = groups.get(name)!
      if (!hasMarks(frame, group)) group.links.push([a, b])
    }
  }
  return [...groups.values()]
}

function hasMarks(frame: RunFrame, { nodes }: NodeGroup): boolean {
  return nodes.some((node) => {
    const display = frame.display(node)
    return display?.edges !== undefined || display?.pointer !== undefined
  })
}

/** The links of a ring or of a graph; a complete network has too many to mean anything. */
function* linkPairs({ kind, n, edges }: RunFacts): Generator<readonly [number, number]> {
  if (kind === 'ring') for (let node = 0; node < n; node++) yield [node, (node + 1) % n]
  else for (let i = 0; i < edges.length; i += 2) yield [edges[i], edges[i + 1]]
}

/**
 * The colour of a group, by its name alone, so that a group keeps it: groups are mostly named after
 * one of their nodes, and then neighbours on a ring differ.
 */
export function groupColour(name: string, ids: ArrayLike<number> | null, colours: PageTheme) {
  const id = Number(name)
  let number = ids === null ? id : Array.prototype.indexOf.call(ids, id)
  if (!Number.isInteger(number) || number < 0) {
    number = 0
    for (const letter of name) number = (31 * number + letter.codePointAt(0)!) % 65_521
  }
  return colours.groups[number % colours.groups.length]
}

const RGB = /(\d+)[, ]+(\d+)[, ]+(\d+)/

/** A colour between two, opaque, so that overlapping parts of an area do not add up. */
export function mixed(colour: string, ground: string, share: number): string {
  const [of, on] = [RGB.exec(colour), RGB.exec(ground)]
  if (of === null || on === null) return colour
  const parts = [1, 2, 3].map((i) =>
    Math.round(Number(of[i]) * share + Number(on[i]) * (1 - share)),
  )
  return `rgb(${parts.join(', ')})`
}

/** A soft area behind the nodes of each group. */
export function paintGroups(
  pen: Pen,
  frame: RunFrame,
  { x, y, radius }: Geometry,
  colours: PageTheme,
): void {
  for (const { name, nodes, links } of groupsOf(frame)) {
    const reach = radius + Math.max(5, 0.35 * radius)
    const full = groupColour(name, frame.log.world.ids, colours)
    const colour = mixed(full, colours.surface, SOFTNESS)
    pen.beginGroup?.('group', name)
    pen.strokeStyle = colour
    pen.lineWidth = 1.3 * radius
    pen.setLineDash([])
    if (links.length > 0) {
      pen.beginPath()
      for (const [from, to] of links) {
        pen.moveTo(x[from], y[from])
        pen.lineTo(x[to], y[to])
      }
      pen.stroke()
    }
    pen.fillStyle = colour
    for (const node of nodes) {
      circle(pen, x[node], y[node], reach)
      pen.fill()
    }
    pen.endGroup?.()
  }
}
