import {
  type GlobalState,
  type Property,
  rivals,
  type TermLeader,
  UNPROMISED,
  type Verdict,
} from '../core/language/problem.ts'
import { idOf, type World } from '../core/language/world.ts'
import { components } from '../core/networks/components.ts'
import type { OutcomeChange } from '../core/runtime/driver.ts'
import type { State, Status } from '../core/runtime/state.ts'
import type { StateReader } from '../core/runtime/states.ts'
import { type Conditions, largestDelay, slowness, timeUnit } from './conditions.ts'
import { ClosingRing } from './faults/closing-ring.ts'
import { HandoverLog } from './faults/handover-log.ts'
import { Deadline, type RunStop, Stability } from './stability.ts'

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
const TOO_SHORT = 'not decided: the outcome was not stable for more than one period before the end'

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
  /** When they did. */
  readonly leaderTimes: number[] = []
  /** Who led in which term, and since when. */
  readonly leads: TermStart[] = []
  /** By how much the last meeting changed the number of leaders. */
  gained = 0
  /** When the first node became leader; -1 before. */
  elected = -1
  /** Whether linked nodes cannot reach each other; null where all can. */
  separated: ((a: number, b: number) => boolean) | null = null
  /** Overlaps of two leaders that were no violation. */
  readonly handovers: HandoverLog
  /** Who sends in the long run; null where that is not known, or not yet. */
  longRunSenders: readonly number[] | null = null
  private readonly dead: Uint8Array
  private deadCount = 0
  /** When the leaders last changed. */
  private leadersSince = 0
  private componentOf: Int32Array | null = null
  private readonly broken = new Map<Property, Violation>()
  private readonly always: readonly Property[]
  /** What must hold eventually and has not yet: what is missing, in words. */
  private readonly missing = new Map<Property, string>()
  private readonly stabilities: readonly Stability[]
  private readonly deadlines: readonly Deadline[]
  private readonly pausing = new Set<number>()
  private readonly synchronous: boolean
  /** Whether some property may change with any event, not only when an outcome does. */
  private readonly seesStates: boolean
  private begun = false

  constructor(
    private readonly world: World,
    private readonly states: StateReader,
    private readonly properties: readonly Property[],
    private readonly conditions: Conditions,
  ) {
    this.synchronous = conditions.synchronous
    this.n = world.topology.n
    const facts = { n: this.n, largestDelay: largestDelay(conditions.delay) }
    this.handovers = new HandoverLog(world.algorithm.handover(facts))
    this.dead = new Uint8Array(this.n)
    this.deadlines = properties
      .filter(({ within }) => within !== undefined)
      .map((property) => new Deadline(property, conditions.faults?.drift ?? 0))
    this.always = properties.filter(({ when, within }) => when === 'always' && !within)
    this.stabilities = properties
      .filter(({ when }) => when === 'from some time on')
      .map((property) => new Stability(property))
    for (const property of properties)
      if (property.when === 'eventually') this.missing.set(property, 'it has not begun')
    this.seesStates = properties.some(
      ({ when, sees }) => when !== 'at the end' && (sees === undefined || sees === 'single nodes'),
    )
  }

  /** Whether the properties must be judged after each event, in networks of moderate size. */
  get stepwise(): boolean {
    return this.seesStates && this.n < SMALL
  }

  /**
   * Since when everything holds that must hold from some time on; null while something does not.
   * Where there is nothing of that kind: since when the same nodes lead, in terms.
   */
  get stableSince(): number | null {
    if (this.stabilities.length === 0 && this.leads.length > 0)
      return this.leaders.length > 0 ? this.leadersSince : null
    const times = this.stabilities.map(({ since }) => since)
    if (times.length === 0 || times.includes(null)) return null
    return Math.max(...(times as number[]))
  }

  get senders(): readonly number[] {
    return this.longRunSenders ?? []
  }

  /** The number of live nodes. */
  get aliveCount(): number {
    return this.n - this.deadCount
  }

  state(node: number): Readonly<State> {
    return this.states.of(node)
  }

  cursor(): (node: number) => Readonly<State> {
    return this.states.cursor()
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

  /** The outcome of a node has changed; returns whether a node begins or ceases to lead. */
  outcomeChanges(
    node: number,
    what: OutcomeChange,
    before: Status,
    now: number,
    term: number | undefined,
  ): boolean {
    if (what === 'lead') {
      if (term !== undefined) this.leads.push({ time: now, node, term })
      if (before !== 'leader') this.becomesLeader(node, now)
      return true
    }
    if (before !== 'leader' || what === 'stop') return false
    this.stopsLeading(node, now)
    return true
  }

  becomesLeader(node: number, now: number): void {
    if (this.elected < 0) this.elected = now
    this.handovers.becomesLeader(node, now)
    this.leadersSince = now + (this.synchronous ? 1 : 0)
    this.leaders.push(node)
    this.leaderHistory.push(node)
    this.leaderTimes.push(now)
  }

  stopsLeading(node: number, now: number): void {
    this.leadersSince = now + (this.synchronous ? 1 : 0)
    this.leaders.splice(this.leaders.indexOf(node), 1)
    if (this.alive(node)) this.deposed.push(node)
    this.handovers.stopsLeading(node, now)
  }

  /** A node has started by itself. */
  starts(at: number): void {
    this.checkDeadlines(at)
  }

  /** Some nodes can reach other nodes again, or no longer. */
  connectivityChanged(now: number): void {
    this.componentOf = null
    this.checkDeadlines(now + (this.synchronous ? 1 : 0))
  }

  pauses(node: number, now: number): void {
    this.pausing.add(node)
    this.checkDeadlines(now)
  }

  resumes(node: number, now: number): void {
    this.pausing.delete(node)
    this.checkDeadlines(now)
  }

  paused(node: number): boolean {
    return this.pausing.has(node)
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

  /** Properties that see whole states are judged in the initial one, too. */
  checkInitialState(at: number): void {
    if (!this.begun) this.check(true, at)
    this.begun = true
  }

  /** Checks the properties; called after a handler has changed the outcome. */
  check(leadersChanged: boolean, at: number): void {
    if (this.stabilities.length > 0 || this.missing.size > 0) this.checkProgress(at)
    this.checkDeadlines(at)
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

  private checkDeadlines(at: number): void {
    for (const deadline of this.deadlines) deadline.observe(this, at)
  }

  private checkProgress(at: number): void {
    for (const stability of this.stabilities) stability.observe(this, at)
    for (const property of this.missing.keys()) {
      const broken = property.broken(this)
      if (broken === null) this.missing.delete(property)
      else this.missing.set(property, broken)
    }
  }

  /** The violated safety properties so far. */
  get violations(): { readonly name: string; readonly detail: string }[] {
    return [...this.broken].map(([{ name }, { detail }]) => ({ name, detail }))
  }

  /**
   * The verdicts; properties of the end are decided only if no limit has stopped the run. `stop`
   * says where one did.
   */
  verdicts(stopped: string | null, stop: RunStop | null = null): Verdict[] {
    return this.properties.map((property) => {
      const { name, when, says = name } = property
      const deadline = this.deadlines.find((it) => it.property === property)
      if (deadline !== undefined) {
        const slow = (limit: number) => slowness(this.conditions, limit)
        return deadline.verdict(this, stop, slow, (at) => this.moment(at))
      }
      const unpromised = when === 'always' ? null : (property.unpromised?.(this) ?? null)
      if (unpromised !== null) return { name, holds: true, detail: `${UNPROMISED}: ${unpromised}` }
      const undecided = when === 'always' ? null : this.undecided(property, stopped)
      if (undecided !== null) return { name, holds: null, detail: undecided }
      if (when === 'from some time on') {
        const stability = this.stabilities.find((it) => it.property === property)!
        return stability.verdict(stop, (at) => this.moment(at))
      }
      const detail = this.violationIn(property, stopped === null)
      return { name, holds: detail === null, detail: detail ?? `${says}${this.coverage(property)}` }
    })
  }

  /** Why a property is not decided; null where it is. */
  private undecided(property: Property, stopped: string | null): string | null {
    const moot = property.moot?.(this) ?? null
    if (property.when === 'from some time on') return moot
    if (property.when === 'in the long run')
      return moot ?? (this.longRunSenders === null ? TOO_SHORT : null)
    if (property.when === 'at the end') return stopped ?? moot
    return stopped !== null && this.missing.has(property)
      ? 'not yet when the run was stopped'
      : null
  }

  private violationIn(property: Property, quiet: boolean): string | null {
    if (property.when === 'always') return this.violation(property, quiet)
    if (property.when === 'at the end' || property.when === 'in the long run')
      return property.broken(this)
    const missing = this.missing.get(property)
    return missing === undefined ? null : `never in this run: ${missing}`
  }

  /** In a large network properties that see whole states are not judged after each event. */
  private coverage({ when, sees }: Property): string {
    const seesStates = sees === undefined || sees === 'single nodes'
    const partial = when !== 'at the end' && seesStates && !this.stepwise
    return partial ? ' (judged only when the outcome of a node changed: many nodes)' : ''
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
    return at < 0 ? 'before the start' : `${timeUnit(this.world, this.conditions)} ${at}`
  }
}
