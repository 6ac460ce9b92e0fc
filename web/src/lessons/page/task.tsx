import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { TaskChecker } from '../../checker/checking.tsx'
import { branches, run } from '../../model/lab.ts'
import { Icon } from '../../view/icon.tsx'
import { lazy } from '../../view/lazy.tsx'
import { checkGoal, type GoalFinding } from '../checking/goal-check.ts'
import { isOfChecker } from '../format/goal.ts'
import { isOfPicture, type LessonTask } from '../format/lesson.ts'
import { doneIn, markDone } from '../progress.ts'
import { Prose } from './prose.tsx'
import { DoneTick } from './question.tsx'
import {
  checkFigures,
  engaged,
  holding,
  lessonRunOf,
  shownPart,
  showPart,
  showSolution,
  solutionShown,
  taskDone,
  worked,
} from './shown-part.ts'
import { TaskFields } from './task-fields.tsx'

const ProofPanel = lazy(async () => (await import('../../prover/proof-panel.tsx')).ProofPanel)

/** Help is offered after so many milliseconds, or after so many tries. */
const PATIENCE = 30_000
const TRIES = 3

interface Props {
  readonly lesson: string
  readonly part: number
  readonly exercise: number
  readonly task: LessonTask
}

/** Something to bring about in the picture: what may be changed, and what is still missing. */
export function TaskCard({ lesson, part, exercise, task }: Props) {
  const id = useId()
  const shown = shownPart.value?.lesson === lesson && shownPart.value.part === part
  const done = doneIn(lesson).includes(exercise)
  const card = useRef<HTMLElement>(null)
  const start = () => {
    holding(card.current, () => showPart(lesson, part, task))
    engaged.value = true
  }
  const findings = shown && wasTried(task) ? findingsOf(task) : null
  const reached = findings?.every(({ met }) => met) ?? false

  useEffect(() => {
    if (shown) taskDone.value = reached
    if (reached && !solutionShown.value) markDone(lesson, exercise)
  }, [reached])

  return (
    <section
      ref={card}
      class="exercise task"
      aria-labelledby={`${id}-kind`}
      onFocusCapture={() => {
        if (shown) engaged.value = true
      }}
    >
      <p class="kind" id={`${id}-kind`}>
        <Icon name="settings" />
        Task
        {done && <DoneTick />}
      </p>
      <div class="asked">
        <Prose markdown={task.text} />
      </div>
      {!shown ? (
        <button type="button" class="primary" onClick={start}>
          <Icon name="play" />
          {done ? 'Do it again' : 'Begin'}
        </button>
      ) : (
        <TaskWork {...{ task, findings, reached, start }} />
      )}
    </section>
  )
}

/** Whether something was changed, explored or proved since the task began. */
function wasTried({ actions }: LessonTask): boolean {
  const computes = actions.includes('explore') || actions.includes('prove')
  return worked.value || (computes && checkFigures.value !== null)
}

/** A task that has begun: its tools, what is still missing, and in the end why it works. */
function TaskWork(props: {
  readonly task: LessonTask
  readonly findings: ReturnType<typeof findingsOf> | null
  readonly reached: boolean
  readonly start: () => void
}) {
  const { task, findings, reached, start } = props
  const { actions, fields, goal, explanation } = task
  return (
    <>
      {fields.length > 0 && <TaskFields fields={fields} />}
      {actions.includes('explore') && (
        <TaskChecker worst={goal.some(([name]) => name === 'worst')} />
      )}
      {actions.includes('prove') && <TaskProver task={task} />}
      {actions.some(isOfPicture) && !worked.value && (
        <p class="note">Play to the moment that you want, pause, and click in the picture.</p>
      )}
      <Findings findings={findings} />
      {reached && (
        <div class="success" role="status">
          <p class="outcome right">
            <Icon name="holds" />
            {solutionShown.value ? 'One way to do it' : 'Done'}
          </p>
          <Prose markdown={explanation} />
        </div>
      )}
      <p class="bar">
        <button type="button" class="small" disabled={!wasTried(task)} onClick={start}>
          <Icon name="undo" />
          Reset
        </button>
        {!reached && <Help task={task} />}
      </p>
    </>
  )
}

/** The proof of an algorithm, at first without the clauses that its definition states. */
function TaskProver({ task: { scenario } }: { readonly task: LessonTask }) {
  const algorithm = String(scenario.algorithm)
  return (
    <div class="checker">
      <ProofPanel
        subject={() => ({ algorithm, code: null })}
        about={String(run.value.serial)}
        bare
      />
    </div>
  )
}

/** What the engine finds; null while it computes. */
function findingsOf({ goal }: LessonTask): GoalFinding[] | null {
  const needsRun = goal.some(([quantity]) => !isOfChecker(quantity))
  const ended = lessonRunOf(run.value)
  if (needsRun && ended === null) return null
  return checkGoal(goal, ended, checkFigures.value)
}

/** What holds already and what is missing; nothing before the first try. */
function Findings({ findings }: { readonly findings: readonly GoalFinding[] | null }) {
  if (findings === null) return null
  return (
    <ul class="findings" aria-label="What the engine finds" aria-live="polite">
      {findings.map(({ quantity, met, text }) => (
        <li key={quantity} class={met ? 'finding met' : 'finding open'}>
          <Icon name={met ? 'holds' : 'minus'} />
          <span>
            {text}
            <span class="unseen">{met ? ' As wanted.' : ''}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A hint after a while, and a solution a while after that. */
function Help({ task }: { readonly task: LessonTask }) {
  const level = useSignal(0)
  const waited = useSignal(0)
  const tries = useSignal(0)
  useEffect(() => {
    const timer = setTimeout(() => {
      waited.value = level.value + 1
    }, PATIENCE)
    return () => clearTimeout(timer)
  }, [level.value])
  useSignalEffect(() => {
    branches.value
    tries.value = tries.peek() + 1
  })
  const offered = waited.value > level.value || tries.value > TRIES * (level.value + 1)
  const hinted = level.value > 0 || task.hint === null
  return (
    <>
      {level.value > 0 && task.hint !== null && (
        <span class="hint-text">
          <Prose markdown={task.hint} />
        </span>
      )}
      {offered && !hinted && (
        <button
          type="button"
          class="small"
          onClick={() => {
            level.value = 1
          }}
        >
          <Icon name="info" />
          Hint
        </button>
      )}
      {offered && hinted && task.solution !== null && (
        <button type="button" class="small" onClick={() => void showSolution(task)}>
          Show a solution
        </button>
      )}
    </>
  )
}
