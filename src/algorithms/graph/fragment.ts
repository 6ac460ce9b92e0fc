import {
  flag,
  type Link,
  list,
  type My,
  map,
  maybe,
  message,
  type Net,
  nat,
  oneOf,
  real,
  uid,
  type Values,
} from '../../core/index.ts'

/* A node's place in a fragment of the spanning tree, and its part in the search for a way out. */

export const needs = {
  topology: 'any',
  ids: 'unique',
  knows: ['peers', 'weights'],
  order: 'fifo',
} as const

/** What edges are compared by. The ids of the two ends tell equal weights apart. */
const edge = { weight: real, low: uid, high: uid }

type Edge = Values<typeof edge>

const NO_EDGE: Edge = { weight: Number.POSITIVE_INFINITY, low: 0, high: 0 }

export const state = {
  /** By link: not decided yet, in the tree, or known to stay within the fragment. */
  edges: map(nat, oneOf('basic', 'branch', 'rejected')),
  /** The links among which those not decided yet are found, the lightest last. */
  open: list(nat),
  level: nat,
  /** A fragment is named by the larger id at its core, the edge over which it merged last. */
  fragment: uid,
  /** Which way the core lies. */
  inward: nat,
  /** Whether the search is on; the link that is being asked; subtrees that have not reported. */
  finding: flag,
  testing: maybe(nat),
  awaited: nat,
  /** The lightest edge out of the fragment that was found here or behind, and the way there. */
  best: nat,
  ...edge,
}

type Node = My<typeof needs, typeof state>
type Graph = Net<'peers' | 'weights'>

export const CONNECT = message({ level: nat })
export const TEST = message({ level: nat, fragment: uid })
export const REPORT = message(edge)
export const CHANGEROOT = message({})

/** Below 0 where the first is lighter. It is 0 only for two that do not exist, or for twins. */
export function compare(a: Edge, b: Edge): number {
  return a.weight - b.weight || a.low - b.low || a.high - b.high
}

function edgeOf({ id }: Node, link: Link, net: Graph): Edge {
  const peer = net.peer(link)
  return { weight: net.weight(link), low: Math.min(id, peer), high: Math.max(id, peer) }
}

/**
 * Looks at the links once, so that the lightest is at hand ever after. Only rings have odd ones: a
 * ring of one is linked to itself, and a ring of two has twins, which its ends number crosswise.
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

/** The edge that a message came over leads nowhere new. */
export function reject(my: Node, net: Graph): void {
  if (my.edges.get(net.from) === 'basic') my.edges.set(net.from, 'rejected')
}

export function connect(my: Node, link: Link, net: Graph): void {
  my.edges.set(link, 'branch')
  net.send(link, CONNECT, { level: my.level })
}

/** Begins the search: nothing is found yet, and so many subtrees will report. */
export function search(my: Node, subtrees: number, net: Graph): void {
  my.awaited = subtrees
  note(my, my.inward, NO_EDGE)
  test(my, net)
}

/** Asks over the lightest link that is not decided yet whether it leads out. */
export function test(my: Node, net: Graph): void {
  const { open, edges, level, fragment } = my
  while (open.length > 0 && edges.get(open[open.length - 1]) !== 'basic') open.pop()
  my.testing = open.at(-1) ?? null
  if (my.testing === null) report(my, net)
  else net.send(my.testing, TEST, { level, fragment })
}

/** The link that was asked leads out, and no lighter one of this node does. */
export function accepted(my: Node, net: Graph): void {
  my.testing = null
  consider(my, edgeOf(my, net.from, net), net)
}

/** An edge out was found, here or in the subtree from which the message came. */
export function consider(my: Node, found: Edge, net: Graph): void {
  if (compare(found, my) < 0) note(my, net.from, found)
  report(my, net)
}

function note(my: Node, way: Link, { weight, low, high }: Edge): void {
  my.best = way
  my.weight = weight
  my.low = low
  my.high = high
}

/** Tells the core what was found, once this node and all subtrees behind it have searched. */
function report(my: Node, net: Graph): void {
  if (!my.finding || my.awaited > 0 || my.testing !== null) return
  const { weight, low, high } = my
  my.finding = false
  net.send(my.inward, REPORT, { weight, low, high })
}

/** Goes to the lightest edge out of the fragment, and there over it. */
export function changeRoot(my: Node, net: Graph): void {
  if (my.edges.get(my.best) === 'branch') net.send(my.best, CHANGEROOT, {})
  else connect(my, my.best, net)
}
