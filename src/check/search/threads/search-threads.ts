import type { SystemShape } from '../transition-tables.ts'
import type { BlockLayout } from './shared-memory.ts'

/** Threads that expand states beside the one that started a search. */
export interface SearchThreads {
  /** The number of threads, the first one included. */
  readonly count: number
  /** The fewest states of a level for which others are started: a power of two; for tests. */
  readonly least?: number
  /** Starts another one, which calls `runSearchThread`. */
  start(setup: ThreadSetup): SearchThread
}

/** Another thread, as the first one sees it. */
export interface SearchThread {
  send(update: ThreadUpdate): void
}

/** More memory for all threads: a larger table, or more blocks. */
export type ThreadUpdate =
  | { readonly table: SharedArrayBuffer }
  | { readonly segment: SharedArrayBuffer }

/** What a thread is given when it starts: plain data and shared memory. */
export interface ThreadSetup {
  readonly thread: number
  readonly shape: SystemShape
  readonly layout: BlockLayout
  readonly control: SharedArrayBuffer
  readonly journal: SharedArrayBuffer
  /** The blocks of the level and of the next one, by parity. */
  readonly levels: readonly [SharedArrayBuffer, SharedArrayBuffer]
  readonly free: SharedArrayBuffer
  readonly counts: SharedArrayBuffer
  readonly reports: SharedArrayBuffer
}
