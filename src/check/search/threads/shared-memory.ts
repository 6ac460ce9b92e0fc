import type { StateVector } from '../../model/state-vector.ts'

/*
 * The layout of the words that the threads of a search share. The first belong to all; each thread
 * then has some of its own, far enough apart that no two threads write to one cache line.
 */

/** Counts the phases; threads wait for the next one. */
export const PHASE = 0
/** What the threads do in this phase. */
export const WORK = 1
/** How many threads have finished it. */
export const FINISHED = 2
/** Changes whenever the first thread should look: a request, or the end of a phase. */
export const DOORBELL = 3
/** The next block of the level that is to be expanded, and the number of its blocks. */
export const NEXT_BLOCK = 4
export const LEVEL_BLOCKS = 5
/** The number of blocks of the next level so far. */
export const FOUND_BLOCKS = 6
/** The number of free blocks. */
export const FREE_BLOCKS = 7
/** The number of states that the first thread is to evaluate. */
export const REPORTS = 8
/** The words of the journal that can be read. */
export const JOURNAL = 9
/** Not zero: every thread ends. */
export const STOP = 10
/** The number of a thread that has failed. */
export const FAILED = 11
/** The level was evaluated when it was discovered. */
export const EVALUATED = 12
/** The number of the list that holds the level; the other one holds the next. */
export const PARITY = 13
/** The next part of the table that is to be moved into a larger one. */
export const NEXT_PART = 14
/** The number of threads that are ready. */
export const READY = 15

const COMMON = 32
const OWN = 32

/** Words of one thread: how many states it may discover in this phase, and how many it has. */
export const QUOTA = 0
export const DISCOVERED = 1
export const TRANSITIONS = 2
/** It stopped for want of room. */
export const FULL = 3
/** A missing row: the state of the request, the look-up, and the answer. */
export const REQUEST = 4
export const REQUESTED = 5
export const ANSWER = 9
export const [IDLE_REQUEST, ASKED, ANSWERED] = [0, 1, 2]

/** The kinds of work. */
export const [EXPAND, MOVE, END_OF_SEARCH] = [0, 1, 2]

/** The first word of a thread. */
export function ownWords(thread: number): number {
  return COMMON + thread * OWN
}

export function controlLength(threads: number): number {
  return ownWords(threads)
}

/** A wait begins busily, since most waits are short. */
const SPINS = 5000

/** Waits until a word has another value. */
export function waitForChange(words: Int32Array, word: number, value: number): void {
  while (!waitBriefly(words, word, value, Number.POSITIVE_INFINITY));
}

/** The same for at most so many milliseconds; returns whether it has another value. */
export function waitBriefly(words: Int32Array, word: number, value: number, ms: number): boolean {
  for (let spin = 0; spin < SPINS; spin++) if (Atomics.load(words, word) !== value) return true
  Atomics.wait(words, word, value, ms)
  return Atomics.load(words, word) !== value
}

/** Calls the first thread. */
export function callFirstThread(words: Int32Array): void {
  Atomics.add(words, DOORBELL, 1)
  Atomics.notify(words, DOORBELL)
}

/** The same load as in the set of one thread. */
export const MOST_LOAD = 0.8

/**
 * A set of 64-bit fingerprints that several threads add to. A thread claims a free slot by one
 * atomic exchange of its low half and then writes the high half; both halves are never zero, so
 * that a reader of a half-written slot waits for the rest.
 */
export class SharedFingerprints {
  /** Keeps the prefetch loop from being optimised away. */
  prefetched = 0
  private readonly mask: number

  constructor(private readonly table: Int32Array) {
    this.mask = table.length / 2 - 1
  }

  prefetch(lows: Int32Array, count: number): void {
    const { table, mask } = this
    let touched = 0
    for (let i = 0; i < count; i++) touched ^= table[2 * (lows[i] & mask)]
    this.prefetched = touched
  }

  /** Adds a fingerprint; returns whether it was new. Only one of several threads is told so. */
  claim(low: number, high: number): boolean {
    const { table, mask } = this
    const [first, second] = [low === 0 ? 1 : low, high === 0 ? 1 : high]
    for (let place = first & mask; ; place = (place + 1) & mask) {
      let entry = table[2 * place]
      if (entry === 0) entry = Atomics.compareExchange(table, 2 * place, 0, first)
      if (entry === 0) {
        table[2 * place + 1] = second
        return true
      }
      if (entry === first && this.highAt(place) === second) return false
    }
  }

  /** Adds the fingerprints of some slots of another set. */
  take(from: SharedFingerprints, start: number, end: number): void {
    for (let place = start; place < end; place++) {
      const low = from.table[2 * place]
      if (low !== 0) this.claim(low, from.table[2 * place + 1])
    }
  }

  private highAt(place: number): number {
    let high = this.table[2 * place + 1]
    while (high === 0) high = Atomics.load(this.table, 2 * place + 1)
    return high
  }
}

/** The states of a block: what a thread takes at a time. */
export const BLOCK = 128
const SEGMENT_BITS = 8
/** The blocks of a segment: memory is added by segments. */
export const SEGMENT = 1 << SEGMENT_BITS
export const MOST_BLOCKS = 1 << 20

/** The layout of a state in a block, in words: its cells, its fingerprint, and its last events. */
export interface BlockLayout {
  readonly width: number
  /** 16 while all numbers fit. */
  readonly bitsPerCell: 16 | 32
  readonly eventWords: number
}

/** The words of a state. */
export function stride({ width, bitsPerCell, eventWords }: BlockLayout): number {
  return Math.ceil((width * bitsPerCell) / 32) + 2 + eventWords
}

/** Blocks of states in shared memory. */
export class StateBlocks {
  /** The number of states by block. */
  readonly counts: Int32Array
  /** The segment and the offset of the state that was stored or loaded last: its last events. */
  words: Int32Array = new Int32Array(0)
  events = 0
  private readonly wordsOf: Int32Array[] = []
  private readonly cellsOf: (Uint16Array | Uint32Array)[] = []
  private readonly stride: number
  private readonly cellsPerWord: number

  constructor(
    private readonly layout: BlockLayout,
    counts: SharedArrayBuffer,
  ) {
    this.counts = new Int32Array(counts)
    this.stride = stride(layout)
    this.cellsPerWord = 32 / layout.bitsPerCell
  }

  get segments(): number {
    return this.wordsOf.length
  }

  addSegment(memory: SharedArrayBuffer): void {
    this.wordsOf.push(new Int32Array(memory))
    this.cellsOf.push(
      this.layout.bitsPerCell === 16 ? new Uint16Array(memory) : new Uint32Array(memory),
    )
  }

  load(block: number, index: number, vector: StateVector): void {
    const at = this.seek(block, index)
    const from = this.cellsOf[block >>> SEGMENT_BITS]
    const first = at * this.cellsPerWord
    const { cells } = vector
    for (let cell = 0; cell < cells.length; cell++) cells[cell] = from[first + cell]
    vector.markLoaded(this.words[this.events - 2], this.words[this.events - 1])
  }

  /** Stores the state; the caller adds its last events. */
  store(block: number, index: number, vector: StateVector): void {
    const at = this.seek(block, index)
    const to = this.cellsOf[block >>> SEGMENT_BITS]
    const first = at * this.cellsPerWord
    const { cells } = vector
    for (let cell = 0; cell < cells.length; cell++) to[first + cell] = cells[cell]
    this.words[this.events - 2] = vector.low
    this.words[this.events - 1] = vector.high
  }

  private seek(block: number, index: number): number {
    this.words = this.wordsOf[block >>> SEGMENT_BITS]
    const at = ((block & (SEGMENT - 1)) * BLOCK + index) * this.stride
    this.events = at + this.stride - this.layout.eventWords
    return at
  }
}
