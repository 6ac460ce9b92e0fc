import { useEffect, useRef } from 'preact/hooks'
import { goTo } from '../../address/history.ts'
import { Counts } from '../../counts/counts.tsx'
import { Diagram } from '../../diagram/diagram.tsx'
import { Inspector } from '../../inspector/inspector.tsx'
import { counterexampleShown } from '../../model/check-outcome.ts'
import { begin, player, run } from '../../model/lab.ts'
import { lessonToReturnTo } from '../../model/place.ts'
import { Stage } from '../../stage/stage.tsx'
import { Caption } from '../../view/caption.tsx'
import { Icon } from '../../view/icon.tsx'
import { present } from '../../view/layout.ts'
import { lazy } from '../../view/lazy.tsx'
import { Legend } from '../../view/legend.tsx'
import { TimeBar } from '../../view/time-bar.tsx'
import { SchemeButton } from '../../view/top-bar.tsx'
import { isOfPicture, type Lesson, type LessonPart, type ShownScenario } from '../format/lesson.ts'
import { course } from '../lesson-list.tsx'
import { isComplete } from '../progress.ts'
import { printLesson, Still } from './print.tsx'
import { Prose } from './prose.tsx'
import { QuestionCard } from './question.tsx'
import { holding, isKept, shownPart, showPart, solutionShown } from './shown-part.ts'
import { TaskCard } from './task.tsx'
import { TaskActions } from './task-actions.tsx'

/** One lesson: its text beside the live picture. */
export function LessonPage({ lesson }: { readonly lesson: Lesson }) {
  const { slug, title, minutes, sources, parts, number } = lesson
  const text = useRef<HTMLElement>(null)
  useEffect(() => {
    const former = partLeft(slug)
    lessonToReturnTo.value = null
    if (former === null) {
      scrollTo(0, 0)
      show(lesson, parts.findIndex(isPictured))
      return
    }
    text.current!.querySelector(`[data-part="${former.part}"]`)?.scrollIntoView()
    // Work on a task comes back from the lab as it is.
    const same = run.peek().scenario.algorithm === former.scenario.algorithm
    if (former.task === null || !same) show(lesson, former.part)
  }, [slug])
  useEffect(() => followReading(text.current!, lesson), [slug])
  let exercise = -1
  return (
    <div class="lesson">
      <LessonTop lesson={lesson} />
      <Picture lesson={lesson} />
      <main class="lesson-text" ref={text}>
        <p class="eyebrow">
          Lesson {number} · {minutes} minutes
        </p>
        <h1>{title}</h1>
        {parts.map((part, i) => {
          if (part.kind === 'question' || part.kind === 'task') exercise++
          return (
            <div key={i} class={`lesson-part ${part.kind}-part`} data-part={i}>
              <Part {...{ lesson, part, index: i, exercise }} />
            </div>
          )
        })}
        <p class="sources">Sources: {sources.join('; ')}</p>
        <Onward slug={slug} />
      </main>
    </div>
  )
}

/** The way back, and what can be done with the lesson. */
function LessonTop({ lesson }: { readonly lesson: Lesson }) {
  return (
    <header class="lesson-top">
      <a class="button flat" href="#lessons">
        <Icon name="left" />
        Lessons
      </a>
      <span class="lesson-tools">
        <button
          type="button"
          class="flat to-lab"
          title="Open what the picture shows in the lab"
          aria-label="Open in the lab"
          onClick={() => takeToLab(lesson)}
        >
          <Icon name="lab" />
          <span>Open in the lab</span>
        </button>
        <button
          type="button"
          class="flat"
          aria-label="Present"
          title="Present (p)"
          onClick={() => present(true)}
        >
          <Icon name="present" />
        </button>
        <button
          type="button"
          class="flat"
          aria-label="Print"
          title="Print"
          onClick={() => void printLesson(lesson)}
        >
          <Icon name="print" />
        </button>
        <SchemeButton />
      </span>
    </header>
  )
}

function Part(props: {
  readonly lesson: Lesson
  readonly part: LessonPart
  readonly index: number
  readonly exercise: number
}) {
  const { lesson, part, index, exercise } = props
  const { slug } = lesson
  switch (part.kind) {
    case 'text':
      return <Prose markdown={part.markdown} />
    case 'scenario':
      return <Figure lesson={lesson} part={part} index={index} />
    case 'question':
      return <QuestionCard lesson={slug} part={index} exercise={exercise} question={part} />
    case 'task':
      return <TaskCard lesson={slug} part={index} exercise={exercise} task={part} />
  }
}

/** The place of a scenario in the text: what the picture shows, or a button that shows it. */
function Figure(props: {
  readonly lesson: Lesson
  readonly part: ShownScenario
  readonly index: number
}) {
  const { lesson, part, index } = props
  const shown = isShown(lesson, index)
  const { title = part.scenario.algorithm } = part.scenario
  return (
    <figure class={shown ? 'figure shown' : 'figure'}>
      <Still lesson={lesson} index={index} />
      <figcaption>{String(title)}</figcaption>
      <button
        type="button"
        class="flat"
        aria-pressed={shown}
        onClick={({ currentTarget }) => holding(currentTarget, () => show(lesson, index))}
      >
        <Icon name={shown ? 'undo' : 'play'} />
        <span>{String(title)}</span>
        <small>{shown ? 'play again' : 'show'}</small>
      </button>
    </figure>
  )
}

/** The part that the picture showed when it was taken to the lab; null where it was not. */
function partLeft(slug: string) {
  const left = lessonToReturnTo.peek()
  const former = shownPart.peek()
  return left?.name === 'lesson' && left.lesson === slug && former?.lesson === slug ? former : null
}

function isPictured(part: LessonPart): boolean {
  return part.kind === 'scenario' || part.kind === 'task'
}

function isShown({ slug }: Lesson, index: number): boolean {
  return shownPart.value?.lesson === slug && shownPart.value.part === index
}

function show({ slug, parts }: Lesson, index: number): void {
  const part = parts[index]
  if (part?.kind === 'scenario' || part?.kind === 'task') showPart(slug, index, part)
}

/** Where the picture stands above the text, the text is read in the lower half of the window. */
const ABOVE = '(max-width: 600px), (max-width: 900px) and (orientation: portrait)'

/** Shows the scenario that the reader has come to, unless a task is being worked on. */
function followReading(text: HTMLElement, lesson: Lesson): () => void {
  const index = (element: Element) => Number((element as HTMLElement).dataset.part)
  const observer = new IntersectionObserver(
    (entries) => {
      const reached = entries.filter(({ isIntersecting }) => isIntersecting).at(-1)
      if (reached === undefined || isKept()) return
      if (!isShown(lesson, index(reached.target))) show(lesson, index(reached.target))
    },
    { rootMargin: matchMedia(ABOVE).matches ? '-62% 0px -22% 0px' : '-45% 0px -45% 0px' },
  )
  for (const element of text.querySelectorAll('[data-part]'))
    if (lesson.parts[index(element)].kind === 'scenario') observer.observe(element)
  return () => observer.disconnect()
}

const CounterexampleStage = lazy(
  async () => (await import('../../prover/counterexample-stage.tsx')).CounterexampleStage,
)

/** The picture of the lesson: the network, what happens, and the clock. */
function Picture({ lesson }: { readonly lesson: Lesson }) {
  const shown = run.value
  useEffect(() => {
    // A change is made to see what follows.
    if (shown.origin !== null && !solutionShown.value) begin()
  }, [shown])
  const part = shownPart.value?.lesson === lesson.slug ? lesson.parts[shownPart.value.part] : null
  const panels = part?.kind === 'scenario' ? part.show : []
  const task = shownPart.value?.task ?? null
  const title = task !== null ? 'Your task' : String(shown.scenario.title ?? '')
  const counterexample = counterexampleShown.value
  if (counterexample !== null)
    return (
      <aside class="lesson-picture-column" aria-label="Picture">
        <CounterexampleStage shown={counterexample} words />
      </aside>
    )
  return (
    <aside class="lesson-picture-column" aria-label="Picture">
      {title !== '' && <h2 class="picture-title">{title}</h2>}
      <Caption key={shown.serial} run={shown} player={player} />
      {shown.log.value === null && shown.refusal.value !== null ? (
        <p role="alert" class="refused">
          {shown.refusal.value.message}
        </p>
      ) : (
        <Stage key={shown.serial} run={shown} clock={player} />
      )}
      <Legend run={shown} clock={player} />
      {task?.actions.some(isOfPicture) && <TaskActions actions={task.actions} />}
      {panels.includes('diagram') && <Diagram key={shown.serial} run={shown} player={player} />}
      {panels.includes('counts') && <Counts run={shown} player={player} />}
      {panels.includes('inspector') && <Inspector run={shown} player={player} />}
      <TimeBar player={player} />
    </aside>
  )
}

/** The lab shows the same run, and leads back. */
function takeToLab({ slug }: Lesson): void {
  lessonToReturnTo.value = { name: 'lesson', lesson: slug }
  goTo({ name: 'lab' })
}

/** The lessons before and after, and whether this one is complete. */
function Onward({ slug }: { readonly slug: string }) {
  const lessons = course()
  const here = lessons.findIndex((one) => one.slug === slug)
  const [before, after] = [lessons[here - 1], lessons[here + 1]]
  const complete = here >= 0 && isComplete(lessons[here])
  return (
    <nav class="onward" aria-label="Lessons before and after">
      {complete && (
        <p class="outcome right" role="status">
          <Icon name="holds" />
          Lesson complete
        </p>
      )}
      <div class="bar">
        {before && (
          <a class="button" href={`#lesson=${before.slug}`}>
            <Icon name="left" />
            {before.title}
          </a>
        )}
        {after ? (
          <a class={complete ? 'button primary' : 'button'} href={`#lesson=${after.slug}`}>
            {after.title}
            <Icon name="right" />
          </a>
        ) : (
          <a class="button" href="#lessons">
            All lessons
          </a>
        )}
      </div>
    </nav>
  )
}
