/** The outside of the program: where it prints, and what kind of place that is. */
export interface Io {
  out(text: string): void
  err(text: string): void
  /** Whether standard output is a terminal: only then are there colours. */
  readonly colours: boolean
  /** Whether standard error is a terminal: only then is progress shown. */
  readonly progress: boolean
}
