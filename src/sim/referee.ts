import { components } from '../core/networks/components.ts'
import type { Property, Situation } from '../core/problem.ts'
import type { State } from '../core/state.ts'
import type { World } from '../core/world.ts'

export interface Judgement {
  readonly name: string
  /** null: not decided, since the run was cut off. */
  readonly holds: boolean | null
  readonly detail: string
}

/** From this many nodes on, what must hold always is judged only when leaders change. */
const SMALL = 1000

/**
 * Watches a run: who lives, who leads, since when, and whether what must hold always has held. It
 * looks on when a handler is done, never in the middle.
 */
export class Referee implements Situation {
  readonly n: number
  readonly leaders: number[] = []
  readonly deposed: number[] = []
  /** Every node that took office, in that order. */
  readonly offices: number[] = []
  /** When a node first led; -1 while nobody has. */
  elected = -1
  private readonly dead: Uint8Array
  private deadCount = 0
  private labels: Int32Array | null = null
  private readonly broken = new Map<Property, string>()
  private readonly always: readonly Property[]

  constructor(
    private readonly world: World,
    private readonly states: readonly State[],
    private readonly properties: readonly Property[],
    private readonly synchronous: boolean,
  ) {
    this.n = states.length
    this.dead = new Uint8Array(this.n)
    this.always = properties.filter((property) => property.when === 'always')
  }

  state(node: number): State {
    return this.states[node]
  }

  alive(node: number): boolean {
    return this.dead[node] === 0
  }

  get anyDead(): boolean {
    return this.deadCount > 0
  }

  name(node: number): string {
    const { id } = this.states[node]
    return id === undefined ? `${node}` : `${id} (position ${node})`
  }

  /** A ring closes over its dead, a complete network has no cut: all their live nodes are one. */
  component(node: number): number {
    if (this.world.topology.kind !== 'graph') return 0
    this.labels ??= components(this.world.topology, (other) => this.alive(other))
    return this.labels[node]
  }

  takesOffice(node: number, now: number): void {
    if (this.elected < 0) this.elected = now
    this.leaders.push(node)
    this.offices.push(node)
  }

  leavesOffice(node: number): void {
    this.leaders.splice(this.leaders.indexOf(node), 1)
    if (this.alive(node)) this.deposed.push(node)
  }

  dies(node: number): void {
    this.dead[node] = 1
    this.deadCount++
    this.labels = null
    if (this.states[node].status === 'leader') this.leavesOffice(node)
  }

  /** Something about the outcome has changed, and the handler that changed it is done. */
  look(leadersChanged: boolean, at: number): void {
    if (this.n < SMALL || leadersChanged) {
      for (const property of this.always) {
        if (this.broken.has(property)) continue
        const detail = property.broken(this)
        if (detail !== null) this.broken.set(property, `${this.moment(at)}: ${detail}`)
      }
    }
    if (this.deposed.length > 0) this.deposed.length = 0
  }

  /** The verdict; what must hold at the end is judged only if the end was reached. */
  judge(quiet: boolean): Judgement[] {
    return this.properties.map((property) => {
      if (property.when === 'at the end' && !quiet) {
        return { name: property.name, holds: null, detail: 'the run was cut off before the end' }
      }
      const detail =
        property.when === 'always' ? (this.broken.get(property) ?? null) : property.broken(this)
      return { name: property.name, holds: detail === null, detail: detail ?? property.says }
    })
  }

  private moment(at: number): string {
    return at < 0 ? 'before the start' : `${this.synchronous ? 'round' : 'time'} ${at}`
  }
}
