import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { algorithmOfRun } from '../model/algorithm-list.ts'
import type { Player } from '../model/player.ts'
import { isSecret, isUnguessed } from '../model/prediction.ts'
import type { ShownRun } from '../model/run.ts'
import { chosenFlight, chosenNodes } from '../model/selection.ts'
import { exhibitOf } from '../panel/gallery.ts'
import { STATUS_WORDS, STATUSES } from '../recording/events.ts'
import { describeMoment, type MomentDescription } from '../words/describe-moment.ts'
import { describeStep, flightName } from '../words/describe-step.ts'
import { nodeName, sentenceStart } from '../words/names.ts'
import { cramped } from './layout.ts'
import './caption.css'

/** How long a sentence stays while playing, in milliseconds: it never lags behind the clock. */
const READING = 250

interface Props {
  readonly run: ShownRun
  readonly player: Player
}

/** A sentence and the number of steps after which it was true. */
interface Told extends MomentDescription {
  readonly step: number
}

/** What just happened and why; screen readers get each step while paused. */
export function Caption({ run, player }: Props) {
  const description = useSignal<Told | null>(null)
  /** The last important sentence: it stays while the play goes on. */
  const important = useSignal<Told | null>(null)
  const until = useRef(0)
  const later = useRef(0)
  useSignalEffect(() => {
    run.known.value
    run.result.value
    player.step.value
    player.single.value
    clearTimeout(later.current)
    const show = () => {
      const frame = run.frame(player.step.peek())
      if (frame === null) return
      const { step } = frame
      const context = {
        result: run.result.peek(),
        single: player.single.peek(),
        unnoticed: unnoticedCrash(run),
      }
      const next = { ...describeMoment(frame, context), step }
      const former = important.peek()
      if (next.notable || (former !== null && former.step > step))
        important.value = next.notable ? next : null
      if (next.text === description.peek()?.text) return
      description.value = next
      until.current = performance.now() + READING
    }
    const wait = until.current - performance.now()
    if (player.playing.value && wait > 0) later.current = window.setTimeout(show, wait)
    else show()
  })
  useEffect(() => () => clearTimeout(later.current), [])
  const secret = isSecret(run, player)
  const exhibit = secret ? null : exhibitOf(run.scenario)
  const waiting = run.refusal.value === null ? 'The run is being computed.' : 'Nothing happens.'
  const text = isUnguessed()
    ? 'What will happen? Guess first, then watch.'
    : (description.value?.text ?? waiting)
  const before = important.value
  const remembered = player.playing.value && before !== null && before.text !== text
  return (
    <div class={description.value?.grave ? 'caption grave' : 'caption'}>
      <p class="now" title={cramped.value ? text : ''}>
        {text}
      </p>
      {remembered ? (
        <p class="watch">{before.text}</p>
      ) : (
        exhibit !== null && (
          <p class="watch">
            <strong>{exhibit.title}.</strong> {exhibit.watch}
          </p>
        )
      )}
      <p class="unseen" aria-live="polite">
        <SpokenStep run={run} player={player} />
      </p>
      <p class="unseen" aria-live="polite">
        <SpokenChoice run={run} player={player} />
      </p>
    </div>
  )
}

/** The last step in words, while paused. */
function SpokenStep({ run, player }: Props) {
  const step = player.step.value
  if (player.playing.value || step === 0 || step > run.known.value) return null
  const frame = run.frame(step)
  return frame === null ? null : `Step ${step}: ${describeStep(frame)}`
}

/** The chosen node or message in words, as far as it was chosen while paused. */
function SpokenChoice({ run, player }: Props) {
  const node = [...chosenNodes.value].at(-1)
  const flight = chosenFlight.value
  if (player.playing.value || (node === undefined && flight === null)) return null
  const frame = run.frame(player.step.value)
  if (frame === null) return null
  if (flight !== null) return `Chosen: ${flightName(frame, flight)}.`
  if (node === undefined || node >= frame.status.length) return null
  const status = STATUS_WORDS[STATUSES[frame.status[node]]]
  return `Chosen: ${sentenceStart(nodeName(frame, node))}, ${status}.`
}

/** Why no node of a run notices a crash; null where a failure detector reports it. */
function unnoticedCrash(run: ShownRun): string | null {
  const entry = algorithmOfRun(run)
  const whole = run.whole.value
  if (!entry?.needs || whole === null) return null
  if (!entry.detects) return 'Nobody notices: the algorithm uses no failure detector.'
  return 'detect' in whole && whole.detect === 'off'
    ? 'Nobody notices: this scenario has no failure detector.'
    : null
}
