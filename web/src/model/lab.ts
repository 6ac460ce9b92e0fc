import { batch, computed, effect, signal } from '@preact/signals'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { gallery } from '../panel/gallery.ts'
import { place } from './place.ts'
import { Player } from './player.ts'
import { guess, guessFirst } from './prediction.ts'
import { type Code, ShownRun } from './run.ts'
import { chooseNothing } from './selection.ts'

/** The state of the page: the branches of one scenario, the one that is shown, and the clock. */
export const branches = signal<readonly ShownRun[]>([
  new ShownRun(gallery[0].exhibits[0].scenario, null, null, null, null, true),
])
export const shown = signal(0)
export const run = computed(() => branches.value[shown.value])
/** Other runs on the same clock, shown beside it. */
export const compared = signal<readonly ShownRun[]>([])
export const player = new Player(run, compared)

// The first run is simulated when the lab is shown: lessons have their own.
effect(() => {
  if (place.value.name === 'lab') branches.peek()[0].start()
})

/** Replaces the scenario and its branches by another scenario. */
export function replaceScenario(scenario: ScenarioInput, code: Code | null = null): void {
  chooseNothing()
  replaceBranches([new ShownRun(scenario, code)])
}

export function replaceBranches(runs: readonly ShownRun[]): void {
  player.pause()
  for (const former of branches.value) if (!runs.includes(former)) former.end()
  batch(() => {
    compareRuns([])
    branches.value = runs
    shown.value = 0
    player.resumeAt(0, 0)
    guess.value = null
  })
}

/** Shows these runs beside the current one. */
export function compareRuns(runs: readonly ShownRun[]): void {
  for (const former of compared.value)
    if (!runs.includes(former) && !branches.value.includes(former)) former.end()
  compared.value = runs
}

export function toggleCompared(run: ShownRun): void {
  const others = compared.value.filter((other) => other !== run)
  compareRuns(others.length < compared.value.length ? others : [...others, run])
}

/** Plays what was asked for, unless the user prefers reduced motion or guesses first. */
export function begin(): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!still && !guessFirst.value) player.play()
}

/** What is being opened, in words: it takes a while where the compiler must be loaded. */
export const opening = signal<string | null>(null)

/** An error message about a link or a file that cannot be opened. */
export const problem = signal<string | null>(null)
