import type { Link, State, World } from '../../src/core/index.ts'
import { linksOf } from '../../src/core/language/topology.ts'
import { Driver } from '../../src/core/runtime/driver.ts'
import type { Body, Flight, Node } from './reference-state.ts'

/** Runs one handler on a copy of its node. Random choices are given, and 0 after that. */
export class Handling extends Driver {
  readonly my: State
  timers: number[]
  readonly sends: { link: Link; flight: Flight }[] = []
  readonly drawn: { value: number; of: number }[] = []
  readonly links: readonly Link[]

  constructor(
    private readonly world: World,
    readonly node: number,
    private readonly before: Node,
    readonly down: Link[],
    private readonly coins: readonly number[],
  ) {
    super(world.algorithm, world.topology.firstLink)
    this.my = world.algorithm.layout.copy(before.my)
    this.timers = before.timers
    this.links = linksOf(world.topology, node)
  }

  get n(): number {
    return this.world.topology.n
  }
  get degree(): number {
    return this.links.length
  }
  get outcome(): Node {
    const timers = this.my.stopped ? [] : this.timers
    return { ...this.before, my: this.my, timers, down: this.down }
  }

  begin = () => this.wake()
  tell = (link: Link) => this.notice('down', link)
  go(timer: number): void {
    this.clearTimer(timer)
    this.fireTimer(timer)
  }
  take({ kind, body }: Flight, link: Link): void {
    this.from = link
    this.receive(this.my, kind, this.algorithm.kinds[kind].codec.copy(body))
  }

  protected dispatch(link: Link, kind: number, body: Body): void {
    this.sends.push({ link, flight: { kind, body: this.algorithm.kinds[kind].codec.copy(body) } })
  }
  protected setTimer(timer: number): void {
    this.timers = [...new Set([...this.timers, timer])].sort((a, b) => a - b)
  }
  protected clearTimer(timer: number): void {
    this.timers = this.timers.filter((other) => other !== timer)
  }
  protected changed(): void {}
  peer = (link: Link) => this.world.ids[this.world.topology.neighbor(this.node, link)]
  up = (link: Link) => !this.down.includes(link)
  weight = (link: Link) => this.world.weights![this.world.topology.channel(this.node, link)]
  choose(of: number): number {
    const value = this.coins[this.drawn.length] ?? 0
    this.drawn.push({ value, of })
    return value
  }
  random = () => Number.NaN
  chance = (p: number) => p > 0 && (p >= 1 || this.choose(2) === 1)
  pick = () => (this.degree === 0 ? null : this.links[this.choose(this.degree)])
  moment = () => 0
}
