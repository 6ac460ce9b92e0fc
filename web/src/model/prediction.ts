import { signal } from '@preact/signals'

export interface Guess {
  /** The position that is expected to lead; null for nobody. */
  readonly leader: number | null
  readonly messages: number
}

/** Whether who wins, and after how many messages, is asked before the play. */
export const guessFirst = signal(false)
export const guess = signal<Guess | null>(null)
