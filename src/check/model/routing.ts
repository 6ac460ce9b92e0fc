import { type Link, left } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import type { World } from '../../core/language/world.ts'
import { complete } from '../../core/networks/complete.ts'
import { isRestartable, mayCloseRing, restarting } from '../../core/runtime/restart.ts'
import type { FaultOptions } from '../options.ts'
import type { Route } from './channels.ts'
import type { LinkView } from './local-states.ts'
import type { LinkNotice } from './transition.ts'

/** Where messages can go, and who is told of whom. */
export interface Routing {
  /** The ends of every channel, by its number. */
  readonly routes: readonly Route[]
  /** Its links are those that nodes are told about: views and tidings have their numbers. */
  readonly sight: Topology
  /** Whether all are told everything in one order; who comes back then knows all of it at once. */
  readonly oneOrder: boolean
  /** Which of these a link of a node with this view stands for. */
  ahead(link: Link, view: LinkView): Link
  /** The channel into which a node with this view sends over a link. */
  channel(node: number, link: Link, view: LinkView): number
}

/** Between no nodes: some networks leave out numbers of channels. */
const NOWHERE: Route = { from: -1, out: -1, to: -1, in: -1 }

/** Links lead where they always did. */
export class FixedRouting implements Routing {
  readonly routes: Route[] = []
  readonly oneOrder = false

  constructor(readonly sight: Topology) {
    for (let from = 0; from < sight.n; from++)
      for (const out of linksOf(sight, from)) {
        const route = { from, out, to: sight.neighbor(from, out), in: sight.back(from, out) }
        this.routes[sight.channel(from, out)] = route
      }
    for (let channel = 0; channel < this.routes.length; channel++) this.routes[channel] ??= NOWHERE
  }

  ahead(link: Link): Link {
    return link
  }

  channel(node: number, link: Link): number {
    return this.sight.channel(node, link)
  }
}

/**
 * A ring that closes over the dead: everybody is told of everybody, each at its own moment, but all
 * in the same order. Both links of a node lead to the nearest one that it does not take for dead;
 * to itself where it takes itself to be alone.
 */
export class ClosingRingRouting implements Routing {
  readonly routes: Route[] = []
  readonly oneOrder = true
  /** The link of number d leads d places to the left. */
  readonly sight: Topology

  constructor(private readonly n: number) {
    this.sight = complete(n)
    for (const out of [left, 1 - left])
      for (let from = 0; from < n; from++)
        for (let to = 0; to < n; to++)
          this.routes[this.number(from, out, to)] = { from, out, to, in: 1 - out }
  }

  ahead(link: Link, { down }: LinkView): Link {
    const step = link === left ? 1 : this.n - 1
    let places = step % this.n
    while (down.includes(places)) places = (places + step) % this.n
    return places
  }

  channel(node: number, link: Link, view: LinkView): number {
    return this.number(node, link, this.sight.neighbor(node, this.ahead(link, view)))
  }

  private number(from: number, out: Link, to: number): number {
    return (out * this.n + from) * this.n + to
  }
}

/** The links of a node that lead, or led until then, to the one it is told of. */
export function notifiedLinks(
  roads: Routing,
  links: readonly Link[],
  { event, link: told }: LinkNotice,
  before: LinkView,
  after: LinkView,
): readonly Link[] {
  const view = event === 'down' ? before : after
  return links.filter((link) => roads.ahead(link, view) === told)
}

/**
 * Whether the ring closes over crashed nodes: it does if crashes are reported and the algorithm
 * does not rely on the number of nodes.
 */
export function ringCloses(
  { algorithm, topology }: World,
  { crashes = 0, dead = [], detect }: FaultOptions,
): boolean {
  const reported = detect !== 'off' && crashes + dead.length > 0
  return topology.kind === 'ring' && reported && mayCloseRing(algorithm)
}

/** As in a simulation: an election restarts when the ring closes over a crashed node. */
export function withRestarts(world: World, faults: FaultOptions): World {
  const { algorithm } = world
  const { crashes = 0, recoveries = 0 } = faults
  const closes = ringCloses(world, faults) && crashes + recoveries > 0
  return closes && isRestartable(algorithm) ? { ...world, algorithm: restarting(algorithm) } : world
}
