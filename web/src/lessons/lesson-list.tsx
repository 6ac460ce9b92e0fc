import { Icon } from '../view/icon.tsx'
import { Emblem, SchemeButton } from '../view/top-bar.tsx'
import type { Lesson, LessonEntry } from './format/lesson.ts'
import { SmallPicture } from './lesson-picture.tsx'
import { doneIn, forgetProgress, isComplete, progress } from './progress.ts'
import './lessons.css'

/** The first view of the page: the course in its order, and the way to the lab. */
export function LessonList() {
  const lessons = course()
  const next = lessons.find((lesson) => !isComplete(lesson)) ?? lessons[0]
  const begun = Object.keys(progress.value).length > 0
  return (
    <div class="lesson-list">
      <header class="list-top">
        <div class="list-bar">
          <Emblem />
          <strong>Conclave</strong>
          <span class="lesson-tools">
            <SchemeButton />
          </span>
        </div>
        <h1>How do many computers agree on one?</h1>
        <p class="lead">
          Short lessons on leader election and gossip. Predict, watch, break things, and let the
          engine check what you found.
        </p>
        <p class="bar">
          {next !== undefined && (
            <a class="button primary" href={`#lesson=${next.slug}`}>
              <Icon name="play" />
              {begun ? `Continue: ${next.title}` : 'Start with the first lesson'}
            </a>
          )}
          <a class="button" href="#lab">
            <Icon name="lab" />
            Open the lab
          </a>
        </p>
      </header>
      <main>
        <ol class="course" aria-label="Lessons">
          {lessons.map((lesson) => (
            <LessonCard key={lesson.slug} lesson={lesson} current={begun && lesson === next} />
          ))}
        </ol>
      </main>
      <ProgressLine lessons={lessons} />
    </div>
  )
}

function LessonCard(props: { readonly lesson: LessonEntry; readonly current: boolean }) {
  const { lesson, current } = props
  const { slug, number, title, summary, minutes, picture, exercises } = lesson
  const done = doneIn(slug).length
  const complete = isComplete(lesson)
  return (
    <li class={complete ? 'complete' : ''}>
      <a href={`#lesson=${slug}`} {...(current && { 'aria-current': 'step' as const })}>
        <SmallPicture name={picture} />
        <div>
          <p class="place">
            <span>Lesson {number}</span>
            <span>{minutes} min</span>
            {complete ? (
              <span class="tick">
                <Icon name="holds" />
                done
              </span>
            ) : (
              done > 0 && (
                <span>
                  {done} of {exercises} done
                </span>
              )
            )}
          </p>
          <h2>{title}</h2>
          <p class="summary">{summary}</p>
        </div>
      </a>
    </li>
  )
}

function ProgressLine({ lessons }: { readonly lessons: readonly LessonEntry[] }) {
  const complete = lessons.filter(isComplete).length
  if (Object.keys(progress.value).length === 0) return null
  const data = JSON.stringify({ lessons: progress.value }, null, 2)
  return (
    <footer class="list-end">
      <p>
        {complete} of {lessons.length} lessons done. Your progress is kept in this browser only.
      </p>
      <p class="bar">
        <a
          class="button small"
          download="conclave-progress.json"
          href={`data:application/json,${encodeURIComponent(data)}`}
        >
          <Icon name="save" />
          Export
        </a>
        <button
          type="button"
          class="small"
          onClick={() => {
            if (confirm('Forget which lessons are done?')) forgetProgress()
          }}
        >
          Reset
        </button>
      </p>
    </footer>
  )
}

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
