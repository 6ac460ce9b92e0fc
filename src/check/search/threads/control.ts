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
