import type { Link } from '../../core/language/net.ts'
import type { Property } from '../../core/language/problem.ts'
import type { World } from '../../core/language/world.ts'
import type { Conditions, Observers } from '../conditions.ts'
import { hasFaults, noFaults } from '../faults/faults.ts'
import { FaultySimulation } from '../faulty-simulation.ts'
import { type RunEnd, Simulation } from '../simulation.ts'
import { type LinkSchedule, linkSchedule, SilentPairs } from './link-schedule.ts'

/** So many meetings are drawn at once: first a few, then twice as many each time. */
const [FIRST_BATCH, BATCH] = [64, 4096]
/** A run without a given end goes on for this many meetings per node after it is stable. */
const STABLE_PER_NODE = 10

/**
 * A run of an algorithm whose nodes meet. All nodes start at time 0; meeting i is the moment i. In
 * each a uniformly random directed link is drawn, and the handler is called at both ends with the
 * state of the other one before. A run ends where no meeting can change anything; if no end was
 * given, also a while after what must hold from some time on has come to hold.
 */
class MeetingSimulation extends Simulation {
  private readonly schedule: LinkSchedule
  private readonly pairs: SilentPairs
  private initiators = new Int32Array(0)
  private responders = new Int32Array(0)
  /** The next meeting of the batch. */
  private next = 0
  private started = false
  private readonly endless: boolean
  private readonly last: number
  /** No meeting after this one for now. */
  private until: number
  /** The meeting that last changed something, and when to look whether any still can. */
  private changedAt = 0
  private lookAt = 0
  private readonly lookAfter: number
  /** Whether the present meeting depends on more than the two states. */
  private dependent = false
  /** Whether every meeting is observed. */
  private readonly watched: boolean
  private readonly meets: NonNullable<Observers['handling']>['meets']

  constructor(
    world: World,
    conditions: Conditions,
    properties: readonly Property[],
    observers: Observers = {},
  ) {
    super(world, conditions, properties, observers)
    const { topology, algorithm } = world
    this.schedule = linkSchedule(topology, conditions.random.split('meetings'))
    this.pairs = new SilentPairs(topology.n, algorithm.layout)
    this.endless = conditions.until >= Number.MAX_SAFE_INTEGER - 1
    this.last = Math.min(conditions.until, conditions.maxMessages)
    this.until = this.last
    this.watched =
      this.recorder !== null || observers.handling !== undefined || this.linkCounters !== null
    this.meets = observers.handling?.meets?.bind(observers.handling)
    this.lookAfter = topology.kind === 'complete' ? topology.n : this.schedule.directed
  }

  override finishUntil(moment: number): RunEnd {
    this.until = Math.min(Math.floor(moment), this.last)
    return this.finish()
  }

  override run(events: number): RunEnd | null {
    if (!this.started) {
      if (super.run(events) === null) return null
      this.started = true
      for (let node = 0; node < this.n; node++) this.pairs.update(node, this.store.at(node))
      this.rest()
      this.monitor.check(true, this.now)
    }
    let left = events
    while (left > 0) {
      const end = this.endHere()
      if (end !== null) return end
      if (this.next === this.initiators.length) this.drawBatch()
      left -= this.meetUpTo(Math.min(left, this.endOfStretch() - this.now))
    }
    return null
  }

  private drawBatch(): void {
    const { length } = this.initiators
    if (length < BATCH) {
      const size = Math.max(FIRST_BATCH, 2 * length)
      this.initiators = new Int32Array(size)
      this.responders = new Int32Array(size)
    }
    this.schedule.draw(this.initiators, this.responders)
    this.next = 0
  }

  private endHere(): RunEnd | null {
    if (this.schedule.directed === 0) return 'quiet'
    if (this.now >= this.lookAt) {
      if (this.pairs.isSilent(this.schedule, this.topology.kind === 'complete')) return 'quiet'
      this.lookAt = this.now + (this.now - this.changedAt)
    }
    if (this.now >= this.until) {
      this.limitReached = true
      return 'limit'
    }
    return this.now >= this.stableEnd() ? 'limit' : null
  }

  /** Where a run without a given end stops: it has been stable for long enough. */
  private stableEnd(): number {
    const since = this.endless ? this.monitor.stableSince : null
    if (since === null) return Number.POSITIVE_INFINITY
    return since + STABLE_PER_NODE * this.n
  }

  /** The next moment at which the run may end. */
  private endOfStretch(): number {
    return Math.min(this.until, this.lookAt, this.stableEnd())
  }

  /** Goes on to the next meeting that may do something, for at most so many meetings. */
  private meetUpTo(most: number): number {
    const { initiators, responders, next } = this
    const { numbers, silent } = this.pairs
    const end = Math.min(next + most, initiators.length)
    let i = next
    if (!this.watched)
      while (i < end && silent[(numbers[initiators[i]] << 8) | numbers[responders[i]]] === 1) i++
    if (i < end) {
      this.now += i + 1 - next
      this.next = i + 1
      this.meet(initiators[i], responders[i])
    } else {
      this.now += i - next
      this.next = i
    }
    return this.next - next
  }

  private meet(a: number, b: number): void {
    const { store, algorithm, monitor, pairs } = this
    const meet = algorithm.meet!
    const initiator = store.at(a)
    const responder = store.at(b)
    this.node = a
    this.recorder?.record(this.source, { event: 'meet', to: b })
    this.meets?.(initiator, responder)
    if (this.linkCounters !== null) {
      this.linkCounters.sent[a]++
      this.linkCounters.received[b]++
    }
    const before = algorithm.layout.copy(initiator)
    const leading = monitor.leaders.length
    this.dependent = false
    this.initiator = true
    meet(initiator, responder, this)
    this.settle(initiator)
    this.node = b
    this.recorder?.record(this.source, { event: 'respond', from: a })
    this.initiator = false
    meet(responder, before, this)
    this.settle(responder)
    const changed = [pairs.update(a, initiator), pairs.update(b, responder)].includes(true)
    if (changed) this.rest()
    else if (!this.dependent) pairs.remember(a, b)
    monitor.gained = monitor.leaders.length - leading
    // Whatever changes an outcome changes a state.
    if (changed && this.checkDue) this.checkProperties()
  }

  /** Something has changed: it may go on for a while. */
  private rest(): void {
    this.changedAt = this.now
    this.lookAt = this.now + this.lookAfter
  }

  override choose(k: number): number {
    this.dependent = true
    return super.choose(k)
  }

  override random(): number {
    this.dependent = true
    return super.random()
  }

  /* Only definitions that are not sealed can ask for these in a meeting. */

  override get degree(): number {
    this.dependent ||= !this.algorithm.sealed
    return super.degree
  }

  override peer(link: Link): number {
    this.dependent = true
    return super.peer(link)
  }
}

/** A run that has not begun. Runs pay nothing for the code of faults or meetings without these. */
export function simulationOf(
  world: World,
  conditions: Conditions,
  properties: readonly Property[],
  observers?: Observers,
): Simulation {
  const { crashes, faults = noFaults } = conditions
  const faulty = crashes.nodes.length > 0 || hasFaults(faults)
  const meets = world.algorithm.meet !== null
  const Run = meets ? MeetingSimulation : faulty ? FaultySimulation : Simulation
  const run = new Run(world, conditions, properties, observers)
  for (const message of world.corrupted?.messages ?? []) run.inject(message)
  return run
}
