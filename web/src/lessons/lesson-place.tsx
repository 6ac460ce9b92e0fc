import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { lessonTitle } from '../model/place.ts'
import type { Lesson } from './format/lesson.ts'
import { fetchLesson } from './lesson-list.tsx'
import './lesson.css'

/** The view of one lesson is fetched with the first of them. */
const view = signal<ComponentType<{ lesson: Lesson }> | null>(null)
const fetched = signal<Lesson | null>(null)
const missing = signal<string | null>(null)

/** One lesson, or a note while it is fetched. */
export function LessonPlace({ slug }: { readonly slug: string }) {
  useEffect(() => void show(slug), [slug])
  const [View, lesson] = [view.value, fetched.value]
  if (View !== null && lesson?.slug === slug) return <View key={slug} lesson={lesson} />
  return (
    <main class="lesson-missing">
      <h1 class={missing.value === slug ? '' : 'unseen'}>
        {missing.value === slug ? 'There is no such lesson' : 'Lesson'}
      </h1>
      {missing.value === slug ? (
        <p>
          No lesson is called "{slug}". <a href="#lessons">All lessons</a>
        </p>
      ) : (
        <p role="status">The lesson is being fetched.</p>
      )}
    </main>
  )
}

async function show(slug: string): Promise<void> {
  missing.value = null
  const [lesson, { LessonPage }] = await Promise.all([
    fetchLesson(slug),
    import('./page/lesson-page.tsx'),
  ])
  view.value = LessonPage
  fetched.value = lesson
  if (lesson === null) missing.value = slug
  else lessonTitle.value = lesson.title
}
