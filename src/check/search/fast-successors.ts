import { grown } from '../../core/runtime/growable-array.ts'
import { cellDelta } from '../model/state-vector.ts'
import type { HandlerTransition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { hasBit } from '../reduction/sleep-sets.ts'
import { IntPairMap, Rows } from './int-pair-map.ts'

/*
 * Row layouts of the transition tables. Every row begins with a cell delta: the new value, and what
 * it adds to the halves of the fingerprint. An append row has nothing else. A receive row: the
 * delta of the channel, the message, the cell, the number of receive rows of this content. A step
 * row: the delta of the local state, the node, the first and the end of its send rows, the number
 * of outcomes from here on, and flags. ALIASED: the step sends twice into one channel, or into the
 * channel of the received message.
 */
const [LOW, HIGH] = [1, 2]
const APPEND = 4
const [MESSAGE, CELL, RECEIVE_COUNT] = [3, 4, 5]
const RECEIVE = 8
const [NODE, SENDS, END, OUTCOMES, FLAGS] = [3, 4, 5, 6, 7]
const ALIASED = 1
/** A spontaneous wake-up; the node becomes leader or ceases to be it; it ceases to be it. */
export const WAKES = 2
export const CHANGES_LEADER = 4
const DEPOSES = 8
const STEP = 8
const [SEND_CELL, SEND_MESSAGE] = [0, 1]
const SEND = 2

/** NONE: no receive row or no step row. IDLE: a node without spontaneous steps. */
const NONE = 0
const IDLE = -1

/** A search that starts again reuses the tables. */
const instances = new WeakMap<TransitionSystem, FastSuccessors>()

/**
 * Table-driven enumeration of the enabled transitions without faults, clock and terms. Almost
 * all transitions of a search lead to a visited state, so their fingerprints are computed without
 * applying them. The order is that of `TransitionSystem.successors`.
 */
export class FastSuccessors {
  /** The number of enumerated transitions. */
  count = 0
  /** The number of transitions that were omitted because they are in the sleep set. */
  skipped = 0
  /** The index of a transition among all enabled ones. */
  ordinals = new Int32Array(64)
  /** The fingerprints of the successors, computed on request. */
  lows = new Int32Array(64)
  highs = new Int32Array(64)
  /** The node that takes the step, and the flags of the step. */
  nodes = new Int32Array(64)
  flags = new Int32Array(64)
  private receiveOf = new Int32Array(64)
  private stepOf = new Int32Array(64)

  private readonly appends = new Rows(APPEND)
  private readonly receives = new Rows(RECEIVE)
  private readonly steps = new Rows(STEP)
  private readonly sends = new Rows(SEND)
  private readonly transitions: HandlerTransition[] = []
  /** Sleep sets apply while every receive has one outcome and no step deposes a leader. */
  private skippable = true

  /** By node and local state: the first step row of wake-ups and timeouts. */
  private readonly localSteps: number[][]
  /** By channel and content: the first receive row. */
  private readonly receivesByContent: number[][]
  /** By starter: the row that advances the stage, and the first step row by local state. */
  private readonly starts: { readonly next: number; readonly steps: number[] }[] = []
  private readonly receiveSteps: IntPairMap[]
  private readonly appended: IntPairMap[]
  private readonly receivers: Int32Array

  private constructor(private readonly system: TransitionSystem) {
    const { localStates, channels } = system.cache
    this.localSteps = localStates.map(() => [])
    this.receivesByContent = channels.map(() => [])
    this.receiveSteps = channels.map(() => new IntPairMap())
    this.appended = channels.map(() => new IntPairMap())
    this.receivers = Int32Array.from(channels, ({ route }) => route.to)
  }

  /** One instance per system; null with faults, a clock, a history of terms or lossy links. */
  static of(system: TransitionSystem): FastSuccessors | null {
    const { faults, mode, terms, lossy, bindable, meetings } = system
    if (meetings !== null) return null
    if (faults !== null || mode === 'clocked' || terms !== null || lossy || bindable) return null
    const instance = instances.get(system) ?? new FastSuccessors(system)
    instances.set(system, instance)
    return instance
  }

  /** Enumerates the enabled transitions; those of cells in the sleep set are only counted. */
  enumerate(sleepSet: Int32Array | null = null): void {
    const { system, receivers } = this
    const { cells } = system.vector
    const { n, starters, stageCell } = system
    const skipped = this.skippable ? sleepSet : null
    this.count = this.skipped = 0
    if (cells[stageCell] < starters.length) {
      this.enumerateStart(cells[stageCell])
      return
    }
    const timersMayFire = system.mode === 'untimed' || !system.inFlight
    for (let node = 0; node < n; node++) {
      const first = this.localSteps[node][cells[node]] ?? this.storeLocalSteps(node, cells[node])
      if (first === IDLE) continue
      if (skipped === null || !hasBit(skipped, node)) this.addOutcomes(NONE, first, timersMayFire)
      else this.skipped += this.steps.words[first * STEP + OUTCOMES]
    }
    for (let channel = 0; channel < receivers.length; channel++) {
      const content = cells[n + channel]
      if (content === 0) continue
      if (skipped !== null && hasBit(skipped, n + channel)) {
        this.skipped++
        continue
      }
      const first = this.receivesByContent[channel][content] ?? this.storeReceives(channel, content)
      const last = first + this.receives.words[first * RECEIVE + RECEIVE_COUNT]
      for (let receive = first; receive < last; receive++) {
        const message = this.receives.words[receive * RECEIVE + MESSAGE]
        const local = cells[receivers[channel]]
        const known = this.receiveSteps[channel].get(local, message)
        const step = known > 0 ? known : this.storeReceiveSteps(channel, local, message)
        this.addOutcomes(receive, step, true)
      }
    }
  }

  /** Computes the fingerprint of a successor; with persistent sets only few are needed. */
  hash(i: number): void {
    const { vector } = this.system
    const steps = this.steps.words
    const receives = this.receives.words
    const [from, at] = [this.receiveOf[i] * RECEIVE, this.stepOf[i] * STEP]
    let low = (vector.low + ((receives[from + LOW] + steps[at + LOW]) | 0)) | 0
    let high = (vector.high + ((receives[from + HIGH] + steps[at + HIGH]) | 0)) | 0
    if ((steps[at + FLAGS] & ALIASED) !== 0) {
      this.apply(i)
      low = vector.low
      high = vector.high
      vector.undo()
    } else {
      const sends = this.sends.words
      for (let send = steps[at + SENDS]; send < steps[at + END]; send++) {
        const cell = sends[send * SEND + SEND_CELL]
        const change = this.append(cell, vector.cells[cell], sends[send * SEND + SEND_MESSAGE])
        low = (low + this.appends.words[change * APPEND + LOW]) | 0
        high = (high + this.appends.words[change * APPEND + HIGH]) | 0
      }
    }
    this.lows[i] = low
    this.highs[i] = high
  }

  transition(i: number): HandlerTransition {
    return this.transitions[this.stepOf[i]]
  }

  /** The cell that enables the transition: the channel of the message, or the node. */
  cell(i: number): number {
    const receive = this.receiveOf[i]
    return receive === NONE ? this.nodes[i] : this.receives.words[receive * RECEIVE + CELL]
  }

  /** The number of the step row, the same in every state. */
  step(i: number): number {
    return this.stepOf[i]
  }

  /** Whether the node ceases to be leader. */
  deposes(i: number): boolean {
    return (this.flags[i] & DEPOSES) !== 0
  }

  /** Applies a transition to the state vector, which can undo it. */
  apply(i: number): void {
    const { vector } = this.system
    const steps = this.steps.words
    const receives = this.receives.words
    const [from, at] = [this.receiveOf[i] * RECEIVE, this.stepOf[i] * STEP]
    if (this.receiveOf[i] !== NONE) vector.applyDelta(receives[from + CELL], receives, from)
    vector.applyDelta(steps[at + NODE], steps, at)
    const sends = this.sends.words
    for (let send = steps[at + SENDS]; send < steps[at + END]; send++) {
      const cell = sends[send * SEND + SEND_CELL]
      const change = this.append(cell, vector.cells[cell], sends[send * SEND + SEND_MESSAGE])
      vector.applyDelta(cell, this.appends.words, change * APPEND)
    }
  }

  private addOutcomes(receive: number, first: number, timersMayFire: boolean): void {
    const last = first + this.steps.words[first * STEP + OUTCOMES]
    for (let step = first; step < last; step++)
      if (timersMayFire || this.transitions[step].event === 'wake') this.add(receive, step)
  }

  private add(receive: number, step: number): void {
    const { count } = this
    if (count === this.lows.length) this.growLists()
    this.ordinals[count] = count + this.skipped
    this.receiveOf[count] = receive
    this.stepOf[count] = step
    const row = step * STEP
    this.nodes[count] = this.steps.words[row + NODE]
    this.flags[count] = this.steps.words[row + FLAGS]
    this.count++
  }

  /** The row of appending a message to the content of a channel. */
  private append(cell: number, content: number, message: number): number {
    const channel = cell - this.system.n
    const known = this.appended[channel].get(content, message)
    if (known > 0) return known
    const { channels } = this.system.cache
    const longer = channels[channel].append(content, message)
    const change = this.appends.push(...cellDelta(cell, content, longer))
    this.appended[channel].set(content, message, change)
    return change
  }

  /** The given starters start one after the other. */
  private enumerateStart(stage: number): void {
    const { starters, stageCell, vector, cache } = this.system
    const node = starters[stage]
    const local = vector.cells[node]
    this.starts[stage] ??= {
      next: this.receives.push(...cellDelta(stageCell, stage, stage + 1), -1, stageCell, 1),
      steps: [],
    }
    const { next, steps } = this.starts[stage]
    steps[local] ??= this.store(cache.onWake(node, local), -1)
    this.addOutcomes(next, steps[local], true)
  }

  private storeLocalSteps(node: number, local: number): number {
    const { anyWake, cache } = this.system
    const { asleep, list } = cache.localStates[node]
    const wakes = anyWake && asleep[local] ? cache.onWake(node, local) : []
    const timeouts = list[local].timers.flatMap(({ timer }) => cache.onTimeout(node, local, timer))
    const transitions = [...wakes, ...timeouts]
    const first = transitions.length === 0 ? IDLE : this.store(transitions, -1)
    this.localSteps[node][local] = first
    return first
  }

  private storeReceives(channel: number, content: number): number {
    const cell = this.system.n + channel
    const removals = this.system.cache.channels[channel].deliverable(content)
    const [first] = removals.map(({ message, rest }) =>
      this.receives.push(...cellDelta(cell, content, rest), message, cell, removals.length),
    )
    this.receivesByContent[channel][content] = first
    return first
  }

  private storeReceiveSteps(channel: number, local: number, message: number): number {
    const transitions = this.system.cache.onReceive(channel, local, message)
    const first = this.store(transitions, this.system.n + channel)
    if (transitions.length !== 1) this.skippable = false
    this.receiveSteps[channel].set(local, message, first)
    return first
  }

  /** Stores the outcomes of one event as step rows; returns the first. */
  private store(outcomes: readonly HandlerTransition[], from: number): number {
    const { n } = this.system
    if (outcomes.length === 0) return NONE
    const first = this.steps.size
    for (const transition of outcomes) {
      const { node, before, after, sent } = transition
      const start = this.sends.size
      for (const { channel, message } of sent) this.sends.push(n + channel, message)
      const cells = new Set(sent.map(({ channel }) => n + channel))
      const aliased = cells.size < sent.length || cells.has(from) ? ALIASED : 0
      const leadership =
        (transition.changesLeader ? CHANGES_LEADER : 0) | (transition.deposes ? DEPOSES : 0)
      const flags = aliased | (transition.event === 'wake' ? WAKES : 0) | leadership
      const delta = cellDelta(node, before, after)
      const step = this.steps.push(...delta, node, start, this.sends.size, outcomes.length, flags)
      this.transitions[step] = transition
      if (transition.deposes) this.skippable = false
    }
    return first
  }

  private growLists(): void {
    this.lows = grown(this.lows)
    this.highs = grown(this.highs)
    this.ordinals = grown(this.ordinals)
    this.receiveOf = grown(this.receiveOf)
    this.stepOf = grown(this.stepOf)
    this.nodes = grown(this.nodes)
    this.flags = grown(this.flags)
  }
}
