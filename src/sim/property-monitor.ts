import { type GlobalState, type Property, rivals, type Verdict } from '../core/language/problem.ts'
import { idOf, type World } from '../core/language/world.ts'
import { components } from '../core/networks/components.ts'
import type { State } from '../core/runtime/state.ts'
import type { StateReader } from '../core/runtime/states.ts'
import type { Conditions } from './conditions.ts'
import { ClosingRing } from './faults/closing-ring.ts'
import { HandoverLog } from './faults/handover-log.ts'
import { factsOf } from './network-facts.ts'

interface Violation {
  readonly detail: string
  readonly from: number
  /** When it held again; null while it does not. */
  to: number | null
}

/** From this many nodes on, what must hold always is judged only when leaders change. */
const SMALL = 1000

/**
 * Watches a run: who lives, who leads, since when, and whether what must hold always has held. It
 * looks on when a handler is done, never in the middle.
 */
export class PropertyMonitor implements GlobalState {
  readonly n: number
  readonly leaders: number[] = []
  readonly deposed: number[] = []
  /** Every node that took office, in that order. */
  readonly leaderHistory: number[] = []
  /** When a node first led; -1 while nobody has. */
  elected = -1
  /** Which nodes cannot reach each other though they are linked; null where all can. */
  separated: ((a: number, b: number) => boolean) | null = null
  /** Two leaders at once that were no fault, since one was about to hear of the other. */
  readonly handovers: HandoverLog
  private readonly dead: Uint8Array
  private deadCount = 0
  private labels: Int32Array | null = null
  private readonly broken = new Map<Property, Violation>()
  private readonly always: readonly Property[]
  private readonly synchronous: boolean

  constructor(
    private readonly world: World,
    private readonly states: StateReader,
    private readonly properties: readonly Property[],
    conditions: Conditions,
  ) {
    this.synchronous = conditions.synchronous
    this.handovers = new HandoverLog(world.algorithm.handover(factsOf(world, conditions)))
    this.n = world.topology.n
    this.dead = new Uint8Array(this.n)
    this.always = properties.filter((property) => property.when === 'always')
  }

  /** How many nodes are alive. */
  get aliveCount(): number {
    return this.n - this.deadCount
  }

  state(node: number): Readonly<State> {
    return this.states.of(node)
  }

  alive(node: number): boolean {
    return this.dead[node] === 0
  }

  get anyCrashed(): boolean {
    return this.deadCount > 0
  }

  name(node: number): string {
    const { id } = this.states.of(node)
    return id === undefined ? `${node}` : `${idOf(this.world, id)} (position ${node})`
  }

  /** A ring closes over its dead, a complete network has no cut: all their live nodes are one. */
  component(node: number): number {
    const { topology } = this.world
    const whole = topology.kind === 'complete' || topology instanceof ClosingRing
    if (whole && this.separated === null) return 0
    const alive = (other: number) => this.alive(other)
    this.labels ??= components(topology, alive, this.separated)
    return this.labels[node]
  }

  becomesLeader(node: number, now: number): void {
    if (this.elected < 0) this.elected = now
    this.handovers.becomesLeader(node, now)
    this.leaders.push(node)
    this.leaderHistory.push(node)
  }

  stopsLeading(node: number, now: number): void {
    this.leaders.splice(this.leaders.indexOf(node), 1)
    if (this.alive(node)) this.deposed.push(node)
    this.handovers.stopsLeading(node, now)
  }

  /** Some nodes can reach others again, or no longer. */
  connectivityChanged(): void {
    this.labels = null
  }

  /** Looking does not change anything: it may be asked as often as one likes. */
  handover(first: number, second: number): boolean {
    return this.handovers.allows(first, second)
  }

  crashes(node: number, now: number): void {
    this.dead[node] = 1
    this.deadCount++
    this.labels = null
    if (this.states.of(node).status === 'leader') this.stopsLeading(node, now)
  }

  recovers(node: number, now: number): void {
    this.dead[node] = 0
    this.deadCount--
    this.labels = null
    this.handovers.joins(now)
  }

  /** Something about the outcome has changed, and the handler that changed it is done. */
  check(leadersChanged: boolean, at: number): void {
    if (this.n < SMALL || leadersChanged) {
      if (this.handovers.expected)
        for (const [old, young] of rivals(this)) this.handovers.record(old, young)
      for (const property of this.always) {
        const violation = this.broken.get(property)
        if (violation?.to !== undefined && violation.to !== null) continue
        const detail = property.broken(this)
        if (violation === undefined && detail !== null)
          this.broken.set(property, { detail, from: at, to: null })
        if (violation !== undefined && detail === null) violation.to = at
      }
    }
    if (this.deposed.length > 0) this.deposed.length = 0
  }

  /** What must hold always and has not, so far. */
  get violations(): { readonly name: string; readonly detail: string }[] {
    return [...this.broken].map(([{ name }, { detail }]) => ({ name, detail }))
  }

  /** The verdict; what must hold at the end is judged only if no limit stopped the run before. */
  verdicts(stopped: string | null): Verdict[] {
    return this.properties.map((property) => {
      const { name, says = name } = property
      const open = property.when === 'always' ? null : (stopped ?? property.moot?.(this) ?? null)
      if (open !== null) return { name, holds: null, detail: open }
      const detail =
        property.when === 'always' ? this.breach(property, stopped === null) : property.broken(this)
      return { name, holds: detail === null, detail: detail ?? says }
    })
  }

  /** How a property was first broken, and until when; null where it always held. */
  private breach(property: Property, quiet: boolean): string | null {
    const breach = this.broken.get(property)
    if (breach === undefined) return property.handsOver ? this.overlong(quiet) : null
    const { detail, from, to } = breach
    const span = property.passes ? (to === null ? ' to the end' : ` to ${to}`) : ''
    return `${this.moment(from)}${span}: ${detail}`
  }

  /** An old leader that stood too long beside a new one, or will hear nothing more. */
  private overlong(quiet: boolean): string | null {
    const late = this.handovers.overlong ?? (quiet ? this.handovers.open : undefined)
    if (late === undefined) return null
    const [old, young] = late.nodes.map((node) => this.name(node))
    const since = this.moment(late.from + (this.synchronous ? 1 : 0))
    return late.to === null
      ? `${since} to the end: ${old} leads beside ${young}`
      : `${since}: ${old} still led long after ${young} did`
  }

  private moment(at: number): string {
    return at < 0 ? 'before the start' : `${this.synchronous ? 'round' : 'time'} ${at}`
  }
}
