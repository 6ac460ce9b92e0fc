import { batch, computed, signal } from '@preact/signals'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { gallery } from '../panel/gallery.ts'
import { Player } from './player.ts'
import { guess, guessFirst } from './prediction.ts'
import { type Code, Run } from './run.ts'

/** All that the page shows: the branches of one scenario, the one that is looked at, the clock. */
export const branches = signal<readonly Run[]>([new Run(gallery[0].exhibits[0].scenario)])
export const shown = signal(0)
export const run = computed(() => branches.value[shown.value])
/** Another run on the same clock, to compare. */
export const beside = signal<Run | null>(null)
export const player = new Player(run)

/** Begins with another scenario; branches of the former one are gone. */
export function open(scenario: ScenarioInput, code: Code | null = null): void {
  replaceBranches([new Run(scenario, code)])
}

export function replaceBranches(runs: readonly Run[]): void {
  player.pause()
  for (const branch of branches.value) branch.end()
  if (beside.value !== null && !branches.value.includes(beside.value)) beside.value.end()
  batch(() => {
    beside.value = null
    branches.value = runs
    shown.value = 0
    player.resumeAt(0, 0)
    guess.value = null
  })
}

/** Lets it play, where nobody has asked for rest. */
export function begin(): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!still && !guessFirst.value) player.play()
}

/** A link is being opened, which may take as long as fetching the compiler does. */
export const opening = signal(false)

/** What the page has to say of itself, when something it was given is of no use. */
export const problem = signal<string | null>(null)
