import { type Link, left } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import type { World } from '../../core/language/world.ts'
import { complete } from '../../core/networks/complete.ts'
import { isRestartable, mayCloseRing, restarting } from '../../core/runtime/restart.ts'
import type { FaultOptions } from '../options.ts'
import type { Route } from './channels.ts'
import type { LinkView } from './local-states.ts'
import type { LinkNotice } from './transition.ts'

/** The channels of a network, and the links about which the failure detector notifies a node. */
export interface Routing {
  /** The route of each channel. */
  readonly routes: readonly Route[]
  /** Its links are those of the detector's reports: views and notices use their numbers. */
  readonly detectorGraph: Topology
  /** Whether all nodes get all notices in one order; a recovering node then knows all at once. */
  readonly totalOrder: boolean
  /** The link of the detector graph that a link of a node with this view stands for. */
  resolve(link: Link, view: LinkView): Link
  /** The channel into which a node with this view sends over a link. */
  channel(node: number, link: Link, view: LinkView): number
}

/** A placeholder: the channel numbers of some networks have gaps. */
const NO_ROUTE: Route = { from: -1, out: -1, to: -1, in: -1 }

/** A fixed network. */
export class FixedRouting implements Routing {
  readonly routes: Route[] = []
  readonly totalOrder = false

  constructor(readonly detectorGraph: Topology) {
    for (let from = 0; from < detectorGraph.n; from++)
      for (const out of linksOf(detectorGraph, from)) {
        const [to, back] = [detectorGraph.neighbor(from, out), detectorGraph.back(from, out)]
        this.routes[detectorGraph.channel(from, out)] = { from, out, to, in: back }
      }
    for (let channel = 0; channel < this.routes.length; channel++) this.routes[channel] ??= NO_ROUTE
  }

  resolve(link: Link): Link {
    return link
  }

  channel(node: number, link: Link): number {
    return this.detectorGraph.channel(node, link)
  }
}

/**
 * A ring that closes over crashed nodes. All nodes are notified of all crashes and recoveries, at
 * different times but in one order. Each link of a node leads to the nearest node that is not
 * reported as crashed, or to the node itself if all others are.
 */
export class ClosingRingRouting implements Routing {
  readonly routes: Route[] = []
  readonly totalOrder = true
  /** Link d leads d places to the left. */
  readonly detectorGraph: Topology

  constructor(private readonly n: number) {
    this.detectorGraph = complete(n)
    for (const out of [left, 1 - left])
      for (let from = 0; from < n; from++)
        for (let to = 0; to < n; to++)
          this.routes[this.channelNumber(from, out, to)] = { from, out, to, in: 1 - out }
  }

  resolve(link: Link, { down }: LinkView): Link {
    const step = link === left ? 1 : this.n - 1
    let places = step % this.n
    while (down.includes(places)) places = (places + step) % this.n
    return places
  }

  channel(node: number, link: Link, view: LinkView): number {
    const target = this.resolve(link, view)
    return this.channelNumber(node, link, this.detectorGraph.neighbor(node, target))
  }

  private channelNumber(from: number, out: Link, to: number): number {
    return (out * this.n + from) * this.n + to
  }
}

/** The links of a node that lead, or led until this notice, to the node of the notice. */
export function notifiedLinks(
  routing: Routing,
  links: readonly Link[],
  { event, link: reported }: LinkNotice,
  before: LinkView,
  after: LinkView,
): readonly Link[] {
  const view = event === 'down' ? before : after
  return links.filter((link) => routing.resolve(link, view) === reported)
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
