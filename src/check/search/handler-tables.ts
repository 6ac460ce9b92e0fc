import { GrowableArray } from '../../core/runtime/growable-array.ts'
import { cellDelta } from '../model/state-vector.ts'
import type { HandlerTransition } from '../model/transition.ts'
import { noteHappened } from '../model/transition-cache.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import {
  ALIASED,
  APPENDED,
  APPENDS,
  CHANGES_LEADER,
  CONTENT,
  DEPOSES,
  IDLE,
  LOCAL_STEPS,
  RECEIVE_STEPS,
  RECEIVES,
  recordLength,
  SEND_ROWS,
  STAGE,
  START_STEPS,
  STEPS,
  type SystemShape,
  TransitionTables,
  WAKES,
} from './transition-tables.ts'

/** Tables that are filled by running handlers. */
export class HandlerTables extends TransitionTables {
  /** The transition of a step row. */
  readonly transitions: HandlerTransition[] = []
  /** Every row and every look-up in order, for threads that need the same tables. */
  readonly journal = new GrowableArray()
  /** The largest number of a local state or a content. */
  largest = 0

  constructor(
    private readonly system: TransitionSystem,
    shape: SystemShape,
  ) {
    super(shape)
  }

  override storeLocalSteps(node: number, local: number): number {
    const { anyWake, cache } = this.system
    const { asleep, list } = cache.localStates[node]
    const wakes = anyWake && asleep[local] ? cache.onWake(node, local) : []
    const timeouts = list[local].timers.flatMap(({ timer }) => cache.onTimeout(node, local, timer))
    noteHappened(wakes)
    if (this.system.mode !== 'patient') this.takeTimeouts(node, local)
    const transitions = [...wakes, ...timeouts]
    const first = transitions.length === 0 ? IDLE : this.addSteps(transitions, -1)
    this.addLookUp(LOCAL_STEPS, node, local, 0, first)
    return first
  }

  override takeTimeouts(node: number, local: number): void {
    const { cache } = this.system
    for (const { timer } of cache.localStates[node].list[local].timers)
      noteHappened(cache.onTimeout(node, local, timer))
  }

  override storeReceives(channel: number, content: number): number {
    const cell = this.system.n + channel
    const removals = this.system.cache.channels[channel].deliverable(content)
    const [first] = removals.map(({ message, rest }) =>
      this.addRow(RECEIVES, [...cellDelta(cell, content, rest), message, cell, removals.length]),
    )
    this.addLookUp(CONTENT, channel, content, 0, first)
    return first
  }

  override storeReceiveSteps(channel: number, local: number, message: number): number {
    const transitions = this.system.cache.onReceive(channel, local, message)
    noteHappened(transitions)
    const first = this.addSteps(transitions, this.system.n + channel)
    this.addLookUp(RECEIVE_STEPS, channel, local, message, first)
    return first
  }

  override storeAppend(channel: number, content: number, message: number): number {
    const { cache, n } = this.system
    const longer = cache.channels[channel].append(content, message)
    const row = this.addRow(APPENDS, cellDelta(n + channel, content, longer))
    this.addLookUp(APPENDED, channel, content, message, row)
    return row
  }

  override storeStage(stage: number): number {
    const { stageCell } = this.system
    const row = [...cellDelta(stageCell, stage, stage + 1), -1, stageCell, 1]
    const next = this.addRow(RECEIVES, row)
    this.addLookUp(STAGE, stage, 0, 0, next)
    return next
  }

  override storeStartSteps(stage: number, local: number): number {
    const { starters, cache } = this.system
    const transitions = cache.onWake(starters[stage], local)
    noteHappened(transitions)
    const first = this.addSteps(transitions, -1)
    this.addLookUp(START_STEPS, stage, local, 0, first)
    return first
  }

  protected override addRow(kind: number, row: readonly number[]): number {
    this.journal.push(kind)
    if (kind !== SEND_ROWS) this.largest = Math.max(this.largest, row[0])
    for (let word = 0; word < recordLength(kind) - 1; word++) this.journal.push(row[word] ?? 0)
    return super.addRow(kind, row)
  }

  protected override addLookUp(
    kind: number,
    key: number,
    first: number,
    second: number,
    row: number,
  ): void {
    for (const word of [kind, key, first, second, row]) this.journal.push(word)
    super.addLookUp(kind, key, first, second, row)
  }

  /** Stores the outcomes of one event as step rows; returns the first. */
  private addSteps(outcomes: readonly HandlerTransition[], from: number): number {
    const { n } = this.system
    const first = this.steps.size
    // A row without outcomes: the look-up finds that there are none.
    if (outcomes.length === 0) return this.addRow(STEPS, [0, 0, 0, 0, 0, 0, 0, 0])
    for (const transition of outcomes) {
      const { node, before, after, sent } = transition
      const start = this.sends.size
      for (const { channel, message } of sent) this.addRow(SEND_ROWS, [n + channel, message])
      const cells = new Set(sent.map(({ channel }) => n + channel))
      const aliased = cells.size < sent.length || cells.has(from) ? ALIASED : 0
      const leadership =
        (transition.changesLeader ? CHANGES_LEADER : 0) | (transition.deposes ? DEPOSES : 0)
      const flags = aliased | (transition.event === 'wake' ? WAKES : 0) | leadership
      const delta = cellDelta(node, before, after)
      const row = [...delta, node, start, this.sends.size, outcomes.length, flags]
      this.transitions[this.addRow(STEPS, row)] = transition
    }
    return first
  }
}
