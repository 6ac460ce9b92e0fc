import { linksOf } from '../../core/language/topology.ts'
import { components } from '../../core/networks/components.ts'
import type { FaultKind } from '../options.ts'
import type { FaultState, FaultStates } from './fault-state.ts'
import type { StateVector } from './state-vector.ts'
import type { HandlerTransition, Visit } from './transition.ts'
import type { TransitionCache } from './transition-cache.ts'

/** What a node makes of a fault that it is told of, and what the damage is then. */
interface Consequence {
  readonly effects: readonly HandlerTransition[]
  readonly damage: number
}

/** Makes what can go wrong in the state that the vector holds; one cell of it is the damage. */
export class FaultTransitions {
  private readonly n: number
  private readonly labels = new Map<string, Int32Array>()
  /** Whether the dead stay dead: what is on its way to them then need not be kept. */
  private readonly forGood: boolean

  constructor(
    private readonly damages: FaultStates,
    private readonly effects: TransitionCache,
    private readonly vector: StateVector,
    readonly cell: number,
    private readonly reappear: boolean,
  ) {
    this.n = effects.locals.length
    this.forGood = damages.budget.recoveries === 0
    for (const node of this.damage.dead) vector.cells[node] = effects.locals[node].killed(0)
  }

  alive(node: number): boolean {
    return !this.effects.locals[node].dead[this.vector.cells[node]]
  }

  /** On a ring and on a complete network all who live are taken to reach each other. */
  component(node: number): number {
    const { topology } = this.effects.world
    if (topology.kind !== 'graph') return 0
    const { dead, cut } = this.damage
    const key = `${dead};${cut}`
    let labels = this.labels.get(key)
    if (labels === undefined) {
      const { channels } = this.effects
      const gone = cut.map((channel) => channels[channel].route)
      labels = components(
        topology,
        (other) => !dead.includes(other),
        (a, b) => gone.some(({ from, to }) => from === a && to === b),
      )
      this.labels.set(key, labels)
    }
    return labels[node]
  }

  get mayCrash(): boolean {
    return this.may('crashes')
  }

  /** Whether a link can be cut or a node can come back. */
  get mayChange(): boolean {
    return this.may('cuts') || (this.may('recoveries') && this.damage.dead.length > 0)
  }

  /** Whether it makes a difference at which moment the next fault strikes. */
  get timely(): boolean {
    return this.mayChange || (this.damages.detects && this.mayCrash)
  }

  /** Whether a message that is sent into this channel now comes to nobody. */
  swallows(channel: number): boolean {
    const { to } = this.effects.channels[channel].route
    return this.damage.cut.includes(channel) || (this.forGood && !this.alive(to))
  }

  /** How long until the detector speaks again; Infinity when it has nothing to say. */
  get nextNotice(): number {
    return this.damage.notices.reduce((a, { left }) => Math.min(a, left), Number.POSITIVE_INFINITY)
  }

  /** Whether a live node is still to be told something. */
  get newsUnderWay(): boolean {
    return this.damage.notices.some(({ node }) => this.alive(node))
  }

  age(time: number): void {
    this.vector.change(this.cell, this.damages.after(this.number, time))
  }

  crash(node: number): void {
    const { vector, effects } = this
    vector.change(this.cell, this.damages.crashed(this.number, node))
    // What a node has kept is of no use to one that stays dead.
    vector.change(node, effects.locals[node].killed(this.forGood ? 0 : vector.cells[node]))
    if (!this.forGood) return
    for (const [i, { route }] of effects.channels.entries())
      if (route.to === node) vector.change(this.n + i, 0)
  }

  /** Deaths between handlers. */
  crashes(show: Visit): void {
    if (!this.mayCrash) return
    for (let node = 0; node < this.n; node++) {
      if (!this.alive(node)) continue
      this.crash(node)
      show({ event: 'crash', node, during: null, deposes: false })
    }
  }

  /** Messages in flight that are lost or doubled. */
  mishaps(show: Visit): void {
    const { vector } = this
    const losing = this.may('losses')
    const doubling = this.may('duplicates')
    if (!losing && !doubling) return
    for (const [channel, contents] of this.effects.channels.entries()) {
      const cell = this.n + channel
      for (const parcel of contents.inFlight(vector.cells[cell])) {
        const { message, before, lost, doubled } = parcel
        if (losing) {
          vector.change(this.cell, this.damages.garbled(this.number, 'losses'))
          vector.change(cell, lost)
          show({ event: 'lose', channel, message, before, deposes: false })
        }
        if (doubling) {
          vector.change(this.cell, this.damages.garbled(this.number, 'duplicates'))
          vector.change(cell, doubled)
          show({ event: 'double', channel, message, before, deposes: false })
        }
      }
    }
  }

  cuts(show: Visit): void {
    if (!this.may('cuts')) return
    const { topology } = this.effects.world
    for (let node = 0; node < this.n; node++)
      for (const link of linksOf(topology, node)) {
        const other = topology.neighbor(node, link)
        const gone = this.damage.cut.includes(topology.channel(node, link))
        const useless = this.forGood && !(this.alive(node) && this.alive(other))
        if (other < node || gone || useless) continue
        this.vector.change(this.cell, this.damages.severed(this.number, node, link))
        show({ event: 'cut', node, link, deposes: false })
      }
  }

  recoveries(): Consequence[] {
    if (!this.may('recoveries')) return []
    const { ids } = this.effects.world
    return this.damage.dead.flatMap((node) => {
      const local = this.vector.cells[node]
      const view = this.damages.view(this.number, node)
      const others = new Set(ids.filter((id) => id !== ids[node]))
      return (this.reappear ? [...others] : [ids[node]]).map((id) => {
        const damage = this.damages.recovered(this.number, node, id)
        const changes = this.damages.changes(damage)
        const occasion = { event: 'recover', id, view, changes } as const
        return { effects: this.effects.ofFault(node, local, occasion), damage }
      })
    })
  }

  /** What live nodes can be told next; what comes to the dead is shown at once. */
  notices(show: Visit): Consequence[] {
    const consequences: Consequence[] = []
    for (const i of this.damages.due(this.number)) {
      const { node, tidings } = this.damage.notices[i]
      const damage = this.damages.told(this.number, i)
      const local = this.vector.cells[node]
      if (this.alive(node))
        consequences.push({ effects: this.effects.ofFault(node, local, tidings), damage })
      else {
        this.vector.change(this.cell, damage)
        show({ event: 'unheard', deposes: false })
      }
    }
    return consequences
  }

  get noticesDue(): boolean {
    return this.damages.due(this.number).length > 0
  }

  private may(fault: FaultKind): boolean {
    return this.damage.spent[fault] < this.damages.budget[fault]
  }

  private get number(): number {
    return this.vector.cells[this.cell]
  }

  private get damage(): FaultState {
    return this.damages.list[this.number]
  }
}
