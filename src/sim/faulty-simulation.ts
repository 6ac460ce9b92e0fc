import type { Link } from '../core/language/net.ts'
import type { Property } from '../core/language/problem.ts'
import { constantsOf, type World } from '../core/language/world.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import type { Random } from '../core/runtime/random.ts'
import { mayCloseRing } from '../core/runtime/restart.ts'
import type { Conditions, Observers } from './conditions.ts'
import { ClosingRing } from './faults/closing-ring.ts'
import { type DetectorReport, FailureDetector } from './faults/failure-detector.ts'
import {
  type FaultEvent,
  type FaultPlan,
  hasFaults,
  noFaults,
  type Partition,
} from './faults/faults.ts'
import { endsAround, endsSeparated } from './faults/link-ends.ts'
import { Partitions } from './faults/partitions.ts'
import { Simulation } from './simulation.ts'

/**
 * A run in which things go wrong: nodes crash and come back, links fail, messages get lost or are
 * doubled, and a failure detector tells of it. At one moment crashes come first, then the other
 * changes, then what the detector says.
 */
export class FaultySimulation extends Simulation {
  private readonly plan: FaultPlan
  private readonly detector: FailureDetector
  private readonly luck: Random
  private readonly partitions: Partitions
  private crashed = 0
  private changes = 0
  /** When a second election is wanted, until the first has ended; and when it begins. */
  private again: number | null
  private second = Number.POSITIVE_INFINITY

  constructor(
    world: World,
    conditions: Conditions,
    properties: readonly Property[],
    watching: Observers = {},
  ) {
    const { topology } = world
    const troubles = conditions.faults ?? noFaults
    const closing = topology.kind === 'ring' && mayCloseRing(world.algorithm)
    const closes = closing && troubles.detect !== null
    const own = {
      ...world,
      ids: Float64Array.from(world.ids),
      topology: closes ? new ClosingRing(topology) : topology,
    }
    super(own, conditions, properties, watching)
    this.observed = true
    this.partitions = new Partitions(this.n)
    this.plan = troubles
    this.again = troubles.secondElection
    this.detector = new FailureDetector(this.n, troubles.detect)
    this.luck = conditions.random.split('troubles')
    if (troubles.events.some(({ what }) => what === 'cut'))
      this.monitor.separated = (a, b) => this.partitions.separate(a, b)
    this.applyFaults(0)
  }

  override up(link: Link): boolean {
    return this.detector.reaches(this.node, this.topology.neighbor(this.node, link))
  }

  protected override dispatch(link: Link, kind: number, body: AnyBody): void {
    const { topology, node, counters, luck } = this
    const { loss, duplicate } = this.plan
    const to = topology.neighbor(node, link)
    const letter = { number: counters.total, kind, body }
    const unlucky = this.partitions.separate(node, to) || (loss > 0 && luck.unit() < loss)
    if (unlucky || this.overrides?.loses(letter.number, this.now)) {
      if (letter.number === this.allowance && !this.allowMore()) return
      counters.count(kind, this.inFlight.charge(kind, body))
      this.lost++
      // The delay that it would have had is nobody else's.
      if (!unlucky)
        this.inFlight.arrivals.next(topology.channel(node, link), this.now, letter.number)
      this.observeSending(link, letter)
      this.recorder?.networkFault('lose', this.source, link, letter)
      return
    }
    super.dispatch(link, kind, body)
    if (duplicate === 0 || counters.total === letter.number || luck.unit() >= duplicate) return
    const channel = topology.channel(node, link)
    this.inFlight.send(kind, body, to, topology.back(node, link), channel, letter.number)
    this.duplicated++
    this.recorder?.networkFault('double', this.source, link, letter)
  }

  override onArrival(node: number, link: Link, kind: number, body: AnyBody): boolean {
    if (this.overrides === null) return super.onArrival(node, link, kind, body)
    const { number } = this.inFlight
    if (!this.overrides.loses(number, this.now)) {
      this.overrides.arrives(number, this.now)
      return super.onArrival(node, link, kind, body)
    }
    this.lost++
    this.node = node
    this.recorder?.lostInTransit(this.source, link, { number, kind, body })
    return true
  }

  protected override applyFaults(now: number): void {
    const { crashes } = this.conditions
    const { events } = this.plan
    const idle = this.inFlight.first === Number.POSITIVE_INFINITY && !this.timeline.timersPending
    if (idle && this.detector.idle) this.monitor.handovers.electionEnded()
    while (this.nextCrash <= now)
      this.crash(crashes.nodes[this.crashed], crashes.times[this.crashed++])
    while (this.nextChange <= now) this.change(events[this.changes++])
    for (let news = this.detector.take(now); news !== null; news = this.detector.take(now)) {
      this.notify(news)
    }
    if (this.second <= now) this.holdAnother(now)
    this.timeline.nextFault = Math.min(this.nextCrash, this.nextChange, this.detector.first)
  }

  /** The election is over, and a second one is due next, unless something else comes first. */
  protected override onIdle(): boolean {
    if (this.again === null || this.timeline.starting || !this.detector.idle) return false
    const due = Math.max(this.again, this.now)
    if (this.timeline.first < due) return false
    this.second = due
    this.again = null
    this.timeline.nextFault = this.second
    return true
  }

  /** All who were awake fall asleep, and wake up as if for the first time. */
  private holdAnother(now: number): void {
    this.second = Number.POSITIVE_INFINITY
    for (let node = 0; node < this.n; node++) {
      if (!this.monitor.alive(node) || this.store.at(node).status === 'asleep') continue
      this.node = node
      this.withdraw()
      this.resetState(node)
      this.asleepCount++
    }
    this.checkProperties()
    this.timeline.startAgain(this.startersLeft(), now)
  }

  /** Those who started the first election; where all of them are dead, the first who lives. */
  private startersLeft(): number[] {
    const alive = (node: number) => this.monitor.alive(node)
    const left = [...this.conditions.starts.nodes].filter(alive)
    return left.length > 0 ? left : [...this.world.ids.keys()].filter(alive).slice(0, 1)
  }

  private get nextCrash(): number {
    return this.conditions.crashes.times[this.crashed] ?? Number.POSITIVE_INFINITY
  }

  private get nextChange(): number {
    return this.plan.events[this.changes]?.at ?? Number.POSITIVE_INFINITY
  }

  private crash(node: number, at: number): void {
    if (!this.monitor.alive(node)) return
    this.node = node
    this.timeline.clearTimers(node)
    this.monitor.crashes(node, at)
    this.leadersChanged = true
    this.recorder?.record(this.source, { event: 'crash' })
    this.checkProperties()
    if (at >= 0) this.detector.schedule({ at, what: 'down', node })
    else {
      this.detector.knowInitially(node)
      if (this.topology instanceof ClosingRing && this.plan.detect !== null)
        this.topology.leaveOut(node)
    }
  }

  private change(change: FaultEvent): void {
    switch (change.what) {
      case 'recover':
        this.recovery(change.node, change.id, change.at)
        break
      case 'retire':
        this.retire(change.node, change.key)
        break
      case 'suspect':
        this.detector.schedule({ at: change.at, what: 'down', node: change.node }, true)
        break
      case 'trust':
        // Who has died in the meantime stays dead in the eyes of the detector.
        if (!this.monitor.alive(change.node)) break
        this.joins(change.at)
        this.detector.schedule({ at: change.at, what: 'up', node: change.node }, true)
        break
      default:
        this.repartition(change.what, change.partition, change.at)
    }
  }

  private recovery(node: number, id: number | null, at: number): void {
    if (this.monitor.alive(node)) return
    if (id !== null) this.world.ids[node] = id
    this.resetState(node)
    // It hears what the detector has said so far, and so joins the attempt of the others.
    if (this.algorithm.restarts) this.store.set(node, 'attempt', this.detector.reportCount)
    this.monitor.recovers(node, at)
    this.node = node
    this.recorder?.recovery(this.source, this.world.ids[node])
    this.detector.schedule({ at, what: 'up', node })
    this.begin('recoverNode')
  }

  private retire(node: number, key: number): void {
    if (!this.monitor.alive(node)) return
    this.node = node
    this.recorder?.record(this.source, { event: 'retire' })
    this.world.ids[node] = key
    this.store.set(node, 'id', key)
    this.withdraw()
    this.begin('wake')
  }

  private repartition(what: 'cut' | 'mend', partition: Partition, at: number): void {
    if (what === 'cut') this.partitions.add(partition)
    else this.partitions.remove(partition)
    this.monitor.connectivityChanged()
    if (at < 0) {
      this.detector.knowInitially(partition)
      return
    }
    if (what === 'mend') this.joins(at)
    for (const [node, , to] of this.recorder === null
      ? []
      : endsSeparated(this.topology, partition)) {
      this.node = node
      if (node < to) this.recorder?.record(this.source, { event: what, to })
    }
    this.detector.schedule({ at, what: what === 'cut' ? 'down' : 'up', partition })
  }

  /** Those who lead on both sides lead at once from now on, until one hears of the other. */
  private joins(at: number): void {
    this.monitor.handovers.joins(at)
    this.leadersChanged = true
    this.checkProperties()
  }

  /** Starts the node pointed at, whatever its state was. */
  private begin(how: 'wake' | 'recoverNode'): void {
    this.from = -1
    this[how]()
    this.checkProperties()
  }

  private resetState(node: number): void {
    const { algorithm, ids } = this.world
    this.timeline.clearTimers(node)
    const earlier = this.states.of(node)
    const given = constantsOf(this.world, node)
    this.store.replace(node, algorithm.layout.recovered(earlier, ids[node], given))
  }

  private notify({ what, node, partition }: DetectorReport): void {
    if (this.topology instanceof ClosingRing && node !== undefined) {
      if (what === 'down') this.topology.leaveOut(node)
      else this.topology.takeIn(node)
    }
    const ends =
      node === undefined ? endsSeparated(this.topology, partition) : endsAround(this.topology, node)
    for (const [end, link, peer] of ends) {
      if (!this.monitor.alive(end)) continue
      if (end !== peer && what === 'up' && !this.detector.reaches(end, peer)) continue
      this.node = end
      this.from = -1
      this.recorder?.record(this.source, { event: what, link, peer })
      // An attempt is known by how many have died and come back: news of links counts for nothing.
      if (node === undefined && this.algorithm.restarts) continue
      this.notice(what, link)
      if (this.outcomeChanged) this.checkProperties()
    }
  }
}

/** A run that has not begun. Runs without faults pay nothing for the code that handles faults. */
export function simulate(
  world: World,
  conditions: Conditions,
  properties: readonly Property[],
  observers?: Observers,
): Simulation {
  const { crashes, faults = noFaults } = conditions
  const faulty = crashes.nodes.length > 0 || hasFaults(faults)
  const Run = faulty ? FaultySimulation : Simulation
  return new Run(world, conditions, properties, observers)
}
