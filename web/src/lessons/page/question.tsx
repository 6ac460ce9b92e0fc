import { type Signal, useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { ShownRun } from '../../model/run.ts'
import { Icon } from '../../view/icon.tsx'
import { judgeNumber, type Nearness, quantityText, rightChoices } from '../checking/goal-check.ts'
import { type QuantityValue, quantityOf } from '../checking/quantities.ts'
import type { LessonQuestion } from '../format/lesson.ts'
import { doneIn, markDone } from '../progress.ts'
import { Inline, Prose } from './prose.tsx'
import { holding, lessonRunOf, shownPart, showScenario } from './shown-part.ts'

interface Props {
  readonly lesson: string
  /** The number of the part of the lesson, and that of the exercise. */
  readonly part: number
  readonly exercise: number
  readonly question: LessonQuestion
}

/** What was predicted, and the answer once it is revealed. */
function usePrediction(question: LessonQuestion) {
  const predicted = useSignal('')
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  const value = useSignal<QuantityValue | undefined>(undefined)
  const asking = useSignal(false)
  return {
    predicted,
    chosen,
    value,
    asking,
    async reveal() {
      const { answer } = question
      asking.value = true
      const computed = typeof answer === 'string' ? await computedAnswer(question) : answer
      asking.value = false
      value.value = computed
    },
    pick(index: number, several: boolean) {
      const next = new Set(several ? chosen.value : [])
      if (!next.delete(index)) next.add(index)
      chosen.value = next
    },
    again() {
      value.value = undefined
      chosen.value = new Set()
      predicted.value = ''
    },
  }
}

/** A prediction: asked first, then answered by the engine. */
export function QuestionCard({ lesson, part, exercise, question }: Props) {
  const id = useId()
  const card = useRef<HTMLFormElement>(null)
  const { predicted, chosen, value, asking, reveal, pick, again } = usePrediction(question)
  const { choices, answer, scenario } = question
  const several = choices.filter(({ right }) => right).length > 1
  const open = value.value === undefined

  const check = async () => {
    await reveal()
    markDone(lesson, exercise)
    // The picture shows the run that was asked about.
    if (scenario !== null && typeof answer === 'string' && shownPart.value?.scenario !== scenario)
      holding(card.current, () => showScenario(lesson, part, scenario))
  }

  return (
    <form
      ref={card}
      class="exercise question"
      aria-labelledby={`${id}-kind`}
      onSubmit={(event) => {
        event.preventDefault()
        void check()
      }}
    >
      <p class="kind" id={`${id}-kind`}>
        <Icon name="question" />
        Question
        {doneIn(lesson).includes(exercise) && <DoneTick />}
      </p>
      <div class="asked" id={`${id}-asked`}>
        <Prose markdown={question.text} />
      </div>
      {choices.length > 0 ? (
        <Choices
          question={question}
          several={several}
          open={open}
          chosen={chosen.value}
          right={open ? [] : rightChoices(question, value.value ?? null)}
          onPick={(index) => pick(index, several)}
        />
      ) : (
        open && <Prediction predicted={predicted} about={`${id}-asked`} />
      )}
      {open ? (
        <button
          type="submit"
          class="primary"
          disabled={asking.value || (choices.length > 0 && chosen.value.size === 0)}
        >
          {asking.value ? 'The engine computes…' : 'Check'}
        </button>
      ) : (
        <Revealed
          question={question}
          chosen={chosen.value}
          value={value.value ?? null}
          predicted={Number(predicted.value)}
          again={again}
        />
      )}
    </form>
  )
}

function Choices(props: {
  readonly question: LessonQuestion
  readonly several: boolean
  readonly open: boolean
  readonly chosen: ReadonlySet<number>
  readonly right: readonly boolean[]
  readonly onPick: (index: number) => void
}) {
  const { question, several, open, chosen, right, onPick } = props
  const name = useId()
  return (
    <ul class="choices">
      {question.choices.map(({ text }, i) => (
        <li key={i} class={open ? '' : right[i] ? 'right' : chosen.has(i) ? 'wrong' : ''}>
          <label>
            <input
              type={several ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.has(i)}
              disabled={!open}
              onChange={() => onPick(i)}
            />
            <span>
              <Inline markdown={text} />
            </span>
            {!open && right[i] && <Icon name="holds" />}
          </label>
        </li>
      ))}
    </ul>
  )
}

/** The number that is guessed, about the text with that id. */
function Prediction(props: { readonly predicted: Signal<string>; readonly about: string }) {
  const { predicted, about } = props
  const id = useId()
  return (
    <p class="prediction-row">
      <label for={id}>Your prediction</label>
      <input
        id={id}
        class="field"
        type="number"
        step="any"
        required
        aria-describedby={about}
        value={predicted.value}
        onInput={({ currentTarget }) => {
          predicted.value = currentTarget.value
        }}
      />
    </p>
  )
}

const WORDS: Readonly<Record<Nearness, string>> = {
  right: 'Right.',
  near: 'Close enough.',
  wrong: 'Not quite.',
}

interface OutcomeProps {
  readonly question: LessonQuestion
  readonly value: QuantityValue
  readonly predicted: number
  readonly chosen: ReadonlySet<number>
}

/** The outcome with its explanation. */
function Revealed({ again, ...outcome }: OutcomeProps & { readonly again: () => void }) {
  return (
    <div class="revealed" role="status">
      <Outcome {...outcome} />
      <Prose markdown={outcome.question.explanation} />
      <button type="button" class="again small flat" onClick={again}>
        <Icon name="undo" />
        Ask me again
      </button>
    </div>
  )
}

function Outcome({ question, value, predicted, chosen }: OutcomeProps) {
  if (question.choices.length > 0) {
    const right = rightChoices(question, value).every((one, i) => one === chosen.has(i))
    return (
      <p class={right ? 'outcome right' : 'outcome wrong'}>{WORDS[right ? 'right' : 'wrong']}</p>
    )
  }
  const nearness = judgeNumber(predicted, Number(value), question)
  return (
    <p class={`outcome ${nearness}`}>
      {WORDS[nearness]} It is <strong>{quantityText(value)}</strong>
      {nearness === 'right' ? '.' : `; you said ${quantityText(predicted)}.`}
    </p>
  )
}

/** The answer of the engine. */
async function computedAnswer({ answer, scenario }: LessonQuestion): Promise<QuantityValue> {
  if (typeof answer !== 'string' || scenario === null) return answer
  const run = new ShownRun(scenario)
  const ended = await new Promise<ReturnType<typeof lessonRunOf>>((resolve) => {
    const end = run.result.subscribe((result) => {
      if (result === null) return
      queueMicrotask(() => end())
      resolve(lessonRunOf(run))
    })
  })
  run.end()
  return quantityOf(answer, ended)
}

export function DoneTick() {
  return (
    <span class="tick">
      <Icon name="holds" />
      done
    </span>
  )
}
