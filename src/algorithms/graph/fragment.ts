import {
  compareIds,
  type EdgeRole,
  flag,
  type Link,
  larger,
  link,
  list,
  type My,
  map,
  maybe,
  message,
  type Net,
  nat,
  oneOf,
  real,
  smaller,
  uid,
  type Values,
} from '../../core/index.ts'

/* A node's state in a fragment of the spanning tree, and its search for an outgoing edge. */

export const needs = {
  topology: 'any',
  ids: 'unique',
  knows: ['peers', 'weights'],
  order: 'fifo',
} as const

/** The order of edges: by weight; equal weights are ordered by the ids of their ends. */
const edge = { weight: real, low: uid, high: uid }

type Edge = Values<typeof edge>

const NO_EDGE: Edge = { weight: Number.POSITIVE_INFINITY, low: uid.start(), high: uid.start() }

export const state = {
  /** By link: undecided, in the tree, or inside the fragment. */
  edges: map(link, oneOf('basic', 'branch', 'rejected')),
  /** The links that may be undecided, the lightest last. */
  open: list(link),
  level: nat,
  /** A fragment has the larger id at its core, the edge over which it merged last. */
  fragment: uid,
  /** The link towards the core. */
  inward: link,
  /** Whether the search runs; the link under test; the subtrees that have not reported. */
  finding: flag,
  testing: maybe(link),
  awaited: nat,
  /** The link towards the lightest outgoing edge found so far; the edge is in the fields below. */
  best: link,
  ...edge,
}

export type Node = My<typeof needs, typeof state>
export type Graph = Net<'peers' | 'weights'>

export const CONNECT = message({ level: nat })
export const INITIATE = message({ level: nat, fragment: uid, finding: flag })
export const TEST = message({ level: nat, fragment: uid })
export const ACCEPT = message({})
export const REJECT = message({})
export const REPORT = message(edge)
export const CHANGEROOT = message({})
export const LEADER = message({ id: uid })

/** Below 0 if the first is lighter; 0 only for parallel edges and for two missing ones. */
function compare(a: Edge, b: Edge): number {
  return a.weight - b.weight || compareIds(a.low, b.low) || compareIds(a.high, b.high)
}

function edgeOf({ id }: Node, link: Link, net: Graph): Edge {
  const peer = net.peer(link)
  return { weight: net.weight(link), low: smaller(id, peer), high: larger(id, peer) }
}

/**
 * Sorts the links once, the lightest last. Only rings have special ones: a ring of one node has a
 * link to itself, and a ring of two has parallel links, which its ends number crosswise.
 */
export function survey(my: Node, net: Graph): void {
  const twins = (a: Link, b: Link) => (my.id < net.peer(a) ? b - a : a - b)
  my.open = net.links
    .filter((link) => net.peer(link) !== my.id)
    .map((link) => ({ link, ...edgeOf(my, link, net) }))
    .sort((a, b) => compare(b, a) || twins(a.link, b.link))
    .map(({ link }) => link)
  my.edges = new Map(my.open.map((link) => [link, 'basic']))
}

export function branches(my: Node, net: Graph): Link[] {
  return net.links.filter((link) => my.edges.get(link) === 'branch')
}

/** The links as pictures show them. One end of the core knows it: the one with the larger id. */
export function edgeRoles({ edges, id, fragment, inward }: Node): (readonly [Link, EdgeRole])[] {
  const role = (link: Link, kind: string): EdgeRole =>
    kind === 'rejected' ? kind : id === fragment && link === inward ? 'core' : 'tree'
  return [...edges]
    .filter(([, kind]) => kind !== 'basic')
    .map(([link, kind]) => [link, role(link, kind)] as const)
}

/** The edge over which the message arrived stays inside the fragment. */
export function reject(my: Node, net: Graph): void {
  if (my.edges.get(net.from) === 'basic') my.edges.set(net.from, 'rejected')
}

export function connect(my: Node, link: Link, net: Graph): void {
  my.edges.set(link, 'branch')
  net.send(link, CONNECT, { level: my.level })
}

/** Begins the search; `subtrees` subtrees will report. */
export function searchOutgoing(my: Node, subtrees: number, net: Graph): void {
  my.awaited = subtrees
  note(my, my.inward, NO_EDGE)
  test(my, net)
}

/** Tests whether the lightest undecided link leads out of the fragment. */
export function test(my: Node, net: Graph): void {
  const { open, edges, level, fragment } = my
  while (open.length > 0 && edges.get(open[open.length - 1]) !== 'basic') open.pop()
  my.testing = open.at(-1) ?? null
  if (my.testing === null) report(my, net)
  else net.send(my.testing, TEST, { level, fragment })
}

/** The link under test leads out; it is the lightest of this node. */
export function accepted(my: Node, net: Graph): void {
  my.testing = null
  consider(my, edgeOf(my, net.from, net), net)
}

/** An outgoing edge was found, here or in the subtree that sent the message. */
function consider(my: Node, found: Edge, net: Graph): void {
  if (compare(found, my) < 0) note(my, net.from, found)
  report(my, net)
}

function note(my: Node, way: Link, { weight, low, high }: Edge): void {
  my.best = way
  my.weight = weight
  my.low = low
  my.high = high
}

/** Reports to the core when this node and all its subtrees have searched. */
function report(my: Node, net: Graph): void {
  if (!my.finding || my.awaited > 0 || my.testing !== null) return
  const { weight, low, high } = my
  my.finding = false
  net.send(my.inward, REPORT, { weight, low, high })
}

/** Moves the root to the lightest outgoing edge and connects over it. */
export function changeRoot(my: Node, net: Graph): void {
  // A node that has lost its state has found no edge yet.
  if (!my.edges.has(my.best)) return
  if (my.edges.get(my.best) === 'branch') net.send(my.best, CHANGEROOT, {})
  else connect(my, my.best, net)
}

/** A report arrived; returns whether no edge leads out and this end of the core decides. */
export function completes(my: Node, found: Edge, net: Graph): boolean {
  if (net.from !== my.inward) {
    my.awaited--
    consider(my, found, net)
    return false
  }
  // From the other end of the core.
  if (my.finding) {
    net.defer()
    return false
  }
  const order = compare(my, found)
  if (order < 0) changeRoot(my, net)
  return order === 0 && my.id === my.fragment
}
