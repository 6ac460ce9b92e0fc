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

/**
 * `usage` is also a full disk. `undecided`: nothing is violated, but not everything that was asked
 * is known to hold. `defect`: this program is wrong, which is never a verdict.
 */
export const EXIT = {
  done: 0,
  violated: 1,
  usage: 2,
  undecided: 3,
  defect: 70,
  interrupted: 130,
} as const

/** The exit codes for the help of a command that gives a verdict. */
export function exitCodesHelp(verdicts: {
  readonly done: string
  readonly violated: string
  readonly usage?: string
  readonly undecided: string
}): string {
  const { done, violated, usage = 'wrong usage, or a file cannot be written', undecided } = verdicts
  const codes = { done, violated, usage, undecided, defect: DEFECT, interrupted: 'interrupted' }
  const listed = Object.entries(codes).map(([name, says]) => {
    return `${EXIT[name as keyof typeof EXIT]}: ${says}`
  })
  return `Exit codes: ${listed.join('; ')}.`
}

const DEFECT = 'a defect of Conclave itself, never a verdict'

/** How a command reports its exit code. */
export type Leave = (code: number) => void

/** Thrown where the user presses Ctrl-C and the terminal sends no signal. */
export class Interrupted extends Error {}
