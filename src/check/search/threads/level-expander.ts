import { grown } from '../../../core/runtime/growable-array.ts'
import { StateVector } from '../../model/state-vector.ts'
import { LastEvents } from '../../reduction/last-events.ts'
import { FastSuccessors } from '../fast-successors.ts'
import { CHANGES_LEADER, type TransitionTables } from '../transition-tables.ts'
import type { ThreadSetup, ThreadUpdate } from './search-threads.ts'
import {
  BLOCK,
  DISCOVERED,
  EVALUATED,
  FOUND_BLOCKS,
  FREE_BLOCKS,
  FULL,
  LEVEL_BLOCKS,
  NEXT_BLOCK,
  NEXT_PART,
  ownWords,
  PARITY,
  QUOTA,
  REPORTS,
  SharedFingerprints,
  StateBlocks,
  TRANSITIONS,
} from './shared-memory.ts'

/** Why the first thread must look at a state: to evaluate properties, or to count it. */
export const NEW_LEADERS = CHANGES_LEADER
export const [NOTHING_IN_FLIGHT, NO_SUCCESSOR] = [1, 2]
export const REPORT_BITS = 3
/** The slots of the table that a thread moves at a time. */
const PART = 1 << 14

/** The states that are expanded together, so that the cache misses of their look-ups overlap. */
const LANE_BITS = 3
const LANES = 1 << LANE_BITS

/** One of them: its state vector, its transitions, and its last events. */
interface Lane {
  readonly vector: StateVector
  readonly fast: FastSuccessors
  readonly events: LastEvents | null
}

/** Expands states of a level: the part of the search that every thread does. */
export class LevelExpander {
  readonly blocks: StateBlocks
  readonly levels: readonly Int32Array[]
  readonly free: Int32Array
  readonly reports: Int32Array
  readonly control: Int32Array
  private readonly own: number
  private readonly lanes: readonly Lane[]
  private loaded = 0
  /** The successors of the loaded states: half of their fingerprints. */
  private lows = new Int32Array(64)
  /** Those that are new: the number of the transition, and of the lane. */
  private newOf = new Int32Array(64)
  private newCount = 0
  private table = new SharedFingerprints(new Int32Array(2))
  private former = this.table
  private slots = 0
  private formerSlots = 0
  /** The block that is expanded, and the block for new states. */
  private block = 0
  private at = 0
  private end = 0
  private found = -1
  private foundCount = BLOCK
  private transitions = 0
  private discovered = 0
  private level: Int32Array = new Int32Array(0)
  private levelBlocks = 0
  private quota = 0
  /** NOTHING_IN_FLIGHT, unless the level was evaluated before. */
  private reported = 0
  /** Pairs of a block, and a state with a reason. */
  private notes = new Int32Array(1 << 12)
  private noteCount = 0

  constructor(setup: ThreadSetup, tables: TransitionTables) {
    const { shape, layout } = setup
    this.control = new Int32Array(setup.control)
    this.own = ownWords(setup.thread)
    this.levels = setup.levels.map((level) => new Int32Array(level))
    this.free = new Int32Array(setup.free)
    this.reports = new Int32Array(setup.reports)
    this.blocks = new StateBlocks(layout, setup.counts)
    this.lanes = Array.from({ length: LANES }, () => {
      const vector = new StateVector(shape.width)
      const fast = new FastSuccessors(shape, vector, tables)
      return { vector, fast, events: layout.eventWords > 0 ? new LastEvents(shape) : null }
    })
  }

  get fingerprints(): SharedFingerprints {
    return this.table
  }

  update(update: ThreadUpdate): void {
    if ('segment' in update) {
      this.blocks.addSegment(update.segment)
      return
    }
    const table = new Int32Array(update.table)
    ;[this.former, this.formerSlots] = [this.table, this.slots]
    ;[this.table, this.slots] = [new SharedFingerprints(table), table.length / 2]
  }

  /** Moves the fingerprints of the former table into the new one. */
  move(): void {
    for (;;) {
      const start = Atomics.add(this.control, NEXT_PART, 1) * PART
      if (start >= this.formerSlots) break
      this.table.take(this.former, start, Math.min(start + PART, this.formerSlots))
    }
    this.former = this.table
    this.formerSlots = 0
  }

  /**
   * Expands states until the level is done or this thread has no room for more. As in `LastEvents`,
   * what happens rarely is done in few places.
   */
  expand(afterSome: () => void): void {
    const { control, own } = this
    this.level = this.levels[control[PARITY]]
    this.levelBlocks = control[LEVEL_BLOCKS]
    this.quota = control[own + QUOTA]
    this.reported = control[EVALUATED] === 0 ? NOTHING_IN_FLIGHT : 0
    this.transitions = this.discovered = 0
    this.expandEach(afterSome)
    this.publish()
    control[own + FULL] = this.end - this.at
    control[own + DISCOVERED] = this.discovered
    control[own + TRANSITIONS] = this.transitions
  }

  private expandEach(afterSome: () => void): void {
    while (this.load()) {
      this.explore()
      afterSome()
    }
  }

  /** Loads the next states; false if there are none, or no room for all their successors. */
  private load(): boolean {
    const { blocks } = this
    if (this.at === this.end && !this.takeBlock()) return false
    this.loaded = Math.min(LANES, this.end - this.at)
    let count = 0
    for (let i = 0; i < this.loaded; i++) {
      const { vector, fast, events } = this.lanes[i]
      blocks.load(this.block, this.at + i, vector)
      events?.load(blocks.words, blocks.events)
      fast.enumerate(events?.asleep)
      count += fast.count
    }
    if (count >= this.lows.length) {
      this.lows = new Int32Array(2 * count)
      this.newOf = new Int32Array(2 * count)
    }
    return this.discovered + count <= this.quota
  }

  /** Takes the next block of the level, and hands over what was noted in the last one. */
  private takeBlock(): boolean {
    const { control, own, notes, noteCount, reports } = this
    control[own + DISCOVERED] = this.discovered
    const first = Atomics.add(control, REPORTS, noteCount)
    for (let word = 0; word < 2 * noteCount; word++) reports[2 * first + word] = notes[word]
    this.noteCount = 0
    const next = Atomics.add(control, NEXT_BLOCK, 1)
    if (next >= this.levelBlocks) return false
    this.block = this.level[next]
    this.at = 0
    this.end = this.blocks.counts[this.block]
    return true
  }

  /** Adds a state, whose last events the caller writes. */
  push(vector: StateVector): void {
    const { blocks } = this
    if (this.foundCount === BLOCK) {
      this.publish()
      this.found = this.free[Atomics.sub(this.control, FREE_BLOCKS, 1) - 1]
      this.foundCount = 0
    }
    blocks.store(this.found, this.foundCount++, vector)
  }

  /** Adds the block of new states to the next level. */
  publish(): void {
    const { control, foundCount } = this
    if (foundCount === 0 || this.found < 0) return
    this.blocks.counts[this.found] = foundCount
    this.levels[1 - control[PARITY]][Atomics.add(control, FOUND_BLOCKS, 1)] = this.found
    this.found = -1
    this.foundCount = BLOCK
  }

  /**
   * Claims the successors of all loaded states before it stores the new ones: an atomic exchange
   * waits until all earlier writes are done.
   */
  private explore(): void {
    const { lanes, loaded, lows, table } = this
    let count = 0
    for (let i = 0; i < loaded; i++) {
      const { fast } = lanes[i]
      for (let k = 0; k < fast.count; k++) {
        fast.hash(k)
        lows[count++] = fast.lows[k]
      }
    }
    table.prefetch(lows, count)
    this.newCount = 0
    for (let i = 0; i < loaded; i++) this.claim(i)
    for (let k = 0; k < this.newCount; k++)
      this.store(lanes[this.newOf[k] & (LANES - 1)], this.newOf[k] >>> LANE_BITS)
    this.discovered += this.newCount
    this.at += loaded
  }

  /** Notes which successors of a loaded state are new. */
  private claim(lane: number): void {
    const { table, newOf } = this
    const { fast } = this.lanes[lane]
    const { lows, highs, count } = fast
    const stuck = count + fast.skipped === 0 ? NO_SUCCESSOR : 0
    this.note(this.block, this.at + lane, stuck | (fast.delivers ? 0 : this.reported))
    let found = this.newCount
    for (let i = 0; i < count; i++) {
      newOf[found] = (i << LANE_BITS) | lane
      found += table.claim(lows[i], highs[i]) ? 1 : 0
    }
    this.newCount = found
    this.transitions += count + fast.skipped
  }

  /** Stores a new state: the successor of a loaded one by its transition i. */
  private store({ fast, vector, events }: Lane, i: number): void {
    const { blocks } = this
    fast.apply(i)
    this.push(vector)
    vector.undo()
    events?.store(fast, i, vector.cells, blocks.words, blocks.events)
    this.note(this.found, this.foundCount - 1, fast.flags[i] & CHANGES_LEADER)
  }

  /** Notes that the first thread must look at a state, unless there is no reason. */
  private note(block: number, index: number, why: number): void {
    if (2 * this.noteCount === this.notes.length) this.notes = grown(this.notes)
    this.notes[2 * this.noteCount] = block
    this.notes[2 * this.noteCount + 1] = (index << REPORT_BITS) | why
    this.noteCount += why === 0 ? 0 : 1
  }
}
