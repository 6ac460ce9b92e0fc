import type { Link } from '../core/language/net.ts'
import { linksOf, type Topology } from '../core/language/topology.ts'
import type { World } from '../core/language/world.ts'
import { Driver } from '../core/runtime/driver.ts'
import type { Random } from '../core/runtime/random.ts'

/** Into at least so many moments a span of time is divided, and into less than twice as many. */
const MOMENTS = 512

/** What the node pointed at sees around it, and the coins that it tosses. */
export abstract class NodeView extends Driver {
  readonly n: number
  protected node = -1
  protected readonly topology: Topology
  private readonly deaf: Uint8Array | null
  private readonly linkLists: (readonly Link[])[] = []
  /** The span that moments were last asked of: it has so many steps of this length. */
  private span = 0
  private step = 0
  private steps = 1

  constructor(
    readonly world: World,
    private readonly coins: Random,
  ) {
    super(world.algorithm, world.topology.firstLink)
    this.topology = world.topology
    this.n = world.topology.n
    this.deaf = world.deaf ?? null
  }

  /** The node at the other end of a link; what algorithms that know their peers see of it. */
  peer(link: Link): number {
    return this.world.ids[this.world.topology.neighbor(this.node, link)]
  }

  up(_link: Link): boolean {
    return true
  }

  weight(link: Link): number {
    return this.world.weights?.[this.topology.channel(this.node, link)] ?? 0
  }

  get degree(): number {
    return this.topology.degree(this.node)
  }

  get links(): readonly Link[] {
    this.linkLists[this.degree] ??= linksOf(this.topology, this.node)
    return this.linkLists[this.degree]
  }

  choose(k: number): number {
    return this.coins.below(k)
  }

  random(): number {
    return this.coins.unit()
  }

  /** Who picks a node that is never picked, exchanges with nobody this time. */
  pick(): Link | null {
    const { topology, node } = this
    const { firstLink, outLinks = topology.degree(node) } = topology
    if (outLinks === 0) return null
    const link = firstLink + this.coins.below(outLinks)
    return this.deaf !== null && this.deaf[topology.neighbor(node, link)] === 1 ? null : link
  }

  /**
   * On a grid whose step is a power of two: sums of such moments and whole periods are exact, and
   * what happens in one moment to many nodes takes less than as many moments would.
   */
  moment(span: number): number {
    if (span !== this.span) this.divide(span)
    return this.step * this.coins.below(this.steps)
  }

  /** By comparisons, since a machine's logarithm may differ in the last bit. */
  private divide(span: number): void {
    if (!(span >= 0))
      throw new Error(`${this.algorithm.name}: net.moment needs a span of 0 or more`)
    let step = 1
    while (span / step >= 2 * MOMENTS) step *= 2
    while (span / step < MOMENTS) step /= 2
    this.span = span
    this.step = step
    this.steps = Math.ceil(span / step)
  }
}
