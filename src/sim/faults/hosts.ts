import type { Algorithm } from '../../core/language/algorithm.ts'
import type { StateReader } from '../../core/runtime/states.ts'
import type { Conditions, NodeSchedule } from '../conditions.ts'
import type { Timeline } from '../queue/timeline.ts'
import type { FaultEvent, FaultPlan } from './faults.ts'
import { type Effect, Outboxes } from './outboxes.ts'

/** Clock rates are drawn among this many, so that times stay short. */
const RATES = 1000

/** What the hosts need of the run on them. */
export interface HostedRun {
  readonly now: number
  /** The position of the node whose handler runs. */
  readonly position: number
  readonly states: StateReader
  /** An effect of the current node reaches the others. */
  perform(effect: Effect): void
  /** The time of the next effects has changed. */
  reschedule(): void
}

/**
 * The machines on which nodes run, where they are not perfect: clocks of different rates, pauses in
 * which a node handles nothing, disks that take time.
 */
export class Hosts {
  /** The algorithm whose handlers let the disk finish before others see what they did. */
  readonly algorithm: Algorithm
  /** By position: how long the unit of its clock takes; null where all clocks are right. */
  private readonly rates: Float64Array | null
  /** By node and timer: when its last setting is due. */
  private readonly due: Float64Array
  /** What waits for the end of a node's pause, by node. */
  private readonly held = new Map<number, (() => void)[]>()
  private outboxes: Outboxes | null = null
  /** What the current handler has done so far, where it may have to wait for the disk. */
  private effects: Effect[] | null = null
  private run!: HostedRun

  constructor(
    private readonly original: Algorithm,
    private readonly n: number,
    private readonly plan: FaultPlan,
    private readonly conditions: Conditions,
  ) {
    this.algorithm = plan.disk === null ? original : this.committing(original)
    this.rates = ratesOf(plan, conditions, n)
    this.due = new Float64Array(n * original.timers.length)
  }

  attach(run: HostedRun): void {
    const { original, conditions, plan } = this
    this.run = run
    if (plan.disk !== null)
      this.outboxes = new Outboxes(original, run.states, this.n, conditions, plan.disk)
  }

  /** How long the current node's timer takes in real time. */
  timerDelay(timer: number, delay: number): number {
    const { position, now } = this.run
    const taken = this.rates === null ? delay : delay * this.rates[position]
    this.due[position * this.original.timers.length + timer] = now + taken
    return taken
  }

  isPaused(node: number): boolean {
    return this.held.has(node)
  }

  /** Keeps something until the pause of a node ends; false where it does not pause. */
  holds(node: number, act: () => void): boolean {
    const waiting = this.held.get(node)
    waiting?.push(act)
    return waiting !== undefined
  }

  /** Timers that are due in the meantime fire when the pause ends, in that order. */
  pause(node: number, until: number, timeline: Timeline): void {
    this.held.set(node, [])
    const kinds = this.original.timers.length
    const dueOf = (timer: number) => this.due[node * kinds + timer]
    const late = Array.from({ length: kinds }, (_, timer) => timer)
      .filter((timer) => timeline.isSet(node, timer) && dueOf(timer) < until)
      .sort((a, b) => dueOf(a) - dueOf(b))
    for (const timer of late) timeline.setTimer(node, timer, until)
  }

  /** A pause ends: what has waited happens now, in its order. */
  resume(node: number): void {
    const waiting = this.held.get(node) ?? []
    this.held.delete(node)
    for (const act of waiting) act()
  }

  /** A crash ends a pause, and loses what the disk has not written. */
  crash(node: number): void {
    this.outboxes?.clear(node)
    this.resume(node)
  }

  /** What is on the disk of a node, which may not be all that its state has. */
  stored(node: number, memory: boolean): Readonly<Record<string, unknown>> {
    return this.outboxes?.stored(node, memory) ?? {}
  }

  /** Takes an effect of the current handler; false where it need not wait. */
  defers(effect: () => Effect): boolean {
    if (this.effects === null) return false
    this.effects.push(effect())
    return true
  }

  get slowDisks(): boolean {
    return this.plan.disk !== null
  }

  /** Whether no effect waits for a disk. */
  get isIdle(): boolean {
    return this.outboxes === null || this.outboxes.isEmpty
  }

  /** When the next effects leave; Infinity when none wait. */
  get first(): number {
    return this.outboxes?.first((node) => this.isPaused(node)) ?? Number.POSITIVE_INFINITY
  }

  /** The nodes whose disks have finished something by now. */
  finished(now: number): number[] {
    return this.outboxes?.due(now).filter((node) => !this.isPaused(node)) ?? []
  }

  /** What a node lets go, since it is on its disk. */
  take(node: number, now: number): readonly Effect[] {
    return this.outboxes!.take(node, now)
  }

  private committing(algorithm: Algorithm): Algorithm {
    const { start, recover, down, up } = algorithm
    const commit = (handler: () => void) => this.commit(handler)
    return {
      ...algorithm,
      kinds: algorithm.kinds.map((kind) => ({
        ...kind,
        handle: (my, body, net) => commit(() => kind.handle(my, body, net)),
      })),
      timers: algorithm.timers.map((timer) => ({
        ...timer,
        fire: (my, net) => commit(() => timer.fire(my, net)),
      })),
      start: (my, net) => commit(() => start(my, net)),
      recover: (my, net) => commit(() => recover(my, net)),
      down: down && ((my, link, net) => commit(() => down(my, link, net))),
      up: up && ((my, link, net) => commit(() => up(my, link, net))),
    }
  }

  /** Runs a handler; its effects wait until the fields that it has changed are on the disk. */
  private commit(handler: () => void): void {
    const { run, outboxes } = this
    const effects: Effect[] = []
    this.effects = effects
    handler()
    this.effects = null
    if (outboxes!.add(run.position, effects, run.now)) run.reschedule()
    else for (const effect of effects) run.perform(effect)
  }

  /** A node that is due to start in a pause starts when the pause ends. */
  startsOf({ nodes, times }: NodeSchedule): NodeSchedule {
    const pauses = this.plan.events.filter(
      (event): event is FaultEvent & { what: 'pause' } => event.what === 'pause',
    )
    const start = (node: number, at: number) =>
      pauses.find((pause) => pause.node === node && pause.at <= at && at < pause.until)?.until ?? at
    const starts = Array.from(nodes, (node, i) => ({ node, at: start(node, times[i]) }))
      .filter(({ at }) => at < Number.POSITIVE_INFINITY)
      .sort((a, b) => a.at - b.at)
    return {
      nodes: Uint32Array.from(starts, ({ node }) => node),
      times: Float64Array.from(starts, ({ at }) => at),
    }
  }
}

function ratesOf({ drift }: FaultPlan, { random }: Conditions, n: number): Float64Array | null {
  if (drift === 0) return null
  const drawn = random.split('clocks')
  return Float64Array.from({ length: n }, () => 1 + (drift * drawn.below(RATES + 1)) / RATES)
}
