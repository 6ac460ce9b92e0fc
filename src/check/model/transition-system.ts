import type { World } from '../../core/language/world.ts'
import { anyFault, type ModelOptions } from '../options.ts'
import { FaultStates } from './fault-state.ts'
import { FaultTransitions } from './faults.ts'
import { Handovers } from './handovers.ts'
import { INNOCENT } from './local-states.ts'
import { ClosingRingRouting, FixedRouting, ringCloses } from './routing.ts'
import { StateVector } from './state-vector.ts'
import type { HandlerTransition, Transition, Visit } from './transition.ts'
import { TransitionCache } from './transition-cache.ts'

/**
 * The parts of a moment where time counts: what may still happen in it. Changes are recoveries and
 * cuts. A crash may come in any part, since it may cut a handler short; notices come once they are
 * due, before anything else.
 */
const CHANGES = 0
const DELIVERIES = 1
const STARTS = 2
const ALARMS = 3

/**
 * A world as a graph of states and moves. The vector holds the global state: a cell for each
 * node's local state, one for each channel's content, and the stage, which first counts the given
 * starters and then, where time counts, tells the parts of a moment apart. Where something may go
 * wrong one more cell holds the damage, and another the hand-overs that follow recoveries.
 */
export class TransitionSystem {
  readonly effects: TransitionCache
  readonly vector: StateVector
  readonly faults: FaultTransitions | null
  readonly handovers: Handovers | null
  readonly n: number
  readonly stageCell: number
  readonly starters: readonly number[]
  readonly anyWake: boolean
  readonly mode: 'untimed' | 'patient' | 'clocked'
  /** Whether messages may overtake each other. */
  readonly unordered: boolean
  private readonly beginning: Uint32Array

  constructor(world: World, { mode, order, wake, faults = {}, draws }: ModelOptions) {
    this.mode = typeof mode === 'string' ? mode : 'clocked'
    this.unordered = order === 'any'
    const longest = typeof mode === 'string' ? null : mode.clocked
    const { topology, ids } = world
    const closes = ringCloses(world, faults)
    const roads = closes ? new ClosingRingRouting(topology.n) : new FixedRouting(topology)
    const damages = anyFault(faults) ? new FaultStates(roads, ids, faults, longest !== null) : null
    const view = (node: number) => damages?.view(0, node) ?? INNOCENT
    this.effects = new TransitionCache(world, roads, { order, longest }, view, draws)
    this.n = topology.n
    this.anyWake = wake === 'any'
    this.starters = wake === 'any' ? [] : wake
    this.stageCell = this.n + this.effects.channels.length
    const damageCell = this.stageCell + 1
    this.vector = new StateVector(damages === null ? damageCell : damageCell + 2)
    const { effects, vector } = this
    const reappear = faults.reappear === true
    this.faults = damages && new FaultTransitions(damages, effects, vector, damageCell, reappear)
    this.handovers = this.faults && new Handovers(effects, this.faults, vector, longest)
    this.beginning = new Uint32Array(vector.width)
    this.begin()
  }

  /** Gives the nodes of a system without faults the ids of another world, alike in all else. */
  seat(world: World): void {
    this.effects.seat(world)
    this.vector.cells.fill(0)
    this.vector.cells.set(this.effects.sleepers)
    this.begin()
  }

  private begin(): void {
    this.vector.loaded()
    this.settle()
    this.beginning.set(this.vector.cells)
    this.restart()
  }

  /** Loads the state before anything has happened. */
  restart(): void {
    this.vector.cells.set(this.beginning)
    this.vector.loaded()
  }

  /** Makes each move that the loaded state allows, shows it, and takes it back. */
  moves(visit: Visit): void {
    const stage = this.vector.cells[this.stageCell]
    const part = stage - this.starters.length
    if (this.faults !== null && this.strike(this.faults, stage, visit)) return
    if (part < 0) this.start(this.starters[stage], this.next(stage), visit)
    else if (this.mode === 'clocked') this.clockedMoves(part, visit)
    else this.untimedMoves(stage, visit)
  }

  /** Nothing more happens unless a sleeper wakes by itself. While all sleep a run has no end. */
  get quiet(): boolean {
    const { cells } = this.vector
    return (
      !this.inFlight &&
      cells[this.stageCell] >= this.starters.length &&
      this.effects.someoneAwake(cells) &&
      !this.effects.someAlarm(cells) &&
      !this.faults?.newsUnderWay
    )
  }

  /** What goes wrong, and what the detector says of it. Returns whether that must come first. */
  private strike(faults: FaultTransitions, stage: number, visit: Visit): boolean {
    const clocked = this.mode === 'clocked'
    const show: Visit = (move) => this.show(move, visit)
    const first = this.starters.length
    faults.crashes(show)
    faults.mishaps(show)
    if (!clocked || stage === 0 || stage === first + CHANGES) {
      faults.cuts(show)
      for (const { effects, damage } of faults.recoveries())
        this.play(effects, stage, visit, faults.cell, damage)
    }
    if (stage < first && !clocked) return false
    const later = clocked && stage === first + CHANGES ? first + DELIVERIES : stage
    for (const { effects, damage } of faults.notices(show))
      this.play(effects, later, visit, faults.cell, damage)
    return clocked && faults.noticesDue
  }

  private untimedMoves(stage: number, visit: Visit): void {
    const { cells } = this.vector
    const { locals } = this.effects
    const alarmsMayRing = this.mode === 'untimed' || !this.inFlight
    for (let node = 0; node < this.n; node++) {
      if (this.mayWake(node)) this.start(node, stage, visit)
      if (!alarmsMayRing) continue
      for (const { alarm } of locals[node].list[cells[node]].alarms)
        this.play(this.effects.ofTimeout(node, cells[node], alarm), stage, visit)
    }
    this.deliveries(stage, visit)
  }

  /** After changes and notices: deliveries, then spontaneous starts, then alarms that are due. */
  private clockedMoves(part: number, visit: Visit): void {
    const { cells } = this.vector
    const { locals, channels } = this.effects
    if (part <= DELIVERIES) this.deliveries(this.starters.length + DELIVERIES, visit)
    if (channels.some((channel, i) => channel.overdue(cells[this.n + i]))) return
    for (let node = 0; node < this.n; node++)
      if (part <= STARTS && this.mayWake(node))
        this.start(node, this.starters.length + STARTS, visit)
    let due = false
    for (let node = 0; node < this.n; node++) {
      const [first] = locals[node].list[cells[node]].alarms
      if (first?.left !== 0) continue
      due = true
      const effects = this.effects.ofTimeout(node, cells[node], first.alarm)
      this.play(effects, this.starters.length + ALARMS, visit)
    }
    if (!due) this.tick(part, visit)
  }

  private deliveries(stage: number, visit: Visit): void {
    const { cells } = this.vector
    const { channels } = this.effects
    for (let i = 0; i < channels.length; i++) {
      const content = cells[this.n + i]
      if (content === 0) continue
      const receiver = channels[i].route.to
      for (const { message, rest } of channels[i].next(content)) {
        if (this.faults !== null && !this.faults.alive(receiver)) {
          this.vector.change(this.stageCell, stage)
          this.vector.change(this.n + i, rest)
          this.show({ event: 'vanish', channel: i, message, deposes: false }, visit)
          continue
        }
        const effects = this.effects.ofReceipt(i, cells[receiver], message)
        this.play(effects, stage, visit, this.n + i, rest)
      }
    }
  }

  /** Time in which nothing can happen is skipped, however long; all of it if it never ends. */
  private tick(part: number, visit: Visit): void {
    const { vector, effects } = this
    const time = this.timeToPass(part)
    if (time === Number.POSITIVE_INFINITY) return
    for (let node = 0; node < this.n; node++)
      vector.change(node, effects.locals[node].after(time, vector.cells[node]))
    for (const [i, channel] of effects.channels.entries())
      vector.change(this.n + i, channel.aged(vector.cells[this.n + i]))
    this.faults?.age(time)
    vector.change(this.stageCell, this.starters.length + CHANGES)
    this.show({ event: 'tick', time, deposes: false }, visit)
  }

  private start(node: number, stage: number, visit: Visit): void {
    this.play(this.effects.ofWaking(node, this.vector.cells[node]), stage, visit)
  }

  /**
   * Makes a node's move in each of its ways. One more cell may change with it: that of the channel
   * which the message has left, or the damage. The node may die in the middle of its sends; dying
   * before the first, unless it has just come back, and after the last is dying between two moves.
   */
  private play(
    effects: readonly HandlerTransition[],
    stage: number,
    visit: Visit,
    cell = -1,
    value = 0,
  ): void {
    for (const effect of effects) {
      this.carryOut(effect, effect.sent.length, stage, cell, value)
      this.show(effect, visit)
      if (this.faults === null) continue
      const { node, event } = effect
      const least = event === 'recover' ? 0 : 1
      for (let sends = least; sends < effect.sent.length && this.faults.mayCrash; sends++) {
        this.carryOut(effect, sends, stage, cell, value)
        this.faults.crash(node)
        this.show({ event: 'crash', node, during: { effect, sends }, deposes: false }, visit)
      }
    }
  }

  private carryOut(
    { node, after, sent }: HandlerTransition,
    sends: number,
    stage: number,
    cell: number,
    value: number,
  ): void {
    const { vector } = this
    vector.change(this.stageCell, stage)
    if (cell >= 0) vector.change(cell, value)
    vector.change(node, after)
    for (let i = 0; i < sends; i++) this.send(sent[i].channel, sent[i].message)
  }

  /** Where a message goes is decided when it is sent. */
  private send(channel: number, message: number): void {
    if (this.faults?.swallows(channel)) return
    const cell = this.n + channel
    const content = this.effects.channels[channel].append(this.vector.cells[cell], message)
    this.vector.change(cell, content)
  }

  private show(move: Transition, visit: Visit): void {
    this.settle()
    this.handovers?.update(move, this.quiet)
    visit(move)
    this.vector.undo()
  }

  /** The stage after a starter has had its turn; in that moment no more changes come. */
  private next(stage: number): number {
    const last = stage === this.starters.length - 1
    return last && this.mode === 'clocked' ? stage + 1 + DELIVERIES : stage + 1
  }

  /** Passes over what cannot happen, so that equal states are one. */
  private settle(): void {
    if (this.mode !== 'clocked' && this.faults === null) return
    const { cells } = this.vector
    const first = this.starters.length
    let stage = cells[this.stageCell]
    while (stage < first && !this.asleep(this.starters[stage])) stage = this.next(stage)
    if (this.mode === 'clocked') {
      if (stage === first + CHANGES && !this.faults?.mayChange) stage = first + DELIVERIES
      if (stage === first + DELIVERIES && !this.effects.someRipe(cells)) stage = first + STARTS
      if (stage === first + STARTS && !this.someMayWake) stage = first + ALARMS
    }
    this.vector.change(this.stageCell, stage)
  }

  private asleep(node: number): boolean {
    return this.effects.locals[node].asleep[this.vector.cells[node]]
  }

  private mayWake(node: number): boolean {
    return this.anyWake && this.asleep(node)
  }

  private get someMayWake(): boolean {
    for (let node = 0; node < this.n; node++) if (this.mayWake(node)) return true
    return false
  }

  get inFlight(): boolean {
    const { cells } = this.vector
    for (let cell = this.n; cell < this.stageCell; cell++) if (cells[cell] !== 0) return true
    return false
  }

  /** Until something can happen that cannot happen in this part of this moment. */
  private timeToPass(part: number): number {
    if (this.inFlight) return 1
    const { cells } = this.vector
    let time = this.faults?.nextNotice ?? Number.POSITIVE_INFINITY
    for (const [node, { list }] of this.effects.locals.entries())
      time = Math.min(time, list[cells[node]].alarms[0]?.left ?? time)
    // Where nothing is to come, one moment is as good as another for a sleeper or a fault, unless
    // its part of the moment is over.
    const coming = time < Number.POSITIVE_INFINITY
    if ((coming || part > STARTS) && this.someMayWake) return 1
    if (coming ? this.faults?.timely : part > CHANGES && this.faults?.mayChange) return 1
    return time
  }
}
