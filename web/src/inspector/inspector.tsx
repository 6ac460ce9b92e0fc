import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'
import { chosenFlight, chosenNodes } from '../model/selection.ts'
import { STATUS_WORDS, STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import './inspector.css'

/** The whole state of the chosen node, or the chosen message. */
export function Inspector({ run, player }: { readonly run: Run; readonly player: Player }) {
  const node = [...chosenNodes.value].at(-1) ?? null
  const flight = chosenFlight.value
  return (
    <section class="inspector details" aria-label="Inspector">
      {node === null && flight === null ? (
        <p class="hint">Point at a node or a message to see all of it; a click keeps it here.</p>
      ) : (
        <Chosen run={run} player={player} node={node} flight={flight} />
      )}
    </section>
  )
}

interface ChosenProps {
  readonly run: Run
  readonly player: Player
  readonly node: number | null
  readonly flight: number | null
}

/** A separate component, so that playing costs nothing where nothing is chosen. */
function Chosen({ run, player, node, flight }: ChosenProps) {
  run.known.value
  const frame = run.frame(player.step.value)
  if (frame === null) return null
  if (node !== null && node < frame.status.length) return <NodeDetails frame={frame} node={node} />
  return flight === null ? null : <FlightDetails frame={frame} flight={flight} />
}

/** The whole state of a node. */
export function NodeDetails({ frame, node }: { readonly frame: RunFrame; readonly node: number }) {
  const { log, state } = frame
  const { ids } = log.world
  const fields = state[node] < 0 ? {} : JSON.parse(log.texts[state[node]])
  return (
    <>
      <h2>
        {ids === null ? `Position ${node}` : `Id ${ids[node]}`}
        {ids !== null && <small> at position {node}</small>}
      </h2>
      <p class="status">{statusOf(frame, node)}</p>
      <Fields of={fields} />
    </>
  )
}

function statusOf({ status, leader }: RunFrame, node: number): string {
  const word = STATUS_WORDS[STATUSES[status[node]]]
  const follows = !Number.isNaN(leader[node]) && STATUSES[status[node]] === 'lost'
  return follows ? `${word}, follows ${leader[node]}` : word
}

/** A message in flight: sender, receiver, times and content. */
export function FlightDetails({
  frame,
  flight,
}: {
  readonly frame: RunFrame
  readonly flight: number
}) {
  const { log } = frame
  if (flight >= log.sending.length) return null
  const { type, body, node, peer, at, message } = log.event(log.sending.at(flight))
  const arrives = log.arrival(flight)
  const { unit } = log.world
  return (
    <>
      <h2>
        {type} <small>message {message}</small>
      </h2>
      <p>
        from position {node} to {peer}, sent at {unit} {at},{' '}
        {Number.isFinite(arrives) ? `arrives at ${unit} ${arrives}` : 'never arrives'}
      </p>
      <Fields of={body === '' ? {} : JSON.parse(body)} />
    </>
  )
}

function Fields({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="fields">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
