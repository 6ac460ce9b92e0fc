import { signal } from '@preact/signals'
import type { Player } from './player.ts'
import type { Run } from './run.ts'

export interface Guess {
  /** The position that is expected to lead; null for nobody. */
  readonly leader: number | null
  readonly messages: number
}

/** Whether who wins, and after how many messages, is asked before the play. */
export const guessFirst = signal(false)
export const guess = signal<Guess | null>(null)

/** Whether what is to come must not be seen, since somebody is to guess it. */
export function isSecret(run: Run, { step }: Player): boolean {
  if (!guessFirst.value) return false
  return run.result.value === null || step.value < run.known.value
}
