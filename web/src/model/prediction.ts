import { signal } from '@preact/signals'
import { counted, grouped } from '../../../src/core/text-format.ts'
import type { RunClock } from './clock.ts'
import type { ShownRun } from './run.ts'

export interface Guess {
  /** The position of the expected leader; null for none. */
  readonly leader: number | null
  readonly messages: number
}

/** Whether the user guesses the leader and the number of messages before the play. */
export const guessFirst = signal(false)
export const guess = signal<Guess | null>(null)

/** Whether the guess is still to be made. */
export function isUnguessed(): boolean {
  return guessFirst.value && guess.value === null
}

/** Whether the future of a run is hidden, since it is to be guessed. */
export function isSecret(run: ShownRun, { step }: RunClock): boolean {
  if (!guessFirst.value) return false
  return run.result.value === null || step.value < run.known.value
}

/** Guesses that are off by at most these shares are close, and near enough to be right. */
const CLOSE_SHARE = 0.1
const RIGHT_SHARE = 0.25

export interface JudgedGuess {
  readonly right: boolean
  readonly words: string
}

/** Judges a guessed number of messages: who understands the idea is right, not only who counts. */
export function judgeMessages(guessed: number, total: number): JudgedGuess {
  const off = Math.abs(total - guessed)
  const cost = counted(total, 'message')
  if (off === 0) return { right: true, words: `${cost}: exact!` }
  const said = `you said ${grouped(guessed)}`
  const side = guessed > total ? 'too many' : 'too few'
  if (off <= CLOSE_SHARE * total || off === 1)
    return { right: true, words: `${cost}: very close, ${said}.` }
  if (off <= RIGHT_SHARE * total) return { right: true, words: `${cost}: near, ${said}.` }
  const far = guessed > 2 * total || 2 * guessed < total ? `far ${side}` : side
  return { right: false, words: `${cost}; ${said}, ${grouped(off)} ${far}.` }
}
