import { goTo } from './address/history.ts'
import { codeQuestion, ForeignCode, ProblemNotice } from './address/notices.tsx'
import { toggleChecking } from './checker/checking.tsx'
import { coding, reading, toggleCode } from './editor/editor-panel.tsx'
import { algorithmOfRun } from './model/algorithm-list.ts'
import { checking } from './model/check-outcome.ts'
import { compared, opening, run } from './model/lab.ts'
import { lessonToReturnTo, place } from './model/place.ts'
import { ModalDialog, showDialog } from './view/dialogs.tsx'
import { cramped, embedded, parts, present, presenting, stacked } from './view/layout.ts'
import { lazy } from './view/lazy.tsx'
import { partTools } from './view/part-tabs.tsx'
import { type BarTool, TopBar } from './view/top-bar.tsx'
// All styles are one file, in which the layout comes after the parts that it arranges.
import './diagram/diagram.css'
import './inspector/inspector.css'
import './stage/stage.css'
import './race/race.css'
import './counts/counts.css'
import './interventions/intervention-panel.css'
import './interventions/choice-card.css'
import './panel/panel.css'
import './view/caption.css'
import './view/legend.css'
import './view/time-bar.css'
import './view/top-bar.css'
import './lessons/lessons.css'
import './formula/formula.css'
import './lessons/lesson.css'
import './view/dialog.css'
import './view/layout.css'

const LessonList = lazy(async () => (await import('./lessons/lesson-list.tsx')).LessonList)
const LessonPlace = lazy(async () => (await import('./lessons/lesson-place.tsx')).LessonPlace)
const Lab = lazy(async () => (await import('./lab.tsx')).Lab)

/** The place that the address names: the list of lessons, one of them, or the lab. */
export function App() {
  const where = place.value
  if (codeQuestion.value !== null) return <ForeignCode {...codeQuestion.value} />
  if (opening.value !== null)
    return (
      <p role="status" class="opening">
        {opening.value}
      </p>
    )
  return (
    <>
      <ProblemNotice />
      {where.name === 'lessons' && <LessonList />}
      {where.name === 'lesson' && (
        // A presentation shows the picture of the lesson, which stays where it was.
        <div hidden={presenting.value}>
          <LessonPlace slug={where.lesson} />
        </div>
      )}
      {(where.name === 'lab' || presenting.value) && <LabWithBar />}
      <ModalDialog />
    </>
  )
}

/** The bar, and the lab below it. */
function LabWithBar() {
  const modes = [
    'lab',
    cramped.value && 'cramped',
    stacked.value && 'stacked',
    (parts.value.size > 0 || coding.value || checking.value || reading.value) && 'with-parts',
    presenting.value && 'presenting',
    embedded && 'embedded',
    coding.value ? 'coding' : checking.value && 'checking',
  ]
  const bare = presenting.value || embedded
  return (
    <div class={modes.filter(Boolean).join(' ')}>
      {bare ? (
        <h1 class="unseen">Conclave</h1>
      ) : (
        <TopBar places={places()} parts={stacked.value ? [] : partTools()} tools={tools()} />
      )}
      <Lab />
    </div>
  )
}

function places(): BarTool[] {
  const lesson = lessonToReturnTo.value
  return [
    {
      name: lesson === null ? 'Lessons' : 'Back to the lesson',
      icon: 'lessons',
      act: () => goTo(lesson ?? { name: 'lessons' }),
      rank: 'first',
    },
    { name: 'Gallery', icon: 'gallery', act: () => showDialog('gallery'), rank: 'first' },
  ]
}

function tools(): BarTool[] {
  // Aggregations do not grow with n.
  const grows = algorithmOfRun(run.value)?.needs != null
  const growth: BarTool = {
    name: 'Growth',
    icon: 'growth',
    act: () => showDialog('growth'),
    rank: 'second',
  }
  return [
    {
      name: 'Compare',
      icon: 'race',
      act: () => showDialog('compare'),
      pressed: compared.value.length > 0,
      rank: 'second',
    },
    ...(grows ? [growth] : []),
    {
      name: 'Check',
      icon: 'check',
      act: toggleChecking,
      pressed: checking.value,
      rank: 'second',
    },
    {
      name: 'Code',
      icon: 'code',
      act: toggleCode,
      pressed: coding.value || reading.value,
      rank: 'second',
    },
    { name: 'Share', icon: 'share', act: () => showDialog('sharing'), rank: 'first' },
    { name: 'Present', icon: 'present', act: () => present(true), key: 'p', rank: 'second' },
    { name: 'Keys', icon: 'keys', act: () => showDialog('keys'), key: '?', rank: 'third' },
  ]
}
