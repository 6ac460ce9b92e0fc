import type { Link, Net, Uid } from '../../core/index.ts'

/* A complete network as a ring of the live nodes, in the order of their positions. */

export type Circle = Net<'n' | 'direction' | 'peers' | 'liveness'>

/** The nearest live node along the ring; null where there is none. */
export function successor(net: Circle): Link | null {
  for (let places = 1; places < net.n; places++) {
    const link = net.along(places)
    if (net.up(link)) return link
  }
  return null
}

/** The link to the node with an id; null where no other node has it. */
function linkTo(id: Uid, net: Circle): Link | null {
  return net.links.find((link) => net.peer(link) === id) ?? null
}

/** The ids of the live nodes from a given one up to this node. */
export function livingFrom(first: Uid, net: Circle): Uid[] {
  const start = linkTo(first, net)
  if (start === null) return []
  const links = net.links.filter((link) => net.places(link) >= net.places(start) && net.up(link))
  return links.map((link) => net.peer(link))
}

/** The largest id of the live nodes, among some or all; at least the node's own id. */
export function largestLiveId(me: Uid, net: Circle, among: ReadonlySet<Uid> | null = null): Uid {
  let found = me
  for (const link of net.links) {
    const id = net.peer(link)
    if (id > found && net.up(link) && (among?.has(id) ?? true)) found = id
  }
  return found
}

/** Whether the current message has passed its origin, as far as this node can tell. */
export function cameRound(first: Uid, net: Circle): boolean {
  const start = linkTo(first, net)
  return start === null || net.places(net.from) < net.places(start)
}
