import {
  type GlobalState,
  type Property,
  rivals,
  type TermLeader,
  type Verdict,
} from '../core/language/problem.ts'
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

/** A node began to lead in a term. */
interface TermStart extends TermLeader {
  readonly time: number
}

/** From this many nodes on, safety properties are checked only when leaders change. */
const SMALL = 1000

/**
 * Monitors a run: which nodes are alive, which lead and since when, and whether the safety
 * properties hold. It checks them after handlers, never within one.
 */
export class PropertyMonitor implements GlobalState {
  readonly n: number
  readonly leaders: number[] = []
  readonly deposed: number[] = []
  /** Every node that became leader, in that order. */
  readonly leaderHistory: number[] = []
  /** Who led in which term, and since when. */
  readonly leads: TermStart[] = []
  /** When the first node became leader; -1 before. */
  elected = -1
  /** Whether linked nodes cannot reach each other; null where all can. */
  separated: ((a: number, b: number) => boolean) | null = null
  /** Overlaps of two leaders that were no violation. */
  readonly handovers: HandoverLog
  private readonly dead: Uint8Array
  private deadCount = 0
  private componentOf: Int32Array | null = null
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

  /** The number of live nodes. */
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

  /** On a closing ring and on a complete network all live nodes form one component. */
  component(node: number): number {
    const { topology } = this.world
    const whole = topology.kind === 'complete' || topology instanceof ClosingRing
    if (whole && this.separated === null) return 0
    const alive = (other: number) => this.alive(other)
    this.componentOf ??= components(topology, alive, this.separated)
    return this.componentOf[node]
  }

  becomesLeader(node: number, now: number): void {
    if (this.elected < 0) this.elected = now
    this.handovers.becomesLeader(node, now)
    this.leaders.push(node)
    this.leaderHistory.push(node)
  }

  leadsInTerm(node: number, term: number, time: number): void {
    this.leads.push({ time, node, term })
  }

  stopsLeading(node: number, now: number): void {
    this.leaders.splice(this.leaders.indexOf(node), 1)
    if (this.alive(node)) this.deposed.push(node)
    this.handovers.stopsLeading(node, now)
  }

  /** Some nodes can reach other nodes again, or no longer. */
  connectivityChanged(): void {
    this.componentOf = null
  }

  /** Has no side effect. */
  handover(first: number, second: number): boolean {
    return this.handovers.allows(first, second)
  }

  crashes(node: number, now: number): void {
    this.dead[node] = 1
    this.deadCount++
    this.componentOf = null
    if (this.states.of(node).status === 'leader') this.stopsLeading(node, now)
  }

  recovers(node: number, now: number): void {
    this.dead[node] = 0
    this.deadCount--
    this.componentOf = null
    this.handovers.joins(now)
  }

  /** Checks the safety properties; called after a handler has changed the outcome. */
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

  /** The violated safety properties so far. */
  get violations(): { readonly name: string; readonly detail: string }[] {
    return [...this.broken].map(([{ name }, { detail }]) => ({ name, detail }))
  }

  /** The verdicts; properties of the end are decided only if no limit has stopped the run. */
  verdicts(stopped: string | null): Verdict[] {
    return this.properties.map((property) => {
      const { name, says = name } = property
      const undecided =
        property.when === 'always' ? null : (stopped ?? property.moot?.(this) ?? null)
      if (undecided !== null) return { name, holds: null, detail: undecided }
      const detail =
        property.when === 'always'
          ? this.violation(property, stopped === null)
          : property.broken(this)
      return { name, holds: detail === null, detail: detail ?? says }
    })
  }

  /** The first violation of a property and its duration; null where it always held. */
  private violation(property: Property, quiet: boolean): string | null {
    const violation = this.broken.get(property)
    if (violation === undefined) return property.handsOver ? this.overlong(quiet) : null
    const { detail, from, to } = violation
    const span = property.passes ? (to === null ? ' to the end' : ` to ${to}`) : ''
    return `${this.moment(from)}${span}: ${detail}`
  }

  /** An overlap of two leaders that was too long, or that no message will end. */
  private overlong(quiet: boolean): string | null {
    const overlap = this.handovers.overlong ?? (quiet ? this.handovers.open : undefined)
    if (overlap === undefined) return null
    const [old, young] = overlap.nodes.map((node) => this.name(node))
    const since = this.moment(overlap.from + (this.synchronous ? 1 : 0))
    return overlap.to === null
      ? `${since} to the end: ${old} leads beside ${young}`
      : `${since}: ${old} still led long after ${young} did`
  }

  private moment(at: number): string {
    return at < 0 ? 'before the start' : `${this.synchronous ? 'round' : 'time'} ${at}`
  }
}
