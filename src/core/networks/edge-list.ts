import type { Topology } from '../language/topology.ts'
import { grouped, quoted } from '../text-format.ts'
import { type Adjacency, adjacencyOf, EdgeSet } from './adjacency.ts'
import { AdjacencyGraph } from './adjacency-graph.ts'
import { components } from './components.ts'
import { limitLinks, MOST_STORED } from './limits.ts'
import { refuse } from './parameter.ts'

/** Where a list of edges comes from; without a file it is the text of the network itself. */
interface Source {
  readonly text: string
  readonly file?: string
  /** Whether parts that no link joins are welcome. */
  readonly allowComponents: boolean
}

/**
 * Pairs of positions, `0-1`, separated by commas, spaces or newlines; `#` starts a comment. Every
 * position from 0 on is used, and nothing is there twice.
 */
export function edgeList(source: Source): Topology {
  const edges = pairs(source)
  const n = countOfNodes(edges)
  const arcs = adjacencyOf(n, edges)
  refuseDuplicates(arcs)
  const name = source.file === undefined ? sortedText(arcs) : `file:${source.file}`
  const topology = new AdjacencyGraph(name, arcs)
  if (!source.allowComponents) refuseComponents(topology)
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
    refuse(
      `a link is written as two different positions from 0 to ${grouped(MOST_STORED - 1)}, 0-1`,
      file === undefined
        ? `${quoted(pair)} was given`
        : `line ${line} of ${file} has ${quoted(pair)}`,
      'Separate links by commas.',
    )
  }
  if (edges.length === 0)
    refuse('a list of links has one at least', 'it is empty', 'Write 0-1,1-2.')
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
      `a list of links uses every position from 0 to its largest, ${last}`,
      `position ${unused} has no link`,
      'Number the nodes from 0 on without gaps.',
    )
  }
  return last + 1
}

function refuseDuplicates({ offsets, targets }: Adjacency): void {
  for (let v = 0; v + 1 < offsets.length; v++) {
    for (let a = offsets[v] + 1; a < offsets[v + 1]; a++) {
      if (targets[a] !== targets[a - 1]) continue
      refuse('every link is listed once', `${v}-${targets[a]} is there twice`, 'Leave one out.')
    }
  }
}

function refuseComponents(topology: Topology): void {
  const apart = components(topology, () => true).findIndex((label) => label > 0)
  if (apart < 0) return
  refuse(
    'the network has to be connected',
    `no path leads from position 0 to position ${apart}`,
    'Add links, or take an algorithm that accepts several components.',
  )
}

/**
 * The list as everybody would write it: each link once, sorted by its smaller and larger position.
 */
function sortedText({ offsets, targets }: Adjacency): string {
  const pairs: string[] = []
  for (let v = 0; v + 1 < offsets.length; v++) {
    for (let a = offsets[v]; a < offsets[v + 1]; a++) {
      if (v < targets[a]) pairs.push(`${v}-${targets[a]}`)
    }
  }
  return `edges:${pairs.join(',')}`
}
