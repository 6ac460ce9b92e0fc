import type { Lesson, LessonEntry } from './format/lesson.ts'

const entries = Object.values(
  import.meta.glob<LessonEntry>('../../../docs/lessons/[0-9][0-9]-*.md', {
    query: '?entry',
    import: 'default',
    eager: true,
  }),
)

const lessons = import.meta.glob<Lesson>('../../../docs/lessons/[0-9][0-9]-*.md', {
  query: '?lesson',
  import: 'default',
})

/** All lessons, in the order of the course. */
export function course(): LessonEntry[] {
  return entries.toSorted((a, b) => a.number - b.number)
}

/** Fetches a lesson of the course; null where there is none of this name. */
export async function fetchLesson(slug: string): Promise<Lesson | null> {
  const entry = entries.find((one) => one.slug === slug)
  if (entry === undefined) return null
  const file = `../../../docs/lessons/${String(entry.number).padStart(2, '0')}-${slug}.md`
  return (await lessons[file]?.()) ?? null
}
