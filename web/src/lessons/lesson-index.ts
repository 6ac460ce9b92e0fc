import { signal } from '@preact/signals'
import { recall, remember } from '../address/kept.ts'
import type { Lesson, LessonEntry } from './format/lesson.ts'

const FOLDER = '../../../docs/lessons/'

const entries = Object.values(
  import.meta.glob<LessonEntry>('../../../docs/lessons/**/[0-9][0-9]-*.md', {
    query: '?entry',
    import: 'default',
    eager: true,
  }),
)

const lessons = import.meta.glob<Lesson>('../../../docs/lessons/**/[0-9][0-9]-*.md', {
  query: '?lesson',
  import: 'default',
})

/** The languages that there are lessons in, English first. */
export const languages = [
  ...new Set(['en', ...entries.map(({ language }) => language).toSorted()]),
] as const

export const language = signal(languageAtStart())

function languageAtStart(): string {
  const kept = recall('language of lessons')
  return languages.find((one) => one === kept) ?? 'en'
}

export function chooseLanguage(chosen: string): void {
  language.value = chosen
  remember('language of lessons', chosen)
}

/** The course in the chosen language; in English what is not translated. */
export function course(): LessonEntry[] {
  const here = entries.filter((entry) => entry.language === language.value)
  const translated = new Set(here.map(({ slug }) => slug))
  const others = entries.filter((one) => one.language === 'en' && !translated.has(one.slug))
  return [...here, ...others].toSorted((a, b) => a.number - b.number)
}

/** Fetches a lesson of the course; null where there is none of this name. */
export async function fetchLesson(slug: string): Promise<Lesson | null> {
  const entry = course().find((one) => one.slug === slug)
  if (entry === undefined) return null
  const folder = entry.language === 'en' ? '' : `${entry.language}/`
  const file = `${FOLDER}${folder}${String(entry.number).padStart(2, '0')}-${slug}.md`
  return (await lessons[file]?.()) ?? null
}
