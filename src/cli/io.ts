/** Where a command prints: the standard streams, or strings in tests. */
export interface Io {
  out(text: string): void
  err(text: string): void
  /** Whether to use colours; `terminal.ts` decides it. */
  readonly colours: boolean
  /** Whether to show progress: only if standard error is a terminal. */
  readonly progress: boolean
  /** The keys that the user presses, where both streams are a terminal; else undefined. */
  readonly keys?: () => AsyncIterable<string>
  /** The columns that a line of a report may take; 80 if left out. */
  readonly width?: number
}

/** `undecided`: nothing is violated, but not everything that was asked is known to hold. */
export const EXIT = { done: 0, violated: 1, usage: 2, undecided: 3, interrupted: 130 } as const

/** How a command reports its exit code. */
export type Leave = (code: number) => void

/** Thrown where the user presses Ctrl-C and the terminal sends no signal. */
export class Interrupted extends Error {}
