import { signal } from '@preact/signals'
import { recall, remember } from '../address/kept.ts'
import type { LessonEntry } from './format/lesson.ts'

/** The questions and tasks that were done, by lesson: their numbers in it, from 0. */
type Progress = Readonly<Record<string, readonly number[]>>

const NAME = 'progress'

export const progress = signal<Progress>(progressAtStart())

function progressAtStart(): Progress {
  const kept = recall(NAME)
  if (typeof kept !== 'object' || kept === null) return {}
  const valid = Object.entries(kept).filter(
    ([, done]) => Array.isArray(done) && done.every(Number.isSafeInteger),
  )
  return Object.fromEntries(valid)
}

export function doneIn(slug: string): readonly number[] {
  return progress.value[slug] ?? []
}

export function isComplete({ slug, exercises }: LessonEntry): boolean {
  return exercises > 0 && doneIn(slug).length >= exercises
}

/** Keeps that a question was answered or a task done. */
export function markDone(slug: string, exercise: number): void {
  const done = doneIn(slug)
  if (!done.includes(exercise)) keep({ ...progress.value, [slug]: [...done, exercise] })
}

export function forgetProgress(): void {
  keep({})
}

function keep(next: Progress): void {
  progress.value = next
  remember(NAME, next)
}
