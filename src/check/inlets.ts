import type { System } from './system.ts'

/**
 * The channels that lead to each node, one after the other, in flat lists. On a ring messages may
 * go in one direction only: a channel is taken to be idle until something was sent in its
 * direction anywhere. On other networks all channels are taken to be used.
 */
export class Inlets {
  /** Where those of a node begin; those of the next one begin where they end. */
  readonly first: Int32Array
  readonly cell: Int32Array
  readonly from: Int32Array
  readonly used: Uint8Array
  private readonly out: Int32Array
  private looked = 0

  constructor(private readonly system: System) {
    const { n, effects } = system
    const routes = effects.channels.map(({ route }, i) => ({ ...route, cell: n + i }))
    routes.sort((a, b) => a.to - b.to)
    const before = (node: number) => routes.filter(({ to }) => to < node).length
    this.first = Int32Array.from({ length: n + 1 }, (_, node) => before(node))
    this.cell = Int32Array.from(routes, ({ cell }) => cell)
    this.from = Int32Array.from(routes, ({ from }) => from)
    this.out = Int32Array.from(routes, ({ out }) => out)
    this.used = new Uint8Array(routes.length)
    if (effects.world.topology.kind !== 'ring') this.used.fill(1)
  }

  /** Looks at what was sent since it looked last; whether a channel is used that was not before. */
  revise(): boolean {
    const { found, channels } = this.system.effects
    let revised = false
    for (; this.looked < found.length; this.looked++)
      for (const { channel } of found[this.looked].sent)
        revised = this.use(channels[channel].route.out) || revised
    return revised
  }

  private use(out: number): boolean {
    let revised = false
    for (let i = 0; i < this.used.length; i++)
      if (this.out[i] === out && this.used[i] === 0) {
        this.used[i] = 1
        revised = true
      }
    return revised
  }
}
