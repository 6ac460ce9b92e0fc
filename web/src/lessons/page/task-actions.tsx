import { OfferButtons } from '../../interventions/intervention-panel.tsx'
import {
  deliverable,
  flightOffers,
  type InterventionOffer,
  nextOffer,
  nodeOffers,
} from '../../interventions/interventions.ts'
import { changeRun, failure, momentFor, pendingChange } from '../../model/fork.ts'
import { player, run } from '../../model/lab.ts'
import { chosenFlight, chosenNodes } from '../../model/selection.ts'
import type { RunFrame } from '../../recording/frame.ts'

import { flightName } from '../../words/describe-step.ts'
import { sentenceStart } from '../../words/names.ts'

import type { TaskAction } from '../format/lesson.ts'

/** At most this many messages are offered. */
const MESSAGES_OFFERED = 8

/** What may be done in the picture of a task: buttons for what is chosen there. */
export function TaskActions({ actions }: { readonly actions: readonly TaskAction[] }) {
  run.value.known.value
  const frame = run.value.frame(player.step.value)
  if (frame === null) return null
  const offers = offersOf(frame, new Set(actions))
  return (
    <section class="task-actions" aria-label="What you can do here">
      {offers.length === 0 ? (
        <p class="note">{invitation(actions)}</p>
      ) : (
        <OfferButtons offers={offers}>
          {chosenFlight.value !== null && (
            <span class="note">{sentenceStart(flightName(frame, chosenFlight.value))}:</span>
          )}
        </OfferButtons>
      )}
      {actions.includes('next') && <NextMessages frame={frame} />}
      <p role="status" class="note">
        {pendingChange.value !== null && `Simulating: ${pendingChange.value}`}
        {failure.value?.run === run.value && (
          <span class="error">This is not possible. {failure.value.words}</span>
        )}
      </p>
    </section>
  )
}

function invitation(actions: readonly TaskAction[]): string {
  const nodes = actions.some((one) => ['crash', 'recover', 'wake', 'cut', 'restore'].includes(one))
  const messages = actions.some((one) => ['drop', 'delay'].includes(one))
  if (nodes && messages) return 'Click a node or a message.'
  if (messages) return 'Click a message.'
  return nodes || actions.includes('partition') ? 'Click a node.' : ''
}

const NAMES: Readonly<Record<string, TaskAction>> = { mend: 'restore' }

function offersOf(frame: RunFrame, allowed: ReadonlySet<TaskAction>): InterventionOffer[] {
  const flight = chosenFlight.value
  const nodes = chosenNodes.value
  if (flight !== null && frame.open.has(flight)) {
    const [drop, delay] = flightOffers(frame, flight, 5)
    const at = momentFor(frame.log, frame.step, player.time.value, flight)
    return [
      ...(allowed.has('drop') ? [drop] : []),
      ...(allowed.has('delay') ? [delay] : []),
      ...(allowed.has('next') ? [nextOffer(frame, flight, at)] : []),
    ]
  }
  const chosen = nodeOffers(frame, nodes)
  const [only] = nodes
  // Two neighbours need not be chosen for a link: the links of the chosen node are offered.
  const links =
    nodes.size === 1 && (allowed.has('cut') || allowed.has('restore'))
      ? [...frame.status.keys()]
          .filter((other) => other !== only)
          .flatMap((other) => nodeOffers(frame, new Set([only, other])))
          .filter(({ action }) => action.what === 'cut' || action.what === 'mend')
          .slice(0, MESSAGES_OFFERED)
      : []
  return [...chosen, ...links].filter(({ action: { what } }) =>
    allowed.has(NAMES[what] ?? (what as TaskAction)),
  )
}

/** The messages that could arrive next: one of each link. */
function NextMessages({ frame }: { readonly frame: RunFrame }) {
  if (player.playing.value) return <p class="note">Pause to choose what arrives next.</p>
  const { log } = frame
  const waiting = deliverable(frame)
  if (waiting.length === 0) return <p class="note">No message is in flight now.</p>
  return (
    <>
      <h3>What arrives next?</h3>
      <ul class="next-messages">
        {waiting.slice(0, MESSAGES_OFFERED).map((flight) => {
          const at = momentFor(log, frame.step, player.time.value, flight)
          const { action, words } = nextOffer(frame, flight, at)
          return (
            <li key={flight}>
              <button type="button" class="small" onClick={() => changeRun(action, words, flight)}>
                {sentenceStart(flightName(frame, flight))}
              </button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
