import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { changeRun, failure, momentFor, pendingChange } from '../model/fork.ts'
import type { Player } from '../model/player.ts'
import type { ShownRun } from '../model/run.ts'
import { chooseNothing, chosenFlight, chosenNodes, drawing } from '../model/selection.ts'
import type { RunFrame } from '../recording/frame.ts'
import { Icon } from '../view/icon.tsx'
import { arrivalWords, momentName } from '../words/describe-step.ts'
import { sentenceStart } from '../words/names.ts'
import { Branches } from './branches.tsx'
import {
  deliverable,
  flightOffers,
  type InterventionOffer,
  nextOffer,
  nodeOffers,
} from './interventions.ts'
import './intervention-panel.css'

const RECORDING =
  'This is a recording: its events are shown as they were written down, and nothing can be changed in it.'
const MEETINGS =
  'Here nodes only meet: there is no message to drop and no crash. Try another network or another setting.'
/** At most this many pending messages are listed. */
const MESSAGES_LISTED = 200

/** The interventions that are possible at this moment, and the branches. */
export function InterventionPanel({
  run,
  player,
}: {
  readonly run: ShownRun
  readonly player: Player
}) {
  run.known.value
  const frame = run.frame(player.step.value)
  if (frame === null) return null
  const { unit } = frame.log.world
  const cycles = unit === 'cycle'
  if (run.recording !== null || unit === 'interaction')
    return (
      <section class="interventions" aria-label="Break it">
        <h2>Break it</h2>
        <p class="hint">{run.recording === null ? MEETINGS : RECORDING}</p>
        <Branches />
      </section>
    )
  return (
    <section class="interventions" aria-label="Break it">
      <h2>Break it</h2>
      <Offers frame={frame} player={player} />
      <p role="status" class="note">
        {pendingChange.value !== null && `Simulating: ${pendingChange.value}`}
        {failure.value?.run === run && (
          <span class="error">This is not possible. {failure.value.words}</span>
        )}
      </p>
      <p class="bar">
        <button
          type="button"
          class="small"
          aria-pressed={drawing.value}
          title="Then drag a line across the stage"
          onClick={() => {
            drawing.value = !drawing.value
          }}
        >
          Partition by a line
        </button>
        {frame.cut.size > 0 && frame.log.world.walk === undefined && (
          <button
            type="button"
            class="small"
            onClick={() => changeRun({ what: 'heal' }, 'partitions are healed')}
          >
            Heal partitions
          </button>
        )}
      </p>
      {!cycles && <Pending frame={frame} player={player} />}
      <Branches />
    </section>
  )
}

/** What can be done to the chosen nodes, link or message. */
export function Offers({ frame, player }: { readonly frame: RunFrame; readonly player: Player }) {
  const later = useSignal(5)
  const flight = chosenFlight.value
  const nodes = chosenNodes.value
  if (flight !== null && frame.open.has(flight)) {
    const at = momentFor(frame.log, frame.step, player.time.value, flight)
    const rounds = frame.log.world.unit === 'round'
    const offers = flightOffers(frame, flight, later.value)
    return (
      <>
        <label class="bar">
          Delay{' '}
          <input
            type="number"
            min={1}
            value={later.value}
            onInput={({ currentTarget }) => {
              later.value = Math.max(1, Number(currentTarget.value) || 1)
            }}
          />
        </label>
        <OfferButtons offers={rounds ? offers : [...offers, nextOffer(frame, flight, at)]} />
      </>
    )
  }
  const offers = nodeOffers(frame, nodes)
  if (offers.length > 0) return <OfferButtons offers={offers} />
  return (
    <p class="hint">
      Click or tap a node to crash it, a link to cut it, a message to drop or delay it; with Shift
      several nodes.
    </p>
  )
}

/** A button for each change; what they are about may stand before them. */
export function OfferButtons({
  offers,
  children,
}: {
  readonly offers: readonly InterventionOffer[]
  readonly children?: ComponentChildren
}) {
  return (
    <p class="bar">
      {children}
      {offers.map(({ label, action, words, flight }) => (
        <button
          type="button"
          class="small"
          key={label}
          onClick={() => {
            changeRun(action, words, flight)
            chooseNothing()
          }}
        >
          {label}
        </button>
      ))}
    </p>
  )
}

/** Be the adversary: choose which message arrives next. */
function Pending({ frame, player }: { readonly frame: RunFrame; readonly player: Player }) {
  const { log } = frame
  if (frame.open.size < 2 || log.world.unit === 'round') return null
  // While playing, the list would change with every frame: useless and expensive.
  const pending = player.playing.value ? [] : deliverable(frame).slice(0, MESSAGES_LISTED)
  const offers = pending.map((flight) =>
    nextOffer(frame, flight, momentFor(log, frame.step, player.time.value, flight)),
  )
  const back = offers.some(({ goesBack }) => goesBack)
  return (
    <>
      <h3>Choose what arrives next</h3>
      {player.playing.value && (
        <button type="button" class="small" onClick={() => player.pause()}>
          Pause to choose
        </button>
      )}
      {back && (
        <p class="hint">
          {sentenceStart(momentName(log.world, log.timeOf(frame.step - 1)))} has begun already: what
          is marked <Icon name="undo" /> goes back to before it.
        </p>
      )}
      <ul class="pending" tabIndex={-1}>
        {offers.map(({ action, words, flight, goesBack }) => (
          <li key={flight}>
            <button
              type="button"
              class="small"
              title={goesBack ? 'Goes back to before this moment' : ''}
              onClick={() => changeRun(action, words, flight)}
            >
              {goesBack && <Icon name="undo" />}
              {arrivalWords(frame, flight!)}
            </button>
          </li>
        ))}
      </ul>
      {frame.open.size > MESSAGES_LISTED && pending.length === MESSAGES_LISTED && (
        <p class="hint">There are more messages in flight than can be listed.</p>
      )}
    </>
  )
}
