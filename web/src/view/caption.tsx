import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'
import { exhibitOf } from '../panel/gallery.ts'
import { describeMoment, type MomentDescription } from './describe-moment.ts'
import { describeStep } from './describe-step.ts'
import { cramped } from './layout.ts'
import './caption.css'

/** How long a sentence stays while playing, in milliseconds. */
const READING = 350
const READING_NOTABLE = 1600

/** One sentence about the current moment; screen readers get each step while paused. */
export function Caption({ run, player }: { readonly run: Run; readonly player: Player }) {
  const description = useSignal<MomentDescription | null>(null)
  const until = useRef(0)
  const later = useRef(0)
  useSignalEffect(() => {
    run.known.value
    const frame = run.frame(player.step.value)
    const result = run.result.value
    clearTimeout(later.current)
    if (frame === null) return
    const next = describeMoment(frame, result)
    const show = () => {
      if (next.text === description.peek()?.text) return
      description.value = next
      until.current = performance.now() + (next.notable ? READING_NOTABLE : READING)
    }
    const wait = until.current - performance.now()
    // Notable sentences replace routine ones at once; the others wait until they can be read.
    if (player.playing.value && wait > 0 && !(next.notable && !description.peek()?.notable))
      later.current = window.setTimeout(show, wait)
    else show()
  })
  useEffect(() => () => clearTimeout(later.current), [])
  const exhibit = exhibitOf(run.scenario)
  const waiting = run.refusal.value === null ? 'The run is being computed.' : 'Nothing happens.'
  return (
    <div class={description.value?.grave ? 'caption grave' : 'caption'}>
      <p class="now" title={cramped.value ? (description.value?.text ?? '') : ''}>
        {description.value?.text ?? waiting}
      </p>
      {exhibit !== null && (
        <p class="watch">
          <strong>{exhibit.title}.</strong> {exhibit.watch}
        </p>
      )}
      <p class="unseen" aria-live="polite">
        <Spoken run={run} player={player} />
      </p>
    </div>
  )
}

/** The last step in words, while paused. */
function Spoken({ run, player }: { readonly run: Run; readonly player: Player }) {
  const log = run.log.value
  const step = player.step.value
  if (player.playing.value || log === null || step === 0 || step > run.known.value) return null
  return <>{`Step ${step}: ${describeStep(log, step - 1)}`}</>
}
