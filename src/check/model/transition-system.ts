import type { World } from '../../core/language/world.ts'
import { anyFault, type ModelOptions } from '../options.ts'
import { FaultStates } from './faults/fault-state.ts'
import { FaultTransitions } from './faults/fault-transitions.ts'
import { Handovers } from './faults/handovers.ts'
import { INITIAL_VIEW, isDue, mayFire } from './local-states.ts'
import { Meetings } from './meetings.ts'
import { ClosingRingRouting, FixedRouting, ringCloses } from './routing.ts'
import { StateVector } from './state-vector.ts'
import { LeaderlessTime, TermHistory } from './term-history.ts'
import type { HandlerTransition, Transition, Visit } from './transition.ts'
import { noteHappened, TransitionCache } from './transition-cache.ts'

/** A set of nodes, and whether the steps that belong to them are meant, or all other steps. */
export interface StepOwners {
  readonly nodes: Uint8Array
  readonly belong: boolean
}

/**
 * The transition system of a world. The state vector has one cell for each local state, one for
 * each channel, and one for the stage, which first counts the given starters and then, with a
 * clock, holds the phase. With faults two more cells hold the fault state and the hand-overs; where
 * leaders are elected term by term, the last cell holds their history.
 */
export class TransitionSystem {
  readonly cache: TransitionCache
  readonly vector: StateVector
  readonly faults: FaultTransitions | null
  readonly handovers: Handovers | null
  readonly terms: TermHistory | null
  readonly leaderless: LeaderlessTime | null
  readonly meetings: Meetings | null
  readonly n: number
  readonly stageCell: number
  readonly starters: readonly number[]
  readonly anyWake: boolean
  readonly mode: 'untimed' | 'patient' | 'clocked'
  /** Whether channels are not FIFO. */
  readonly unordered: boolean
  /** Whether messages may be lost and repeated without limit. */
  readonly lossy: boolean
  readonly bindable: boolean
  readonly delaysBounded: boolean
  /** A step to be expanded alone in the loaded state; null where there is none, or no reduction. */
  eager: (() => HandlerTransition | null) | null = null
  private owners: StepOwners | null = null
  readonly drifts: boolean
  private readonly initialCells: Uint32Array

  constructor(world: World, { mode, order, wake, faults = {}, patience, ...limits }: ModelOptions) {
    this.mode = typeof mode === 'string' ? mode : 'clocked'
    this.unordered = order !== 'fifo'
    this.lossy = order === 'lossy'
    const maxDelay = typeof mode === 'string' ? null : mode.clocked
    const { topology, ids } = world
    const closes = ringCloses(world, faults)
    const routing = closes ? new ClosingRingRouting(topology.n) : new FixedRouting(topology)
    const faultStates = anyFault(faults)
      ? new FaultStates(routing, ids, faults, maxDelay !== null)
      : null
    const view = (node: number) => faultStates?.view(0, node) ?? INITIAL_VIEW
    const channels = { order, maxDelay }
    const faulty = faultStates === null ? null : faults
    this.cache = new TransitionCache(world, routing, channels, view, limits, faulty)
    this.drifts = (faults.drift ?? 0) > 0
    this.n = topology.n
    this.anyWake = wake === 'any'
    this.starters = wake === 'any' ? [] : wake
    this.stageCell = this.n + this.cache.channels.length
    const faultCell = this.stageCell + 1
    const termCell = faultStates === null ? faultCell : faultCell + 2
    const { terms: inTerms = false, ordered = false } = world.algorithm.problem ?? {}
    const waitCell = inTerms ? termCell + 1 : termCell
    this.vector = new StateVector(patience === undefined ? waitCell : waitCell + 1)
    const { cache, vector } = this
    this.terms = inTerms ? new TermHistory(vector, termCell, ordered) : null
    this.leaderless =
      patience === undefined ? null : new LeaderlessTime(vector, waitCell, cache, patience)
    this.meetings = world.algorithm.meet === null ? null : new Meetings(cache, vector)
    this.faults = faultStates && new FaultTransitions(faultStates, cache, vector, faultCell, faults)
    this.bindable = world.algorithm.needs.time === 'clocks'
    this.delaysBounded = maxDelay !== Number.POSITIVE_INFINITY
    this.handovers = this.faults && new Handovers(cache, this.faults, vector, maxDelay)
    this.initialCells = new Uint32Array(vector.width)
    this.keepInitialState()
  }

  /** Assigns the ids of another world that is otherwise equal; only without faults. */
  assignIds(world: World): void {
    this.cache.assignIds(world)
    this.vector.cells.fill(0)
    this.vector.cells.set(this.cache.initialStates)
    this.keepInitialState()
  }

  private keepInitialState(): void {
    for (const [cell, content] of this.cache.initialContents()) this.vector.cells[cell] = content
    this.vector.rehash()
    this.normalise()
    this.initialCells.set(this.vector.cells)
    this.reset()
  }

  /** Loads the initial state. */
  reset(): void {
    this.vector.cells.set(this.initialCells)
    this.vector.rehash()
  }

  /**
   * Applies each enabled transition of the loaded state, visits it, and reverts it. If nodes are
   * given, only the steps that belong to them are visited, or only all others.
   */
  successors(visit: Visit, of: StepOwners | null = null): void {
    this.owners = of
    const stage = this.vector.cells[this.stageCell]
    const phase = stage - this.starters.length
    const alone = phase < 0 || this.eager === null ? null : this.eager()
    if (this.bindable && this.expirySuccessors(stage, visit)) return
    if (!alone && this.faults !== null && this.faultSuccessors(this.faults, stage, visit)) return
    if (alone !== null) this.handlerSuccessors([alone], stage, visit)
    else if (phase < 0) this.wake(this.starters[stage], nextStage(this, stage), visit)
    else if (this.meetings !== null) this.meetings.successors((it) => this.emit(it, visit))
    else if (this.mode === 'clocked') this.clockedSuccessors(phase, visit)
    else this.untimedSuccessors(stage, visit)
  }

  /** No event is pending except spontaneous starts, and some node has woken. */
  get quiescent(): boolean {
    const { cells } = this.vector
    return (
      !this.inFlight &&
      cells[this.stageCell] >= this.starters.length &&
      this.cache.anyAwake(cells) &&
      !this.cache.anyTimerArmed(cells) &&
      !this.faults?.noticesPending &&
      this.meetings?.anyEffective !== true
    )
  }

  /** For a state without successors: whether its continuations exceed a limit of handlers. */
  get truncates(): boolean {
    return this.cache.cutsRuns && !this.quiescent && this.cache.anyAwake(this.vector.cells)
  }

  /**
   * Ends of bound leaderships: with a clock before anything else at their moment, or earlier where
   * clocks drift; otherwise with the timer, or at any time if that was set again or cancelled.
   * Returns whether one cannot come later.
   */
  private expirySuccessors(stage: number, visit: Visit): boolean {
    const { cells } = this.vector
    const clocked = this.mode === 'clocked'
    for (let node = 0; node < this.n; node++) {
      const bound = this.cache.localStates[node].bound[cells[node]]
      if (bound === undefined) continue
      const forced = clocked && isDue(bound)
      const possible = clocked
        ? forced || (stage === this.starters.length + CHANGES && mayFire(bound))
        : bound.timer === undefined && this.timersMayFire
      if (possible) this.handlerSuccessors(this.cache.onExpiry(node, cells[node]), stage, visit)
      // The ends of several leaderships at one moment commute.
      if (forced) return true
    }
    return false
  }

  /** Faults and notices of the detector. Returns whether notices are due before anything else. */
  private faultSuccessors(faults: FaultTransitions, stage: number, visit: Visit): boolean {
    const clocked = this.mode === 'clocked'
    const emit: Visit = (transition) => this.emit(transition, visit)
    const first = this.starters.length
    const skips = (node: number) => this.skips(node)
    faults.crashes(emit, skips)
    faults.messageFaults(emit, skips)
    if (stage >= first) faults.pauses(emit)
    if (faults.anyPaused) this.resumptions(faults, stage, emit)
    if (!clocked || stage === 0 || stage === first + CHANGES) {
      faults.cuts(emit)
      faults.partitions(emit)
      for (const { transitions, faultState } of faults.recoveries())
        this.handlerSuccessors(transitions, stage, visit, faults.cell, faultState)
    }
    if (stage < first && !clocked) return false
    const later = clocked && stage === first + CHANGES ? first + DELIVERIES : stage
    for (const { transitions, faultState } of faults.notices(emit, skips))
      this.handlerSuccessors(transitions, later, visit, faults.cell, faultState)
    return clocked && faults.noticesDue
  }

  /** After a pause messages are handled first, or timers that are due. */
  private resumptions(faults: FaultTransitions, stage: number, emit: Visit): void {
    const first = this.starters.length
    if (stage === first + CHANGES) faults.resumptions(emit)
    if (stage > first + DELIVERIES || !this.anyMessage('overdue'))
      faults.resumptions((transition) => {
        this.vector.set(this.stageCell, first + TIMERS)
        emit(transition)
      })
  }

  private untimedSuccessors(stage: number, visit: Visit): void {
    const { cells } = this.vector
    const { localStates } = this.cache
    const { timersMayFire } = this
    for (let node = 0; node < this.n; node++) {
      if (this.mayWake(node)) this.wake(node, stage, visit)
      if (!timersMayFire) continue
      for (const { timer } of localStates[node].list[cells[node]].timers)
        this.handlerSuccessors(this.cache.onTimeout(node, cells[node], timer), stage, visit)
    }
    this.receives(stage, visit)
  }

  private get timersMayFire(): boolean {
    return this.mode === 'untimed' || !this.inFlight
  }

  /** After changes and notices: deliveries, then spontaneous starts, then timers that are due. */
  private clockedSuccessors(phase: number, visit: Visit): void {
    const { cells } = this.vector
    const { localStates } = this.cache
    if (phase <= DELIVERIES) {
      this.receives(this.starters.length + DELIVERIES, visit)
      if (this.anyMessage('overdue')) return
    }
    for (let node = 0; node < this.n; node++)
      if (phase <= STARTS && this.mayWake(node))
        this.wake(node, this.starters.length + STARTS, visit)
    let due = false
    for (let node = 0; node < this.n; node++) {
      const { timers, bound } = localStates[node].list[cells[node]]
      if (timers.length === 0 || this.paused(node)) continue
      // Exact timers that are due at one moment fire in the order in which they were set.
      const last = this.drifts ? timers.length : 1
      for (let i = 0; i < last; i++) {
        if (!mayFire(timers[i]) || timers[i].timer === bound?.timer) continue
        due ||= isDue(timers[i])
        const transitions = this.cache.onTimeout(node, cells[node], timers[i].timer)
        this.handlerSuccessors(transitions, this.starters.length + TIMERS, visit)
      }
    }
    if (!due) this.tick(phase, visit)
  }

  private receives(stage: number, visit: Visit): void {
    const { cells } = this.vector
    const { channels } = this.cache
    for (let i = 0; i < channels.length; i++) {
      const content = cells[this.n + i]
      if (content === 0) continue
      const receiver = channels[i].route.to
      if (this.paused(receiver) || this.skips(receiver)) continue
      for (const { message, rest } of channels[i].deliverable(content)) {
        if (this.faults !== null && !this.faults.alive(receiver)) {
          this.vector.set(this.stageCell, stage)
          this.vector.set(this.n + i, rest)
          this.emit({ event: 'vanish', channel: i, message, deposes: false }, visit)
          continue
        }
        const transitions = this.cache.onReceive(i, cells[receiver], message)
        this.handlerSuccessors(transitions, stage, visit, this.n + i, rest)
      }
    }
  }

  /** Skips the time in which nothing can happen; no transition if nothing ever can. */
  private tick(phase: number, visit: Visit): void {
    const { vector, cache } = this
    const time = timeToNextEvent(this, phase)
    if (time === Number.POSITIVE_INFINITY) return
    for (let node = 0; node < this.n; node++)
      vector.set(node, cache.localStates[node].after(time, vector.cells[node]))
    for (let cell = this.n; cell < this.stageCell; cell++)
      if (vector.cells[cell] !== 0)
        vector.set(cell, cache.channels[cell - this.n].aged(vector.cells[cell]))
    this.faults?.advanceTime(time)
    vector.set(this.stageCell, this.starters.length + CHANGES)
    this.emit({ event: 'tick', time, deposes: false }, visit)
  }

  private wake(node: number, stage: number, visit: Visit): void {
    this.handlerSuccessors(this.cache.onWake(node, this.vector.cells[node]), stage, visit)
  }

  /**
   * All outcomes of a handler. One more cell may change: the channel of the received message, or
   * the fault state. The node may crash between two of its sends. A crash before the first send or
   * after the last equals a crash between handlers, except before the first send of a recovery;
   * and where sends only add to what may happen, so does any other: see `EagerAnswers`.
   */
  private handlerSuccessors(
    transitions: readonly HandlerTransition[],
    stage: number,
    visit: Visit,
    cell = -1,
    value = 0,
  ): void {
    noteHappened(transitions)
    if (transitions.length === 0 || this.skips(transitions[0].node)) return
    for (const transition of transitions) {
      this.apply(transition, transition.sent.length, stage, cell, value)
      this.emit(transition, visit)
      if (this.faults === null || this.eager !== null) continue
      const { node, event } = transition
      const least = event === 'recover' ? 0 : 1
      for (let sends = least; sends < transition.sent.length && this.faults.mayCrash; sends++) {
        this.apply(transition, sends, stage, cell, value)
        this.faults.crash(node)
        this.emit({ event: 'crash', node, during: { transition, sends }, deposes: false }, visit)
      }
    }
  }

  private apply(
    { node, after, sent }: HandlerTransition,
    sends: number,
    stage: number,
    cell: number,
    value: number,
  ): void {
    const { vector } = this
    vector.set(this.stageCell, stage)
    if (cell >= 0) vector.set(cell, value)
    vector.set(node, after)
    for (let i = 0; i < sends; i++) this.send(sent[i].channel, sent[i].message)
  }

  /** The channel of a message is decided when it is sent. */
  private send(channel: number, message: number): void {
    if (this.faults?.drops(channel)) return
    const cell = this.n + channel
    const content = this.cache.channels[channel].append(this.vector.cells[cell], message)
    this.vector.set(cell, content)
  }

  private emit(transition: Transition, visit: Visit): void {
    this.normalise()
    this.handovers?.update(transition, this.quiescent)
    this.terms?.update(transition)
    this.leaderless?.update(transition)
    visit(transition)
    this.vector.undo()
  }

  /** The canonical form of a state. */
  private normalise(): void {
    if (this.mode === 'clocked' || this.faults !== null)
      this.vector.set(this.stageCell, canonicalStage(this))
  }

  private skips(node: number): boolean {
    return this.owners !== null && this.owners.nodes[node] > 0 !== this.owners.belong
  }

  private paused(node: number): boolean {
    return this.faults?.paused(node) === true
  }

  anyMessage(such: 'deliverable' | 'overdue'): boolean {
    return this.cache.anyMessage(such, this.vector.cells, this.faults)
  }

  asleep(node: number): boolean {
    return this.cache.localStates[node].asleep[this.vector.cells[node]]
  }

  private mayWake(node: number): boolean {
    return this.anyWake && this.asleep(node)
  }

  get anyMayWake(): boolean {
    for (let node = 0; node < this.n; node++) if (this.mayWake(node)) return true
    return false
  }

  get inFlight(): boolean {
    const { cells } = this.vector
    for (let cell = this.n; cell < this.stageCell; cell++) if (cells[cell] !== 0) return true
    return false
  }
}

/*
 * The phases of one unit of time in mode clocked, in this order. Changes are recoveries and cuts. A
 * crash may occur in any phase, since it may interrupt a handler; notices are delivered as soon as
 * they are due, before anything else.
 */
const CHANGES = 0
export const DELIVERIES = 1
const STARTS = 2
export const TIMERS = 3

/** The stage after a starter; no more changes occur at that time. */
function nextStage({ starters, mode }: TransitionSystem, stage: number): number {
  const last = stage === starters.length - 1
  return last && mode === 'clocked' ? stage + 1 + DELIVERIES : stage + 1
}

/** The stage without those in which nothing can happen: part of the canonical form of a state. */
function canonicalStage(system: TransitionSystem): number {
  const { starters, faults, cache, mode, vector } = system
  const { cells } = vector
  const first = starters.length
  let stage = cells[system.stageCell]
  while (stage < first && !system.asleep(starters[stage])) stage = nextStage(system, stage)
  if (mode === 'clocked') {
    const changes = faults?.mayChange === true || cache.mayExpireEarly(cells)
    if (stage === first + CHANGES && !changes) stage = first + DELIVERIES
    if (stage === first + DELIVERIES && !system.anyMessage('deliverable')) stage = first + STARTS
    if (stage === first + STARTS && !system.anyMayWake) stage = first + TIMERS
  }
  return stage
}

/** The time until something can happen that cannot happen now in this phase. */
function timeToNextEvent(system: TransitionSystem, phase: number): number {
  const { faults, cache, vector } = system
  if (system.inFlight) return 1
  const deadline = cache.nextDeadline(vector.cells, faults)
  const time = Math.min(faults?.nextNotice ?? deadline, deadline)
  // If no event is scheduled, a start or a fault may as well occur now, unless its phase is over.
  const scheduled = time < Number.POSITIVE_INFINITY
  if ((scheduled || phase > STARTS) && system.anyMayWake) return 1
  if (scheduled ? faults?.timingMatters : phase > CHANGES && faults?.mayChange) return 1
  return time
}
