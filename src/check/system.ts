import type { World } from '../core/world.ts'
import { type Effect, Effects } from './effects.ts'
import { Vector } from './vector.ts'

/**
 * untimed: an alarm may go off at any moment once it is set. patient: only when nothing is in
 * flight. clocked: time goes in units, every message takes 1 to that many, alarms are exact.
 */
export type Mode = 'untimed' | 'patient' | { readonly clocked: number }

export interface Rules {
  readonly mode: Mode
  readonly order: 'fifo' | 'any'
  /** Any sleeping node at any moment, or exactly these positions at the very beginning. */
  readonly wake: 'any' | readonly number[]
}

/** Time passes and nothing else happens. */
interface Tick {
  readonly event: 'tick'
  readonly time: number
}

export type Move = Effect | Tick

type Visit = (move: Move) => void

/** The three parts of a moment where time counts: what may still happen in it. */
const DELIVERIES = 0
const STARTS = 1
const ALARMS = 2

/**
 * A world as a graph of states and moves. The vector holds the global state: a cell for each
 * node's local state, one for each channel's content, and the stage, which first counts the given
 * starters and then, where time counts, tells the parts of a moment apart.
 */
export class System {
  readonly effects: Effects
  readonly vector: Vector
  private readonly n: number
  private readonly stageCell: number
  private readonly starters: readonly number[]
  private readonly anyWake: boolean
  private readonly mode: 'untimed' | 'patient' | 'clocked'

  constructor(world: World, { mode, order, wake }: Rules) {
    this.mode = typeof mode === 'string' ? mode : 'clocked'
    const longest = typeof mode === 'string' ? null : mode.clocked
    this.effects = new Effects(world, { order, longest })
    this.n = world.topology.n
    this.anyWake = wake === 'any'
    this.starters = wake === 'any' ? [] : wake
    this.stageCell = this.n + this.effects.channels.length
    this.vector = new Vector(this.stageCell + 1)
    if (this.mode === 'clocked') this.settle()
    this.vector.loaded()
  }

  /** Makes each move that the loaded state allows, shows it, and takes it back. */
  moves(visit: Visit): void {
    const stage = this.vector.cells[this.stageCell]
    if (stage < this.starters.length)
      this.play(this.effects.ofWaking(this.starters[stage]), stage + 1, visit)
    else if (this.mode === 'clocked') this.clockedMoves(stage - this.starters.length, visit)
    else this.untimedMoves(stage, visit)
  }

  /** Nothing more happens unless a sleeper wakes by itself. While all sleep a run has no end. */
  get quiet(): boolean {
    const { cells } = this.vector
    return (
      !this.inFlight && cells[this.stageCell] >= this.starters.length && this.awake && !this.alarmed
    )
  }

  private untimedMoves(stage: number, visit: Visit): void {
    const { cells } = this.vector
    const { locals } = this.effects
    const alarmsMayRing = this.mode === 'untimed' || !this.inFlight
    for (let node = 0; node < this.n; node++) {
      if (this.anyWake && cells[node] === 0) this.play(this.effects.ofWaking(node), stage, visit)
      if (!alarmsMayRing) continue
      for (const { alarm } of locals[node].list[cells[node]].alarms)
        this.play(this.effects.ofTimeout(node, cells[node], alarm), stage, visit)
    }
    this.deliveries(stage, visit)
  }

  /** In one moment: deliveries, then spontaneous starts, then the alarms that are due. */
  private clockedMoves(part: number, visit: Visit): void {
    const { cells } = this.vector
    const { locals, channels } = this.effects
    if (part === DELIVERIES) this.deliveries(this.starters.length + DELIVERIES, visit)
    if (channels.some((channel, i) => channel.overdue(cells[this.n + i]))) return
    for (let node = 0; node < this.n; node++)
      if (part <= STARTS && this.mayWake(node))
        this.play(this.effects.ofWaking(node), this.starters.length + STARTS, visit)
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
    vector.change(this.stageCell, this.starters.length + DELIVERIES)
    this.show({ event: 'tick', time }, visit)
  }

  /** Makes a node's move in each of its ways. A message that it receives has left its channel. */
  private play(
    effects: readonly Effect[],
    stage: number,
    visit: Visit,
    channelCell = -1,
    rest = 0,
  ): void {
    const { vector } = this
    for (const effect of effects) {
      vector.change(this.stageCell, stage)
      if (channelCell >= 0) vector.change(channelCell, rest)
      vector.change(effect.node, effect.after)
      for (const { channel, message } of effect.sent) {
        const cell = this.n + channel
        const content = this.effects.channels[channel].append(vector.cells[cell], message)
        vector.change(cell, content)
      }
      this.show(effect, visit)
    }
  }

  private show(move: Move, visit: Visit): void {
    if (this.mode === 'clocked') this.settle()
    visit(move)
    this.vector.undo()
  }

  /** Passes over parts of the moment in which nothing can happen, so that equal states are one. */
  private settle(): void {
    const { cells } = this.vector
    const first = this.starters.length
    if (cells[this.stageCell] === first + DELIVERIES && !this.someRipe)
      this.vector.change(this.stageCell, first + STARTS)
    if (cells[this.stageCell] === first + STARTS && !this.someMayWake)
      this.vector.change(this.stageCell, first + ALARMS)
  }

  private mayWake(node: number): boolean {
    return this.anyWake && this.vector.cells[node] === 0
  }

  private get someMayWake(): boolean {
    for (let node = 0; node < this.n; node++) if (this.mayWake(node)) return true
    return false
  }

  private get someRipe(): boolean {
    const { cells } = this.vector
    return this.effects.channels.some((channel, i) => channel.next(cells[this.n + i]).length > 0)
  }

  private get inFlight(): boolean {
    const { cells } = this.vector
    for (let cell = this.n; cell < this.stageCell; cell++) if (cells[cell] !== 0) return true
    return false
  }

  private get awake(): boolean {
    return this.vector.cells.subarray(0, this.n).some((local) => local !== 0)
  }

  private get alarmed(): boolean {
    const { cells } = this.vector
    return this.effects.locals.some(({ list }, node) => list[cells[node]].alarms.length > 0)
  }

  /** Until something can happen that cannot happen in this part of this moment. */
  private timeToPass(part: number): number {
    if (this.inFlight) return 1
    const { cells } = this.vector
    let time = Number.POSITIVE_INFINITY
    for (const [node, { list }] of this.effects.locals.entries())
      time = Math.min(time, list[cells[node]].alarms[0]?.left ?? time)
    // Where no alarm is set, one moment is as good as another for a sleeper, unless it is over.
    const sleepersMatter = time < Number.POSITIVE_INFINITY || part > STARTS
    return sleepersMatter && this.someMayWake ? 1 : time
  }
}
