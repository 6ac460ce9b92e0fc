import { batch, computed, signal } from '@preact/signals'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { gallery } from '../panel/gallery.ts'
import { Player } from './player.ts'
import { guess, guessFirst } from './prediction.ts'
import { type Code, Run } from './run.ts'

/** The state of the page: the branches of one scenario, the one that is shown, and the clock. */
export const branches = signal<readonly Run[]>([new Run(gallery[0].exhibits[0].scenario)])
export const shown = signal(0)
export const run = computed(() => branches.value[shown.value])
/** Another run on the same clock, shown side by side; null for none. */
export const compared = signal<Run | null>(null)
export const player = new Player(run)

/** Replaces the scenario and its branches by another scenario. */
export function open(scenario: ScenarioInput, code: Code | null = null): void {
  replaceBranches([new Run(scenario, code)])
}

export function replaceBranches(runs: readonly Run[]): void {
  player.pause()
  for (const branch of branches.value) branch.end()
  if (compared.value !== null && !branches.value.includes(compared.value)) compared.value.end()
  batch(() => {
    compared.value = null
    branches.value = runs
    shown.value = 0
    player.resumeAt(0, 0)
    guess.value = null
  })
}

/** Plays, unless the user prefers reduced motion or guesses first. */
export function begin(): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!still && !guessFirst.value) player.play()
}

/** Whether a link is being opened, which takes a while where the compiler must be loaded. */
export const opening = signal(false)

/** An error message about a link or a file that cannot be opened. */
export const problem = signal<string | null>(null)
