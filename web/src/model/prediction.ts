import { signal } from '@preact/signals'
import type { Player } from './player.ts'
import type { Run } from './run.ts'

export interface Guess {
  /** The position of the expected leader; null for none. */
  readonly leader: number | null
  readonly messages: number
}

/** Whether the user guesses the leader and the number of messages before the play. */
export const guessFirst = signal(false)
export const guess = signal<Guess | null>(null)

/** Whether the future of a run is hidden, since it is to be guessed. */
export function isSecret(run: Run, { step }: Player): boolean {
  if (!guessFirst.value) return false
  return run.result.value === null || step.value < run.known.value
}
