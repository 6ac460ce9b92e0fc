import { grown } from '../../core/runtime/growable-array.ts'
import type { StateVector } from '../model/state-vector.ts'
import type { HandlerTransition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { hasBit } from '../reduction/sleep-sets.ts'
import { HandlerTables } from './handler-tables.ts'
import {
  ALIASED,
  APPEND,
  CELL,
  DEPOSES,
  END,
  FLAGS,
  HIGH,
  IDLE,
  LOW,
  MESSAGE,
  NODE,
  OUTCOMES,
  RECEIVE,
  RECEIVE_COUNT,
  SEND,
  SEND_CELL,
  SEND_MESSAGE,
  SENDS,
  STEP,
  type SystemShape,
  type TransitionTables,
  WAKES,
} from './transition-tables.ts'

/** No receive row. */
const NONE = 0

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
  /** Whether a message was in flight. */
  delivers = false
  /** The index of a transition among all enabled ones. */
  ordinals: Int32Array = new Int32Array(64)
  /** The fingerprints of the successors, computed on request. */
  lows: Int32Array = new Int32Array(64)
  highs: Int32Array = new Int32Array(64)
  /** The node that takes the step, and the flags of the step. */
  nodes: Int32Array = new Int32Array(64)
  flags: Int32Array = new Int32Array(64)
  private receiveOf = new Int32Array(64)
  private stepOf = new Int32Array(64)

  private readonly receivers: Int32Array

  constructor(
    readonly shape: SystemShape,
    private readonly vector: StateVector,
    readonly tables: TransitionTables,
  ) {
    this.receivers = Int32Array.from(shape.receivers)
  }

  /** One instance per system; null with faults, a clock, a history of terms or lossy links. */
  static of(system: TransitionSystem): FastSuccessors | null {
    const { faults, mode, terms, lossy, bindable, meetings } = system
    if (meetings !== null) return null
    if (faults !== null || mode === 'clocked' || terms !== null || lossy || bindable) return null
    const instance = instances.get(system) ?? FastSuccessors.running(system)
    instances.set(system, instance)
    return instance
  }

  private static running(system: TransitionSystem): FastSuccessors {
    const { n, stageCell, starters, vector, mode, cache } = system
    const shape = {
      n,
      stageCell,
      starters,
      width: vector.width,
      patient: mode === 'patient',
      senders: cache.channels.map(({ route }) => route.from),
      receivers: cache.channels.map(({ route }) => route.to),
    }
    return new FastSuccessors(shape, vector, new HandlerTables(system, shape))
  }

  /** Enumerates the enabled transitions; those of cells in the sleep set are only counted. */
  enumerate(sleepSet: Int32Array | null = null): void {
    const { receivers, tables } = this
    const { cells } = this.vector
    const { n, starters, stageCell, patient } = this.shape
    const { localSteps, receivesByContent, receiveSteps, steps, receives } = tables
    const skipped = tables.skippable ? sleepSet : null
    this.count = this.skipped = 0
    this.delivers = false
    if (cells[stageCell] < starters.length) {
      this.enumerateStart(cells[stageCell])
      return
    }
    const timersMayFire = !patient || !this.inFlight
    for (let node = 0; node < n; node++) {
      const local = cells[node]
      const first = localSteps[node][local] ?? tables.storeLocalSteps(node, local)
      if (first === IDLE) continue
      if (patient && timersMayFire) tables.takeTimeouts(node, local)
      if (skipped === null || !hasBit(skipped, node)) this.addOutcomes(NONE, first, timersMayFire)
      else this.skipped += steps.words[first * STEP + OUTCOMES]
    }
    for (let channel = 0; channel < receivers.length; channel++) {
      const content = cells[n + channel]
      if (content === 0) continue
      this.delivers = true
      if (skipped !== null && hasBit(skipped, n + channel)) {
        this.skipped++
        continue
      }
      const first = receivesByContent[channel][content] ?? tables.storeReceives(channel, content)
      const last = first + receives.words[first * RECEIVE + RECEIVE_COUNT]
      for (let receive = first; receive < last; receive++) {
        const message = receives.words[receive * RECEIVE + MESSAGE]
        const local = cells[receivers[channel]]
        const known = receiveSteps[channel].get(local, message)
        const step = known > 0 ? known : tables.storeReceiveSteps(channel, local, message)
        this.addOutcomes(receive, step, true)
      }
    }
  }

  private get inFlight(): boolean {
    const { n, stageCell } = this.shape
    const { cells } = this.vector
    for (let cell = n; cell < stageCell; cell++) if (cells[cell] !== 0) return true
    return false
  }

  /** Computes the fingerprint of a successor; with persistent sets only few are needed. */
  hash(i: number): void {
    const { vector, tables } = this
    const steps = tables.steps.words
    const receives = tables.receives.words
    const [from, at] = [this.receiveOf[i] * RECEIVE, this.stepOf[i] * STEP]
    let low = (vector.low + ((receives[from + LOW] + steps[at + LOW]) | 0)) | 0
    let high = (vector.high + ((receives[from + HIGH] + steps[at + HIGH]) | 0)) | 0
    if ((steps[at + FLAGS] & ALIASED) !== 0) {
      this.apply(i)
      low = vector.low
      high = vector.high
      vector.undo()
    } else {
      const sends = tables.sends.words
      for (let send = steps[at + SENDS]; send < steps[at + END]; send++) {
        const cell = sends[send * SEND + SEND_CELL]
        const change = this.append(cell, vector.cells[cell], sends[send * SEND + SEND_MESSAGE])
        low = (low + this.tables.appends.words[change * APPEND + LOW]) | 0
        high = (high + this.tables.appends.words[change * APPEND + HIGH]) | 0
      }
    }
    this.lows[i] = low
    this.highs[i] = high
  }

  transition(i: number): HandlerTransition {
    return (this.tables as HandlerTables).transitions[this.stepOf[i]]
  }

  /** The cell that enables the transition: the channel of the message, or the node. */
  cell(i: number): number {
    const receive = this.receiveOf[i]
    return receive === NONE ? this.nodes[i] : this.tables.receives.words[receive * RECEIVE + CELL]
  }

  /** What is left in the channel after a receipt. */
  rest(i: number): number {
    return this.tables.receives.words[this.receiveOf[i] * RECEIVE]
  }

  /** The send rows of a transition, and the cell of the channel of one. */
  sendsStart(i: number): number {
    return this.tables.steps.words[this.stepOf[i] * STEP + SENDS]
  }

  sendsEnd(i: number): number {
    return this.tables.steps.words[this.stepOf[i] * STEP + END]
  }

  sendCell(send: number): number {
    return this.tables.sends.words[send * SEND + SEND_CELL]
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
    const { vector, tables } = this
    const steps = tables.steps.words
    const receives = tables.receives.words
    const [from, at] = [this.receiveOf[i] * RECEIVE, this.stepOf[i] * STEP]
    if (this.receiveOf[i] !== NONE) vector.applyDelta(receives[from + CELL], receives, from)
    vector.applyDelta(steps[at + NODE], steps, at)
    const sends = tables.sends.words
    for (let send = steps[at + SENDS]; send < steps[at + END]; send++) {
      const cell = sends[send * SEND + SEND_CELL]
      const change = this.append(cell, vector.cells[cell], sends[send * SEND + SEND_MESSAGE])
      vector.applyDelta(cell, this.tables.appends.words, change * APPEND)
    }
  }

  private addOutcomes(receive: number, first: number, timersMayFire: boolean): void {
    const { words } = this.tables.steps
    const last = first + words[first * STEP + OUTCOMES]
    for (let step = first; step < last; step++)
      if (timersMayFire || (words[step * STEP + FLAGS] & WAKES) !== 0) this.add(receive, step)
  }

  private add(receive: number, step: number): void {
    const { count } = this
    if (count === this.lows.length) this.growLists()
    this.ordinals[count] = count + this.skipped
    this.receiveOf[count] = receive
    this.stepOf[count] = step
    const row = step * STEP
    this.nodes[count] = this.tables.steps.words[row + NODE]
    this.flags[count] = this.tables.steps.words[row + FLAGS]
    this.count++
  }

  /** The row of appending a message to the content of a channel. */
  private append(cell: number, content: number, message: number): number {
    const channel = cell - this.shape.n
    const known = this.tables.appended[channel].get(content, message)
    return known > 0 ? known : this.tables.storeAppend(channel, content, message)
  }

  /** The given starters start one after the other. */
  private enumerateStart(stage: number): void {
    const { tables } = this
    const local = this.vector.cells[this.shape.starters[stage]]
    const next = tables.stages[stage] ?? tables.storeStage(stage)
    const first = tables.startSteps[stage][local] ?? tables.storeStartSteps(stage, local)
    this.addOutcomes(next, first, true)
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
