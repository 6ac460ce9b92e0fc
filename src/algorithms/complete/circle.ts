import type { Link, Net } from '../../core/index.ts'

/* A complete network as a ring of those who live, in the order of their positions. */

export type Circle = Net<'n' | 'direction' | 'peers' | 'liveness'>

/** The nearest live node along the ring; null where there is none. */
export function successor(net: Circle): Link | null {
  for (let places = 1; places < net.n; places++) {
    const link = net.along(places)
    if (net.up(link)) return link
  }
  return null
}

/** Whether no live node lies before the one behind the link. */
export function skipped(link: Link, net: Circle): boolean {
  const next = successor(net)
  return next === null || net.places(link) < net.places(next)
}

/** The link to the node with an id; null where no other node has it. */
export function linkTo(id: number, net: Circle): Link | null {
  return net.links.find((link) => net.peer(link) === id) ?? null
}

/** Whether somebody has an id and lives, as far as the node with the id `me` knows. */
export function lives(me: number, id: number, net: Circle): boolean {
  const link = linkTo(id, net)
  return link === null ? id === me : net.up(link)
}

/** The ids of those who live, from one of them on up to here. */
export function livingFrom(first: number, net: Circle): number[] {
  const start = linkTo(first, net)
  if (start === null) return []
  const links = net.links.filter((link) => net.places(link) >= net.places(start) && net.up(link))
  return links.map((link) => net.peer(link))
}

/** The largest of some ids whose owners live; the own one at least. */
export function largestOf(me: number, ids: readonly number[], net: Circle): number {
  const among = new Set(ids)
  let largest = me
  for (const link of net.links) {
    const id = net.peer(link)
    if (id > largest && net.up(link) && among.has(id)) largest = id
  }
  return largest
}

/** Whether what comes in now has passed the place where it began. */
export function cameRound(me: number, first: number, net: Circle): boolean {
  const start = linkTo(first, net)
  return start === null ? first === me : net.places(net.from) < net.places(start)
}
