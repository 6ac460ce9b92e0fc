import { grown } from '../../core/runtime/growable-array.ts'

/*
 * Row layouts of the transition tables. Every row begins with a cell delta: the new value, and what
 * it adds to the halves of the fingerprint. An append row has nothing else. A receive row: the
 * delta of the channel, the message, the cell, the number of receive rows of this content. A step
 * row: the delta of the local state, the node, the first and the end of its send rows, the number
 * of outcomes from here on, and flags. ALIASED: the step sends twice into one channel, or into the
 * channel of the received message.
 */
export const [LOW, HIGH] = [1, 2]
export const APPEND = 4
export const [MESSAGE, CELL, RECEIVE_COUNT] = [3, 4, 5]
export const RECEIVE = 8
export const [NODE, SENDS, END, OUTCOMES, FLAGS] = [3, 4, 5, 6, 7]
export const ALIASED = 1
/** A spontaneous wake-up; the node becomes leader or ceases to be it; it ceases to be it. */
export const WAKES = 2
export const CHANGES_LEADER = 4
export const DEPOSES = 8
export const STEP = 8
export const [SEND_CELL, SEND_MESSAGE] = [0, 1]
export const SEND = 2

/** A node without spontaneous steps. */
export const IDLE = -1

/** The kinds of rows, and behind them the kinds of look-ups. */
export const [APPENDS, RECEIVES, STEPS, SEND_ROWS] = [0, 1, 2, 3]
export const [LOCAL_STEPS, CONTENT, RECEIVE_STEPS, APPENDED, STAGE, START_STEPS] = [
  4, 5, 6, 7, 8, 9,
]
const WIDTHS = [APPEND, RECEIVE, STEP, SEND]
/** A look-up as a record: its kind, its key of three numbers, and the row. */
const LOOK_UP = 5

/** The parts of a transition system that its tables are about, as plain data. */
export interface SystemShape {
  readonly n: number
  /** The width of the state vector. */
  readonly width: number
  readonly stageCell: number
  readonly starters: readonly number[]
  /** Timers fire only when no message is in flight. */
  readonly patient: boolean
  /** By channel. */
  readonly senders: readonly number[]
  readonly receivers: readonly number[]
}

/**
 * The transitions of single nodes as rows of numbers, and look-ups that find them. What a look-up
 * does not find is stored first: by running a handler, or by asking the thread that runs handlers.
 */
export abstract class TransitionTables {
  readonly appends = new Rows(APPEND)
  readonly receives = new Rows(RECEIVE)
  readonly steps = new Rows(STEP)
  readonly sends = new Rows(SEND)
  private readonly rows = [this.appends, this.receives, this.steps, this.sends]
  /** By node and local state: the first step row of wake-ups and timeouts. */
  readonly localSteps: number[][]
  /** By channel and content: the first receive row. */
  readonly receivesByContent: number[][]
  /** By channel, local state and message: the first step row. */
  readonly receiveSteps: readonly IntPairMap[]
  /** By channel, content and message: the append row. */
  readonly appended: readonly IntPairMap[]
  /** By stage: the row that advances it, and the first step row by local state. */
  readonly stages: number[] = []
  readonly startSteps: number[][]
  /** Whether some step deposes a leader. */
  deposes = false
  /** Sleep sets apply while every receive has one outcome and no step deposes a leader. */
  skippable = true

  constructor({ n, receivers, starters }: SystemShape) {
    this.localSteps = Array.from({ length: n }, () => [])
    this.receivesByContent = receivers.map(() => [])
    this.receiveSteps = receivers.map(() => new IntPairMap())
    this.appended = receivers.map(() => new IntPairMap())
    this.startSteps = starters.map(() => [])
  }

  /** Each stores a row that is missing, and returns it. */
  abstract storeLocalSteps(node: number, local: number): number
  abstract storeReceives(channel: number, content: number): number
  abstract storeReceiveSteps(channel: number, local: number, message: number): number
  abstract storeAppend(channel: number, content: number, message: number): number
  abstract storeStage(stage: number): number
  abstract storeStartSteps(stage: number, local: number): number

  /** The timers of a node may fire; that is noted where handlers run. */
  takeTimeouts(_node: number, _local: number): void {}

  /** The row that a look-up finds; 0 or undefined if there is none. */
  find(kind: number, key: number, first: number, second: number): number | undefined {
    if (kind === LOCAL_STEPS) return this.localSteps[key][first]
    if (kind === CONTENT) return this.receivesByContent[key][first]
    if (kind === RECEIVE_STEPS) return this.receiveSteps[key].get(first, second)
    if (kind === APPENDED) return this.appended[key].get(first, second)
    return kind === STAGE ? this.stages[key] : this.startSteps[key][first]
  }

  /** Stores what a look-up does not find, and returns it. */
  store(kind: number, key: number, first: number, second: number): number {
    if (kind === LOCAL_STEPS) return this.storeLocalSteps(key, first)
    if (kind === CONTENT) return this.storeReceives(key, first)
    if (kind === RECEIVE_STEPS) return this.storeReceiveSteps(key, first, second)
    if (kind === APPENDED) return this.storeAppend(key, first, second)
    return kind === STAGE ? this.storeStage(key) : this.storeStartSteps(key, first)
  }

  /** Adds a row of a kind and returns its number. */
  protected addRow(kind: number, row: readonly number[] | Int32Array): number {
    const added = this.rows[kind].push(row)
    if (kind === STEPS && (row[FLAGS] & DEPOSES) !== 0) {
      this.deposes = true
      this.skippable = false
    }
    return added
  }

  /** Lets a look-up of a kind find a row. */
  protected addLookUp(kind: number, key: number, first: number, second: number, row: number): void {
    if (kind === LOCAL_STEPS) this.localSteps[key][first] = row
    else if (kind === CONTENT) this.receivesByContent[key][first] = row
    else if (kind === APPENDED) this.appended[key].set(first, second, row)
    else if (kind === STAGE) this.stages[key] = row
    else if (kind === START_STEPS) this.startSteps[key][first] = row
    else {
      this.receiveSteps[key].set(first, second, row)
      if (this.steps.words[row * STEP + OUTCOMES] !== 1) this.skippable = false
    }
  }
}

/** The length of a record of a kind: the kind, and a row or a look-up. */
export function recordLength(kind: number): number {
  return kind < WIDTHS.length ? 1 + WIDTHS[kind] : LOOK_UP
}

const WORDS = 4
const FIRST_SLOTS = 16

/** Hash map from pairs of integers from 0 to positive integers, with open addressing. */
export class IntPairMap {
  private size = 0
  private slots = FIRST_SLOTS
  /** Per slot: the second key, the first key plus one (0 in an empty slot), and the value. */
  private table = new Int32Array(WORDS * FIRST_SLOTS)

  /** The value of a pair; 0 if it has none. */
  get(first: number, second: number): number {
    return this.table[this.slotOf(first, second) + 2]
  }

  /** Adds a pair that has no value yet. */
  set(first: number, second: number, value: number): void {
    this.put(first, second, value)
    if (++this.size * 2 > this.slots) this.grow()
  }

  private put(first: number, second: number, value: number): void {
    const slot = this.slotOf(first, second)
    this.table[slot] = second
    this.table[slot + 1] = first + 1
    this.table[slot + 2] = value
  }

  private slotOf(first: number, second: number): number {
    const { table } = this
    const mask = this.slots - 1
    let place = Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca6b)
    place ^= place >>> 15
    for (; ; place++) {
      const slot = (place & mask) * WORDS
      const key = table[slot + 1]
      if (key === 0 || (key === first + 1 && table[slot] === second)) return slot
    }
  }

  private grow(): void {
    const { table } = this
    this.slots *= 2
    this.table = new Int32Array(WORDS * this.slots)
    for (let slot = 0; slot < table.length; slot += WORDS)
      if (table[slot + 1] > 0) this.put(table[slot + 1] - 1, table[slot], table[slot + 2])
  }
}

/** Growable table of rows of `width` integers in one array; row 0 is all zeros. */
export class Rows {
  words: Int32Array
  size = 1

  constructor(private readonly width: number) {
    this.words = new Int32Array(width * FIRST_SLOTS)
  }

  /** Appends a row and returns its number. */
  push(row: ArrayLike<number>): number {
    const first = this.size * this.width
    if (first === this.words.length) this.words = grown(this.words)
    this.words.set(row, first)
    return this.size++
  }
}
