import {
  type Followed,
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
import {
  type Conditions,
  type JudgingLimits,
  largestDelay,
  slowness,
  timeUnit,
} from './conditions.ts'
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

const USUAL_LIMITS: JudgingLimits = { nodes: 1000, reads: 3e8 }
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
  /** The leaders that nodes have followed by name, each with the first node that did. */
  readonly followed: Followed[] = []
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
  /** What may change with any event, not only when an outcome does, and is not decided yet. */
  private readonly perEvent: Set<Property>
  private readonly limits: JudgingLimits
  /** How many states were read so far, and how many of them by each property. */
  private reads = 0
  private readonly readsOf = new Map<Property, number>()
  /** Properties that have read too much, and since when they are judged no more. */
  private readonly leftAt = new Map<Property, number>()
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
      .map((property) => new Stability(property, conditions.synchronous ? 1 : 0))
    for (const property of properties)
      if (property.when === 'eventually') this.missing.set(property, 'it has not begun')
    this.limits = conditions.judging ?? USUAL_LIMITS
    this.perEvent = new Set(properties.filter(mayChangeAnytime))
  }

  /** Whether properties must be judged after each event. */
  get stepwise(): boolean {
    return this.perEvent.size > 0
  }

  /**
   * Since when everything holds that must hold from some time on; null while something does not.
   * Where there is nothing of that kind: since when the same nodes lead, in terms. Of properties
   * that read too much it is since when they held when they were last judged.
   */
  get stableSince(): number | null {
    if (this.aliveCount === 0) return null
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
    this.reads++
    return this.states.of(node)
  }

  cursor(): (node: number) => Readonly<State> {
    const look = this.states.cursor()
    return (node) => {
      this.reads++
      return look(node)
    }
  }

  alive(node: number): boolean {
    this.reads++
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
    leader: number | null,
  ): boolean {
    if (what === 'follow' && leader !== null) this.follows(node, leader)
    if (what === 'lead') {
      if (term !== undefined) this.leads.push({ time: now, node, term })
      if (before !== 'leader') this.becomesLeader(node, now)
      return true
    }
    if (before !== 'leader' || what === 'stop') return false
    this.stopsLeading(node, now)
    return true
  }

  /** Two different leaders are enough: one of them is not the right one. */
  private follows(node: number, leader: number): void {
    if (this.followed.length > 1 || this.followed[0]?.leader === leader) return
    this.followed.push({ node, leader })
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
    if (!this.begun && this.stepwise) this.check(true, at)
    this.begun = true
  }

  /** Checks the properties; called after a handler that has changed the outcome, or after each. */
  check(leadersChanged: boolean, at: number): void {
    this.checkProgress(at)
    this.checkDeadlines(at)
    const few = this.n < this.limits.nodes
    if (this.handovers.expected && (few || leadersChanged))
      for (const [old, young] of rivals(this)) this.handovers.record(old, young)
    for (const property of this.always)
      if (few || leadersChanged || property.sees !== 'leaders') this.checkAlways(property, at)
    if (this.deposed.length > 0) this.deposed.length = 0
  }

  private checkAlways(property: Property, at: number): void {
    const violation = this.broken.get(property)
    if (violation !== undefined && violation.to !== null) return
    const detail = this.judged(property, at, () => property.broken(this))
    if (detail === undefined) return
    if (violation === undefined && detail !== null) {
      this.broken.set(property, { detail, from: at, to: null })
      if (!property.passes) this.perEvent.delete(property)
    }
    if (violation !== undefined && detail === null) {
      violation.to = at
      this.perEvent.delete(property)
    }
  }

  private checkDeadlines(at: number): void {
    for (const deadline of this.deadlines)
      this.judged(deadline.property, at, () => deadline.observe(this, at))
  }

  private checkProgress(at: number): void {
    for (const stability of this.stabilities)
      this.judged(stability.property, at, () => stability.observe(this, at))
    for (const property of this.missing.keys()) {
      const broken = this.judged(property, at, () => property.broken(this))
      if (broken === undefined) continue
      if (broken !== null) this.missing.set(property, broken)
      else {
        this.missing.delete(property)
        this.perEvent.delete(property)
      }
    }
  }

  /** Judges a property, unless it has read too much; then undefined. */
  private judged<T>(property: Property, at: number, judge: () => T): T | undefined {
    if (this.leftAt.has(property)) return undefined
    const before = this.reads
    const result = judge()
    if (this.n < this.limits.nodes) return result
    const reads = (this.readsOf.get(property) ?? 0) + this.reads - before
    this.readsOf.set(property, reads)
    if (reads > this.limits.reads && mayBeLeft(property)) {
      this.leftAt.set(property, at)
      this.perEvent.delete(property)
    }
    return result
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
      const { name, says = name } = property
      const open = this.openVerdict(property, stopped)
      if (open !== null) return open
      const left = this.leftAt.get(property)
      const deadline = this.deadlines.find((it) => it.property === property)
      if (left !== undefined && !this.broken.has(property) && deadline?.exceeded !== true)
        return this.verdictOfLeft(property, left, stopped === null)
      if (deadline !== undefined) return this.verdictOfDeadline(deadline, stop)
      const stability = this.stabilities.find((it) => it.property === property)
      if (stability !== undefined) return stability.verdict(stop, (at) => this.moment(at))
      const detail = this.violationIn(property, stopped === null)
      return { name, holds: detail === null, detail: detail ?? says }
    })
  }

  /** The verdict of what promises nothing here, or is not decided; null for all else. */
  private openVerdict(property: Property, stopped: string | null): Verdict | null {
    const { name, when } = property
    if (when === 'always') return null
    const moot = property.moot?.(this) ?? null
    const unpromised = moot === null ? (property.unpromised?.(this) ?? null) : null
    if (unpromised !== null) return { name, holds: true, detail: `${UNPROMISED}: ${unpromised}` }
    const undecided = this.undecided(property, stopped, moot)
    return undecided === null ? null : { name, holds: null, detail: undecided }
  }

  private verdictOfDeadline(deadline: Deadline, stop: RunStop | null): Verdict {
    const { name, moot } = deadline.property
    const slow = (limit: number) => slowness(this.conditions, limit)
    const verdict = deadline.verdict(this, stop, slow, (at) => this.moment(at))
    const open = verdict.holds === true ? (moot?.(this) ?? null) : null
    return open === null ? verdict : { name, holds: null, detail: open }
  }

  /** The verdict of a property that read too much: what the last state still decides. */
  private verdictOfLeft(property: Property, left: number, quiet: boolean): Verdict {
    const { name, when } = property
    const known = `judged only until ${this.moment(left)}, since it reads too many states`
    const broken = property.broken(this)
    const open = { name, holds: null, detail: `not decided: ${known}` }
    if (property.within !== undefined) return open
    if (when === 'always' && broken !== null)
      return { name, holds: false, detail: `at the end, or before: ${broken} (${known})` }
    if (when === 'eventually' && broken === null)
      return { name, holds: true, detail: `at the end, or before (${known})` }
    if (when !== 'from some time on' || !quiet) return open
    return { name, holds: broken === null, detail: `${broken ?? 'stable'} at the end (${known})` }
  }

  /** Why a property is not decided; null where it is. */
  private undecided(property: Property, stopped: string | null, moot: string | null) {
    const { when } = property
    if (when === 'at the end') return stopped ?? moot
    if (when === 'in the long run' && this.longRunSenders === null) return moot ?? TOO_SHORT
    if (when !== 'eventually') return moot
    const waits = stopped !== null && this.missing.has(property) && !this.leftAt.has(property)
    return waits ? 'not yet when the run was stopped' : null
  }

  private violationIn(property: Property, quiet: boolean): string | null {
    if (property.when === 'always') return this.violation(property, quiet)
    if (property.when === 'at the end' || property.when === 'in the long run')
      return property.broken(this)
    const missing = this.missing.get(property)
    return missing === undefined ? null : `never in this run: ${missing}`
  }

  /** The first violation of a property and its duration; null where it always held. */
  private violation(property: Property, quiet: boolean): string | null {
    const violation = this.broken.get(property)
    if (violation === undefined) return property.handsOver ? this.overlong(quiet) : null
    const { detail, from, to } = violation
    const open = this.leftAt.has(property) ? ' to an unknown time' : ' to the end'
    const span = property.passes ? (to === null ? open : ` to ${to}`) : ''
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

function seesStates({ sees }: Property): boolean {
  return sees === undefined || sees === 'single nodes'
}

/** Whether it may change with any event, not only when an outcome does. */
function mayChangeAnytime(property: Property): boolean {
  const { when } = property
  return when !== 'at the end' && when !== 'in the long run' && seesStates(property)
}

/** Those of outcomes change with few events, and decide when some runs end. */
function mayBeLeft(property: Property): boolean {
  return seesStates(property) || (property.when === 'always' && property.sees === 'outcomes')
}
