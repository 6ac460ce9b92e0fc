/** The outside of the program: where it prints, and what kind of place that is. */
export interface Io {
  out(text: string): void
  err(text: string): void
  /** Whether standard output is a terminal: only then are there colours. */
  readonly colours: boolean
  /** Whether standard error is a terminal: only then is progress shown. */
  readonly progress: boolean
}

export const EXIT = { done: 0, violated: 1, usage: 2, interrupted: 130 } as const

/** How a command reports its exit code. */
export type Leave = (code: number) => void
