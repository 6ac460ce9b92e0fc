import { useSignal } from '@preact/signals'
import { change, failure, momentFor, pendingChange } from '../model/fork.ts'
import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'
import { chooseNothing, chosenFlight, chosenNodes, drawing } from '../model/selection.ts'
import type { RunFrame } from '../recording/frame.ts'
import { messageText } from '../stage/messages.ts'
import { Branches } from './branches.tsx'
import {
  deliverable,
  flightOffers,
  type InterventionOffer,
  nextOffer,
  nodeOffers,
} from './interventions.ts'
import './intervention-panel.css'

/** At most this many pending messages are listed. */
const LISTED = 12

/** The interventions that are possible at this moment, and the branches. */
export function InterventionPanel({ run, player }: { readonly run: Run; readonly player: Player }) {
  run.known.value
  const frame = run.frame(player.step.value)
  if (frame === null) return null
  const cycles = frame.log.world.unit === 'cycle'
  if (run.recording !== null)
    return (
      <section class="interventions" aria-label="Break it">
        <h2>Break it</h2>
        <p class="hint">
          This is a recording: its events are shown as they were written down, and nothing can be
          changed in it.
        </p>
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
            onClick={() => change({ what: 'heal' }, 'healing of partitions')}
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

function Offers({ frame, player }: { readonly frame: RunFrame; readonly player: Player }) {
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
      Click a node to crash it, two neighbours (with Shift) to cut their link, a message to drop or
      delay it.
    </p>
  )
}

function OfferButtons({ offers }: { readonly offers: readonly InterventionOffer[] }) {
  return (
    <p class="bar">
      {offers.map(({ label, action, words, flight }) => (
        <button
          type="button"
          class="small"
          key={label}
          onClick={() => {
            change(action, words, flight)
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
  const opened = useSignal(false)
  const { log } = frame
  if (frame.open.size < 2 || log.world.unit === 'round') return null
  // While playing, the list would change with every frame: useless and expensive.
  const wanted = opened.value && !player.playing.value
  const pending = wanted ? deliverable(frame) : []
  return (
    <details
      open={opened.value}
      onToggle={({ currentTarget }) => {
        opened.value = currentTarget.open
      }}
    >
      <summary>Choose what arrives next</summary>
      {opened.value && !wanted && <p class="hint">Pause first.</p>}
      <ul class="pending">
        {pending.slice(0, LISTED).map((flight) => {
          const { type, body, node, peer } = log.event(log.sending.at(flight))
          const at = momentFor(log, frame.step, player.time.value, flight)
          const { action, words } = nextOffer(frame, flight, at)
          return (
            <li key={flight}>
              <button type="button" class="small" onClick={() => change(action, words, flight)}>
                {messageText(type, body)} from {node} to {peer}
              </button>
            </li>
          )
        })}
      </ul>
      {pending.length > LISTED && <p class="hint">and {pending.length - LISTED} more</p>}
    </details>
  )
}
