import { GrowableArray } from '../../core/runtime/growable-array.ts'
import { Interner } from '../model/interner.ts'
import { StateVector } from '../model/state-vector.ts'
import type { HandlerTransition, Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { giveUp, noMoreStates, paceOf, type SearchBudget } from '../search/budget.ts'
import { StateSet } from '../search/state-set.ts'

/** The least and the most of something, each with the number of a state that shows it. */
export interface Range {
  readonly most: { readonly cost: number; readonly state: number }
  readonly least: { readonly cost: number; readonly state: number }
}

/**
 * The chain-time of runs where time does not count: how many messages the longest chain has in
 * which each message is sent by the receiver of the one before, at its receipt or later. Alarms
 * take no time. Suppose that whoever wakes by itself does so at the beginning, and that a message
 * takes at most one unit of time: then nothing happens later than the length of the longest chain
 * that leads to it, so this is at least the usual measure of time. It may be more, since here a
 * message may be outrun by a whole chain of others.
 *
 * The vector of a state is followed by the length of the longest chain that has reached each node,
 * those of the messages in each channel, and that which had reached the first leader, plus 1.
 */
export class CausalTime {
  reason: string | null = null
  /** When the first leader took office; null where nobody ever does. */
  elected: Range | null = null
  /** The last receipt. */
  last: Range | null = null
  private readonly seen: StateSet
  private readonly wide: StateVector
  private readonly parents = new GrowableArray()
  private readonly queues = new Interner<readonly number[]>()
  private readonly width: number
  private readonly n: number
  private readonly electedCell: number

  constructor(
    private readonly system: TransitionSystem,
    private readonly limits: SearchBudget,
  ) {
    const { vector, effects } = system
    this.width = vector.width
    this.n = effects.locals.length
    this.electedCell = this.width + this.n + effects.channels.length
    this.wide = new StateVector(this.electedCell + 1)
    this.seen = new StateSet(this.wide.width)
    this.queues.of('', [])
    this.wide.cells.set(vector.cells)
    this.wide.loaded()
    this.note(0)
    const pace = paceOf(this.wide.width)
    for (let state = 0; state < this.size && this.reason === null; state++) {
      if (state % pace === 0) this.look()
      this.expand(state, () => {
        if (this.reason === null && !this.seen.has(this.wide)) this.note(state)
      })
    }
  }

  get size(): number {
    return this.seen.size
  }

  /** The moves that first led to a state. */
  movesTo(state: number): Transition[] {
    const moves: Transition[] = []
    for (let child = state; child > 0; child = this.parents.at(child)) {
      let found: Transition | undefined
      this.expand(this.parents.at(child), (move) => {
        if (this.seen.numberOf(this.wide) === child) found ??= move
      })
      moves.push(found!)
    }
    return moves.reverse()
  }

  /** Shows what each move of a state makes of it, in the wide vector. */
  private expand(state: number, visit: (move: Transition) => void): void {
    const { system, wide, seen } = this
    seen.load(state, wide)
    const before = wide.cells.slice()
    system.vector.cells.set(before.subarray(0, this.width))
    system.vector.loaded()
    system.moves((move) => {
      wide.cells.set(before)
      wide.cells.set(system.vector.cells)
      this.lengthen(move as HandlerTransition)
      wide.loaded()
      visit(move)
    })
  }

  /** Without faults and clocks every move is something that happens to one node. */
  private lengthen({ node, occasion, sent, after, before }: HandlerTransition): void {
    const { cells } = this.wide
    const { list } = this.system.effects.locals[node]
    const reached = this.width + node
    if (occasion.event === 'receive') {
      const [first, ...rest] = this.queue(occasion.channel)
      cells[reached] = Math.max(cells[reached], first)
      this.setQueue(occasion.channel, rest)
    }
    for (const { channel } of sent)
      this.setQueue(channel, [...this.queue(channel), cells[reached] + 1])
    const takesOffice =
      list[after].state.status === 'leader' && list[before].state.status !== 'leader'
    if (takesOffice && cells[this.electedCell] === 0) cells[this.electedCell] = cells[reached] + 1
  }

  private queue(channel: number): readonly number[] {
    return this.queues.list[this.wide.cells[this.width + this.n + channel]]
  }

  private setQueue(channel: number, lengths: readonly number[]): void {
    const number = this.queues.of(lengths.join(), lengths)
    this.wide.cells[this.width + this.n + channel] = number
  }

  private note(parent: number): void {
    const { seen, wide, limits } = this
    this.reason = noMoreStates(limits, this.size)
    if (this.reason !== null) return
    const state = this.size
    seen.add(wide)
    this.parents.push(parent)
    if (!this.system.quiet) return
    const reached = wide.cells.subarray(this.width, this.width + this.n)
    this.last = widened(this.last, Math.max(...reached), state)
    const elected = wide.cells[this.electedCell]
    if (elected > 0) this.elected = widened(this.elected, elected - 1, state)
  }

  private look(): void {
    const bytes = this.seen.bytes + this.parents.bytes
    this.reason = giveUp(this.limits, bytes, this.system.effects.seen)
  }
}

function widened(range: Range | null, cost: number, state: number): Range {
  const here = { cost, state }
  if (range === null) return { most: here, least: here }
  return {
    most: cost > range.most.cost ? here : range.most,
    least: cost < range.least.cost ? here : range.least,
  }
}
