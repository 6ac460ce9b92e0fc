import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TransitionJson } from '../../../src/check/index.ts'
import { belongsToControl } from '../keys/keys.ts'
import { Icon } from '../view/icon.tsx'
import type { SearchFailure } from './exploration.ts'
import { showSimulated, simulatedScenario } from './opened-run.ts'
import { isFault, transitionWords } from './transition-words.ts'
import { cursor, here, take, taken, type Walk, walk, walkFailure, walkTo } from './walk.ts'

/** The events that can happen next, as buttons; the path so far; and the way back. */
export function NextEvents() {
  useEffect(listenToDigits, [])
  const { value } = walk
  return (
    <section class="next-events" aria-label="What can happen next">
      <h3>What can happen next</h3>
      <FailureNote failure={walkFailure.value} />
      {value !== null && (
        <>
          <Path {...value} />
          <Choices {...value} />
        </>
      )}
    </section>
  )
}

/** What went wrong, with the line of own code. */
export function FailureNote({ failure }: { readonly failure: SearchFailure | null }) {
  if (failure === null) return null
  return (
    <p class="error" role="alert">
      {failure.line !== undefined && `Line ${failure.line}: `}
      {failure.message}
    </p>
  )
}

/** The transitions so far, each a way back to it. */
function Path({ walked, world, subject }: Walk) {
  const at = cursor.value
  const why = useSignal<string | null>(null)
  const simulate = async () => {
    why.value = null
    const { scenario, why: reason } = await simulatedScenario(subject, taken.value, null)
    if (scenario === null) why.value = reason
    else showSimulated(subject, scenario, 'what was walked through')
  }
  return (
    <>
      <p class="bar">
        <button type="button" class="small" disabled={at === 0} onClick={() => walkTo(at - 1)}>
          <Icon name="left" /> Back
        </button>
        <button type="button" class="small" disabled={at === 0} onClick={() => walkTo(0)}>
          To the beginning
        </button>
        {at > 0 && (
          <button
            type="button"
            class="small"
            title="As a run that can be changed"
            onClick={simulate}
          >
            Simulate it
          </button>
        )}
        <span class="note">{at === 0 ? 'the initial state' : `after ${at}`}</span>
      </p>
      {why.value !== null && (
        <p role="status" class="note">
          The simulator cannot do this: {why.value}.
        </p>
      )}
      {walked.transitions.length > 0 && (
        <ol class="path" aria-label="The path so far">
          {walked.transitions.map((transition, i) => (
            <li key={i} class={i < at ? '' : 'undone'}>
              <button
                type="button"
                class="small"
                aria-current={i + 1 === at ? 'step' : undefined}
                onClick={() => walkTo(i + 1)}
              >
                {transitionWords(transition, world)}
              </button>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

/** At most nine can be chosen by a digit. */
const DIGITS = 9

function Choices({ world, walked }: Walk) {
  const { value } = here
  if (value === null) return <p class="note">…</p>
  const { next, ends, violated } = value
  const ahead = JSON.stringify(walked.transitions[cursor.value])
  const [steps, faults] = ordered(next)
  const button = (transition: TransitionJson, digit: number) => (
    <li key={JSON.stringify(transition)}>
      <button
        type="button"
        class={JSON.stringify(transition) === ahead ? 'choice ahead' : 'choice'}
        onClick={() => void take(transition)}
      >
        {digit <= DIGITS && <kbd>{digit}</kbd>}
        {transitionWords(transition, world)}
      </button>
    </li>
  )
  return (
    <>
      {violated !== null && violated.after <= cursor.value && (
        <p class="broken" role="status">
          <Icon name="violation" /> Violated: {violated.property}.
        </p>
      )}
      {steps.length > 0 && <ul class="choices">{steps.map((one, i) => button(one, i + 1))}</ul>}
      {faults.length > 0 && (
        <>
          <h4>Faults</h4>
          <ul class="choices">{faults.map((one, i) => button(one, steps.length + i + 1))}</ul>
        </>
      )}
      {next.length === 0 && <p>Nothing more can happen: the run ends here.</p>}
      {ends && next.length > 0 && <p class="note">The run may also end here.</p>}
    </>
  )
}

/** What the algorithm does first, then faults. */
function ordered(next: readonly TransitionJson[]): [TransitionJson[], TransitionJson[]] {
  return [next.filter((one) => !isFault(one)), next.filter(isFault)]
}

/** The keys 1 to 9 choose what happens next; Backspace goes back. */
function listenToDigits(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event)) return
    if (event.key === 'Backspace' && taken.value.length > 0) walkTo(cursor.value - 1)
    else if (/^[1-9]$/.test(event.key) && here.value !== null) {
      const choice = ordered(here.value.next).flat()[Number(event.key) - 1]
      if (choice === undefined) return
      void take(choice)
    } else return
    event.preventDefault()
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}
