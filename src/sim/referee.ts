import { components } from '../core/networks/components.ts'
import type { Property, Situation } from '../core/problem.ts'
import type { State } from '../core/state.ts'
import { idOf, type World } from '../core/world.ts'
import { factsOf } from './bounds.ts'
import type { Conditions } from './conditions.ts'

export interface Judgement {
  readonly name: string
  /** null: not decided, since the run was cut off or nobody is left alive. */
  readonly holds: boolean | null
  readonly detail: string
}

/** Two nodes that led at the same time, the older leader first. */
export interface Handover {
  readonly nodes: readonly [number, number]
  /** Both led before they could reach each other. */
  readonly merged: boolean
  readonly from: number
  to: number | null
}

interface Breach {
  readonly detail: string
  readonly from: number
  /** When it held again; null while it does not. */
  to: number | null
}

/** Times are sums of delays such as 0.1, which float64s do not add up exactly. */
const ROUNDING = 1e-9

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
  /** Which nodes cannot reach each other though they are linked; null where all can. */
  parted: ((a: number, b: number) => boolean) | null = null
  /** Two leaders at once that were no fault, since one was about to hear of the other. */
  readonly handovers: Handover[] = []
  /** When a node, or a link, last joined the network; and since when the leaders lead. */
  private joined = -1
  private readonly since = new Map<number, number>()
  private readonly dead: Uint8Array
  private deadCount = 0
  private labels: Int32Array | null = null
  private readonly broken = new Map<Property, Breach>()
  private readonly always: readonly Property[]
  private readonly synchronous: boolean
  /** How long an old leader may stand beside a new one. */
  private readonly longestHandover: number

  constructor(
    private readonly world: World,
    private readonly states: readonly State[],
    private readonly properties: readonly Property[],
    conditions: Conditions,
  ) {
    this.synchronous = conditions.synchronous
    this.longestHandover = world.algorithm.handover(factsOf(world, conditions))
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
    return id === undefined ? `${node}` : `${idOf(this.world, id)} (position ${node})`
  }

  /** A ring closes over its dead, a complete network has no cut: all their live nodes are one. */
  component(node: number): number {
    if (this.world.topology.kind !== 'graph' && this.parted === null) return 0
    const alive = (other: number) => this.alive(other)
    this.labels ??= components(this.world.topology, alive, this.parted)
    return this.labels[node]
  }

  takesOffice(node: number, now: number): void {
    if (this.elected < 0) this.elected = now
    this.since.set(node, now)
    this.leaders.push(node)
    this.offices.push(node)
  }

  leavesOffice(node: number, now: number): void {
    this.leaders.splice(this.leaders.indexOf(node), 1)
    if (this.alive(node)) this.deposed.push(node)
    for (const handover of this.handovers)
      if (handover.to === null && handover.nodes.includes(node)) handover.to = now
  }

  /** A node, or a link, has joined: who led before may stand until it hears of the new leader. */
  joins(now: number): void {
    this.joined = now
  }

  /** The election that something started by joining has ended: from now on that excuses nobody. */
  ended(): void {
    this.joined = -1
  }

  /** Some nodes can reach others again, or no longer. */
  regroup(): void {
    this.labels = null
  }

  /**
   * Two that lead at once since something joined: whoever led before it may stand until it hears of
   * the other. Where that has no limit, the election that the change starts may have its time too.
   */
  handover(first: number, second: number): boolean {
    const [one, other] = [this.since.get(first)!, this.since.get(second)!]
    const unlimited = this.longestHandover === Number.POSITIVE_INFINITY
    if (this.joined < 0 || (Math.min(one, other) > this.joined && !unlimited)) return false
    const nodes: [number, number] = one <= other ? [first, second] : [second, first]
    const known = this.handovers.some(
      (it) => it.to === null && it.nodes[0] === nodes[0] && it.nodes[1] === nodes[1],
    )
    const from = Math.max(one, other, this.joined)
    const merged = Math.max(one, other) <= this.joined
    if (!known) this.handovers.push({ nodes, merged, from, to: null })
    return true
  }

  dies(node: number, now: number): void {
    this.dead[node] = 1
    this.deadCount++
    this.labels = null
    if (this.states[node].status === 'leader') this.leavesOffice(node, now)
  }

  revives(node: number, now: number): void {
    this.dead[node] = 0
    this.deadCount--
    this.labels = null
    this.joins(now)
  }

  /** Something about the outcome has changed, and the handler that changed it is done. */
  look(leadersChanged: boolean, at: number): void {
    if (this.n < SMALL || leadersChanged) {
      for (const property of this.always) {
        const breach = this.broken.get(property)
        if (breach?.to !== undefined && breach.to !== null) continue
        const detail = property.broken(this)
        if (breach === undefined && detail !== null)
          this.broken.set(property, { detail, from: at, to: null })
        if (breach !== undefined && detail === null) breach.to = at
      }
    }
    if (this.deposed.length > 0) this.deposed.length = 0
  }

  /** The verdict; what must hold at the end is judged only if no limit stopped the run before. */
  judge(stopped: string | null): Judgement[] {
    return this.properties.map((property) => {
      const { name, says } = property
      const open = property.when === 'always' ? null : (stopped ?? property.moot?.(this) ?? null)
      if (open !== null) return { name, holds: null, detail: open }
      const detail = property.when === 'always' ? this.breach(property) : property.broken(this)
      return { name, holds: detail === null, detail: detail ?? says }
    })
  }

  /** How a property was first broken, and until when; null where it always held. */
  private breach(property: Property): string | null {
    const breach = this.broken.get(property)
    if (breach === undefined) return this.overlong(property)
    const { detail, from, to } = breach
    const span = property.passes ? (to === null ? ' to the end' : ` to ${to}`) : ''
    return `${this.moment(from)}${span}: ${detail}`
  }

  /** An old leader that stood too long beside a new one. */
  private overlong({ name }: Property): string | null {
    if (name !== 'no two live leaders') return null
    const late = this.handovers.find(
      ({ from, to, merged }) =>
        !merged && (to ?? Number.POSITIVE_INFINITY) - from > this.longestHandover + ROUNDING,
    )
    if (late === undefined) return null
    const [old, young] = late.nodes.map((node) => this.name(node))
    const since = this.moment(late.from + (this.synchronous ? 1 : 0))
    return `${since}: ${old} still led long after ${young} did`
  }

  private moment(at: number): string {
    return at < 0 ? 'before the start' : `${this.synchronous ? 'round' : 'time'} ${at}`
  }
}
