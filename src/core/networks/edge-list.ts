import type { Topology } from '../language/topology.ts'
import { grouped, quoted } from '../text-format.ts'
import { type Adjacency, AdjacencyGraph, adjacencyOf, EdgeSet } from './adjacency.ts'

import { components } from './components.ts'
import { graphml, isGraphml } from './graphml.ts'
import type { CollectedLinks } from './link-collector.ts'
import { linkTable } from './link-table.ts'
import { limitLinks, MOST_STORED, refuse } from './parameter.ts'

/** The source of an edge list; without a file it is the text of the network itself. */
interface Source {
  readonly text: string
  readonly file?: string
  /** Whether the network may be disconnected. */
  readonly allowComponents: boolean
}

/**
 * Pairs of positions, `0-1`, separated by commas, spaces or newlines; `#` starts a comment. Every
 * position from 0 to the largest must occur, and no link twice. A file may also be a table of links
 * or GraphML, as other programs write them.
 */
export function edgeList(source: Source): Topology {
  const { text, file } = source
  if (file !== undefined && isGraphml(text)) return collected(graphml(text, file), source)
  if (file !== undefined && isTable(text)) return collected(linkTable(text, file), source)
  const edges = pairs(source)
  const n = countOfNodes(edges)
  const adjacency = adjacencyOf(n, edges)
  refuseDuplicates(adjacency)
  const name = source.file === undefined ? sortedText(adjacency) : `file:${source.file}`
  const topology = new AdjacencyGraph(name, adjacency)
  if (!source.allowComponents) refuseComponents(topology)
  return topology
}

/** A file whose first line has no pair such as `0-1` has one link a line, in columns. */
function isTable(text: string): boolean {
  const first = /^\s*[^\s#%].*$/m.exec(text)?.[0] ?? ''
  return first !== '' && !/(^|[\s,])\d+-\d+(?=[\s,#]|$)/.test(first)
}

/** The network of a file that another program wrote. */
function collected(
  links: CollectedLinks & { readonly coordinates?: Float64Array | null },
  { file, allowComponents }: Source,
): Topology {
  const { n, edges, labels, weights, notes, coordinates } = links
  const listed = { notes, ...(labels && { labels }), ...(weights && { weights }) }
  const topology = new AdjacencyGraph(`file:${file}`, adjacencyOf(n, edges), {
    listed,
    ...(coordinates && { coordinates }),
  })
  if (!allowComponents) refuseComponents(topology)
  return topology
}

function pairs({ text, file }: Source): EdgeSet {
  const edges = new EdgeSet()
  const bare = text.replace(/#.*/g, '')
  for (const { 0: pair, index } of bare.matchAll(/[^\s,]+/g)) {
    const [, a, b] = /^(\d+)-(\d+)$/.exec(pair) ?? []
    const [near, far] = [Number(a), Number(b)]
    if (near < MOST_STORED && far < MOST_STORED && near !== far) {
      edges.add(near, far)
      continue
    }
    const line = bare.slice(0, index).split('\n').length
    const place = file === undefined ? '' : `line ${line} of ${file}: `
    refuse(
      `${place}${quoted(pair)} is not a link, which is two different positions from 0 to ${grouped(MOST_STORED - 1)}.`,
      'Write for example 0-1,1-2.',
    )
  }
  if (edges.length === 0) refuse('the list of links is empty.', 'Write for example 0-1,1-2.')
  limitLinks('this one', edges.length)
  return edges
}

function countOfNodes({ near, far, length }: EdgeSet): number {
  let last = 0
  for (let e = 0; e < length; e++) last = Math.max(last, near[e], far[e])
  const used = new Uint8Array(last + 1)
  for (let e = 0; e < length; e++) {
    used[near[e]] = 1
    used[far[e]] = 1
  }
  const unused = used.indexOf(0)
  if (unused >= 0) {
    refuse(
      `position ${unused} has no link; every position from 0 to the largest, ${last}, needs one.`,
      'Number the nodes from 0 on without gaps.',
    )
  }
  return last + 1
}

function refuseDuplicates({ offsets, targets }: Adjacency): void {
  for (let v = 0; v + 1 < offsets.length; v++) {
    for (let a = offsets[v] + 1; a < offsets[v + 1]; a++) {
      if (targets[a] !== targets[a - 1]) continue
      refuse(`the link ${v}-${targets[a]} is listed twice.`, 'Remove one of the two.')
    }
  }
}

function refuseComponents(topology: Topology): void {
  const apart = components(topology, () => true).findIndex((label) => label > 0)
  if (apart < 0) return
  refuse(
    `the network is not connected: there is no path from ${named(topology, 0)} to ${named(topology, apart)}.`,
    'Add links, or choose an algorithm that accepts several components.',
  )
}

/** A node by its position, and by its label where the file has another. */
function named({ listed }: Topology, node: number): string {
  const label = listed?.labels?.[node]
  return label === undefined ? `position ${node}` : `node ${quoted(label)}`
}

/** The canonical text: each link once, sorted by its smaller and larger position. */
function sortedText({ offsets, targets }: Adjacency): string {
  const pairs: string[] = []
  for (let v = 0; v + 1 < offsets.length; v++) {
    for (let a = offsets[v]; a < offsets[v + 1]; a++) {
      if (v < targets[a]) pairs.push(`${v}-${targets[a]}`)
    }
  }
  return `edges:${pairs.join(',')}`
}
