import type { Link } from '../core/language/net.ts'
import type { Property } from '../core/language/problem.ts'
import { constantsOf, type World } from '../core/language/world.ts'
import type { OutcomeChange } from '../core/runtime/driver.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import type { Random } from '../core/runtime/random.ts'
import { mayCloseRing } from '../core/runtime/restart.ts'
import type { Status } from '../core/runtime/state.ts'
import type { Conditions, Observers } from './conditions.ts'
import { ClosingRing, endsAround, endsSeparated } from './faults/closing-ring.ts'
import { type DetectorReport, FailureDetector } from './faults/failure-detector.ts'
import {
  type FaultEvent,
  type FaultPlan,
  noFaults,
  onImperfectHosts,
  type Partition,
  Partitions,
} from './faults/faults.ts'
import { type HostedRun, Hosts } from './faults/hosts.ts'

import type { Effect, OutcomeEffect } from './faults/outboxes.ts'

import { Simulation } from './simulation.ts'

/** What a node is told of a link, or of the node behind it. */
interface LinkReport {
  readonly event: 'down' | 'up'
  readonly link: Link
  readonly peer: number
}

/**
 * A run with faults: nodes crash and recover, links fail, messages are lost or duplicated, and a
 * failure detector reports it. Within one moment crashes come first, then the other fault events,
 * then the reports of the detector.
 */
export class FaultySimulation extends Simulation implements HostedRun {
  private readonly plan: FaultPlan
  /** Where nodes run; null where hosts are perfect. */
  private readonly hosts: Hosts | null
  private readonly detector: FailureDetector
  private readonly faultRandom: Random
  private readonly partitions: Partitions
  private crashesDone = 0
  private eventsDone = 0
  /** The earliest time of a second election, until the first has ended; and its actual time. */
  private secondWanted: number | null
  private secondAt = Number.POSITIVE_INFINITY

  constructor(
    world: World,
    conditions: Conditions,
    properties: readonly Property[],
    observers: Observers = {},
  ) {
    const { topology } = world
    const plan = conditions.faults ?? noFaults
    const closing = topology.kind === 'ring' && mayCloseRing(world.algorithm)
    const closes = closing && plan.detect !== null
    const hosts = onImperfectHosts(plan)
      ? new Hosts(world.algorithm, topology.n, plan, conditions)
      : null
    const own = {
      ...world,
      algorithm: hosts?.algorithm ?? world.algorithm,
      ids: Float64Array.from(world.ids),
      topology: closes ? new ClosingRing(topology) : topology,
    }
    const starts = hosts?.startsOf(conditions.starts) ?? conditions.starts
    super(own, { ...conditions, starts }, properties, observers)
    this.hosts = hosts
    hosts?.attach(this)
    this.observed = true
    this.partitions = new Partitions(this.n)
    this.plan = plan
    this.secondWanted = plan.secondElection
    this.detector = new FailureDetector(this.n, plan.detect)
    this.faultRandom = conditions.random.split('troubles')
    if (plan.events.some(({ what }) => what === 'cut'))
      this.monitor.separated = (a, b) =>
        this.partitions.separate(a, b) || this.partitions.separate(b, a)
    this.beginMoment(0)
  }

  override up(link: Link): boolean {
    return this.detector.hears(this.node, this.topology.neighbor(this.node, link))
  }

  protected override setTimer(timer: number, delay: number): void {
    super.setTimer(timer, this.hosts === null ? delay : this.hosts.timerDelay(timer, delay))
  }

  protected override dispatch(link: Link, kind: number, body: AnyBody): void {
    const { codec } = this.algorithm.kinds[kind]
    if (this.hosts?.defers(() => ({ link, kind, body: codec.copy(body) }))) return
    const { topology, node, counters, faultRandom } = this
    const { loss, duplicate } = this.plan
    const to = topology.neighbor(node, link)
    const message = { number: counters.total, kind, body }
    const dropped = this.partitions.separate(node, to) || (loss > 0 && faultRandom.unit() < loss)
    if (dropped || this.overrides?.loses(message.number, this.now)) {
      if (message.number === this.allowance && !this.allowMore()) return
      counters.count(kind, this.inFlight.charge(kind, body))
      this.lost++
      // Its delay is drawn all the same, so that all other messages keep theirs.
      if (!dropped)
        this.inFlight.arrivals.next(topology.channel(node, link), this.now, message.number)
      if (this.lastSent !== null) this.lastSent[node] = this.now
      this.observeSending(link, message)
      this.recorder?.networkFault('lose', this.source, link, message)
      return
    }
    super.dispatch(link, kind, body)
    if (duplicate === 0 || counters.total === message.number || faultRandom.unit() >= duplicate)
      return
    const channel = topology.channel(node, link)
    this.inFlight.send(kind, body, to, topology.back(node, link), channel, message.number)
    this.duplicated++
    this.recorder?.networkFault('double', this.source, link, message)
  }

  protected override changed(what: OutcomeChange, before: Status, term?: number): void {
    if (this.hosts?.slowDisks === true) this.changeLater(this.hosts, what, term)
    else super.changed(what, before, term)
  }

  private changeLater(hosts: Hosts, what: OutcomeChange, term?: number): void {
    const { timeline, node, my } = this
    if (what === 'stop') timeline.clearTimers(node)
    const effect = { what, leader: my.leader, term, until: timeline.boundOf(node) }
    if (!hosts.defers(() => effect)) this.perform(effect)
  }

  perform(effect: Effect): void {
    if ('kind' in effect) this.dispatch(effect.link, effect.kind, effect.body)
    else this.performChange(effect)
  }

  private performChange({ what, leader, term, until }: OutcomeEffect): void {
    // Leadership whose time is over before it began never takes effect.
    if (what === 'lead' && until <= this.now) return
    const led = this.monitor.leaders.includes(this.node)
    this.announce(what, led ? 'leader' : 'unknown', leader, term)
  }

  reschedule(): void {
    this.timeline.nextFault = this.nextFault
  }

  /** What the disks have finished by now takes effect. */
  private letGo(hosts: Hosts, now: number): void {
    for (const node of hosts.finished(now)) {
      this.node = node
      for (const effect of hosts.take(node, now)) this.perform(effect)
      if (this.checkDue) this.checkProperties()
    }
  }

  override onArrival(node: number, link: Link, kind: number, body: AnyBody): boolean {
    if (this.hosts?.isPaused(node)) return this.holdMessage(node, link, kind, body)
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

  private holdMessage(node: number, link: Link, kind: number, body: AnyBody): boolean {
    const { number } = this.inFlight
    const copy = this.algorithm.kinds[kind].codec.copy(body)
    return this.hosts!.holds(node, () => {
      this.inFlight.number = number
      this.onArrival(node, link, kind, copy)
    })
  }

  /** Faults follow leaderships that end by the clock. */
  protected override beginMoment(now: number): void {
    super.beginMoment(now)
    const { crashes } = this.conditions
    const { events } = this.plan
    const idle = this.inFlight.first === Number.POSITIVE_INFINITY && !this.timeline.timersPending
    if (idle && this.detector.idle) this.monitor.handovers.electionEnded()
    while (this.nextCrash <= now)
      this.crash(crashes.nodes[this.crashesDone], crashes.times[this.crashesDone++])
    while (this.nextEvent <= now) this.applyEvent(events[this.eventsDone++])
    for (let report = this.detector.take(now); report !== null; report = this.detector.take(now)) {
      this.notify(report)
    }
    if (this.secondAt <= now) this.startSecondElection(now)
    if (this.hosts !== null) this.letGo(this.hosts, now)
    this.reschedule()
  }

  /** When the next fault, report of the detector or end of a commit is due. */
  private get nextFault(): number {
    const { hosts, detector } = this
    const host = hosts === null ? Number.POSITIVE_INFINITY : hosts.first
    return Math.min(this.nextCrash, this.nextEvent, detector.first, host)
  }

  /** The election is over: a second one is due next, unless another event comes first. */
  protected override onIdle(): boolean {
    if (this.secondWanted === null || this.timeline.starting || !this.detector.idle) return false
    if (this.hosts?.isIdle === false) return false
    const due = Math.max(this.secondWanted, this.now)
    if (this.timeline.first < due) return false
    this.secondAt = due
    this.secondWanted = null
    this.timeline.nextFault = this.secondAt
    return true
  }

  /** Resets all nodes that are awake to sleeping ones and starts the initiators again. */
  private startSecondElection(now: number): void {
    this.secondAt = Number.POSITIVE_INFINITY
    for (let node = 0; node < this.n; node++) {
      if (!this.monitor.alive(node) || this.store.at(node).status === 'asleep') continue
      this.node = node
      this.withdraw()
      this.resetState(node)
      this.asleepCount++
    }
    this.checkProperties()
    this.timeline.startAgain(this.liveInitiators(), now)
  }

  /** The initiators of the first election; if all have crashed, the first live node. */
  private liveInitiators(): number[] {
    const alive = (node: number) => this.monitor.alive(node)
    const left = [...this.conditions.starts.nodes].filter(alive)
    return left.length > 0 ? left : [...this.world.ids.keys()].filter(alive).slice(0, 1)
  }

  private get nextCrash(): number {
    return this.conditions.crashes.times[this.crashesDone] ?? Number.POSITIVE_INFINITY
  }

  private get nextEvent(): number {
    return this.plan.events[this.eventsDone]?.at ?? Number.POSITIVE_INFINITY
  }

  private crash(node: number, at: number): void {
    if (!this.monitor.alive(node)) return
    this.node = node
    this.recorder?.record(this.source, { event: 'crash' })
    this.timeline.clearTimers(node)
    if (this.bindable) this.timeline.unbind(node)
    this.monitor.crashes(node, at)
    this.leadersChanged = true
    this.checkProperties()
    this.hosts?.crash(node)
    if (at >= 0) this.detector.schedule({ at, what: 'down', node })
    else {
      this.detector.knowInitially(node)
      if (this.topology instanceof ClosingRing && this.plan.detect !== null)
        this.topology.exclude(node)
    }
  }

  private applyEvent(event: FaultEvent): void {
    switch (event.what) {
      case 'recover':
        this.recovery(event)
        break
      case 'retire':
        this.retire(event.node, event.key)
        break
      case 'suspect':
        this.detector.schedule({ at: event.at, what: 'down', node: event.node }, true)
        break
      case 'trust':
        // A node that has crashed in the meantime stays suspected.
        if (!this.monitor.alive(event.node)) break
        this.networkJoined(event.at)
        this.detector.schedule({ at: event.at, what: 'up', node: event.node }, true)
        break
      case 'pause':
      case 'resume':
        this.pauseOrResume(event)
        break
      default:
        this.repartition(event.what, event.partition, event.at)
    }
    if (this.checkDue) this.checkProperties()
  }

  private recovery({ node, id, at, amnesia }: FaultEvent & { what: 'recover' }): void {
    if (this.monitor.alive(node)) return
    this.node = node
    if (id !== null) this.world.ids[node] = id
    this.recorder?.recovery(this.source, this.world.ids[node], amnesia === true)
    this.resetState(node, amnesia !== true)
    // It learns all reports so far, and so joins the attempt of the other nodes.
    if (this.algorithm.restarts) this.store.set(node, 'attempt', this.detector.reportCount)
    this.monitor.recovers(node, at)
    this.detector.schedule({ at, what: 'up', node })
    this.startNode('recoverNode')
  }

  private retire(node: number, key: number): void {
    if (!this.monitor.alive(node) || this.hosts?.holds(node, () => this.retire(node, key))) return
    this.node = node
    this.recorder?.record(this.source, { event: 'retire' })
    this.world.ids[node] = key
    this.store.set(node, 'id', key)
    this.withdraw()
    this.startNode('wake')
  }

  private pauseOrResume(event: FaultEvent & { what: 'pause' | 'resume' }): void {
    const { what, node } = event
    const hosts = this.hosts!
    if (!this.monitor.alive(node) || hosts.isPaused(node) === (what === 'pause')) return
    this.node = node
    this.recorder?.record(this.source, { event: what })
    this.monitor[what === 'pause' ? 'pauses' : 'resumes'](node, this.time)
    if (what === 'pause') hosts.pause(node, event.until, this.timeline)
    else hosts.resume(node)
  }

  private repartition(what: 'cut' | 'mend', partition: Partition, at: number): void {
    if (what === 'cut') this.partitions.add(partition)
    else this.partitions.remove(partition)
    this.monitor.connectivityChanged(at)
    if (at < 0) {
      this.detector.knowInitially(partition)
      return
    }
    if (what === 'mend') this.networkJoined(at)
    this.recorder?.repartition(this.source.at, what, partition)
    this.detector.schedule({ at, what: what === 'cut' ? 'down' : 'up', partition })
  }

  /** Leaders on both sides of a healed partition lead at once until one hears of the other. */
  private networkJoined(at: number): void {
    this.monitor.handovers.joins(at)
    this.leadersChanged = true
    this.checkProperties()
  }

  /** Starts the current node, whatever its state was. */
  private startNode(how: 'wake' | 'recoverNode'): void {
    this.from = -1
    this[how]()
    this.checkProperties()
  }

  private resetState(node: number, memory = true): void {
    const { algorithm, ids } = this.world
    const stored = this.hosts?.stored(node, memory) ?? {}
    for (const [name, value] of Object.entries(stored)) this.store.set(node, name, value)
    this.timeline.clearTimers(node)
    const former = this.states.of(node)
    const given = constantsOf(this.world, node)
    this.store.replace(node, algorithm.layout.recovered(former, ids[node], given, memory))
  }

  private notify({ what, node, partition }: DetectorReport): void {
    if (this.topology instanceof ClosingRing && node !== undefined) {
      if (what === 'down') this.topology.exclude(node)
      else this.topology.readmit(node)
    }
    const ends =
      node === undefined ? endsSeparated(this.topology, partition) : endsAround(this.topology, node)
    for (const [end, link, peer] of ends) {
      if (end !== peer && what === 'up' && !this.detector.hears(end, peer)) continue
      this.notifyEnd(end, { event: what, link, peer }, node === undefined)
    }
  }

  private notifyEnd(end: number, report: LinkReport, onLink: boolean): void {
    if (this.hosts?.holds(end, () => this.notifyEnd(end, report, onLink))) return
    if (!this.monitor.alive(end)) return
    this.node = end
    this.from = -1
    this.recorder?.record(this.source, report)
    // Attempts are numbered by reports on nodes: reports on links do not count.
    if (onLink && this.algorithm.restarts) return
    this.notice(report.event, report.link)
    if (this.checkDue) this.checkProperties()
  }
}
