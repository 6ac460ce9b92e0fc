import { STATUSES } from '../engine/events.ts'
import type { Frame } from '../engine/frame.ts'
import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'
import { chosenFlight, chosenNodes, hoveredFlight, hoveredNode } from '../model/selection.ts'
import './inspector.css'

/** The whole state of the node, or the message, that is pointed at or was chosen. */
export function Inspector({ run, player }: { readonly run: Run; readonly player: Player }) {
  run.known.value
  const frame = run.frame(player.step.value)
  const node = hoveredNode.value ?? [...chosenNodes.value].at(-1) ?? null
  const flight = hoveredFlight.value ?? chosenFlight.value
  return (
    <section class="inspector" aria-label="Inspector">
      {frame === null || (node === null && flight === null) ? (
        <p class="hint">Point at a node or a message, or click it.</p>
      ) : node !== null && node < frame.status.length ? (
        <NodeView frame={frame} node={node} />
      ) : flight !== null ? (
        <FlightView frame={frame} flight={flight} />
      ) : null}
    </section>
  )
}

function NodeView({ frame, node }: { readonly frame: Frame; readonly node: number }) {
  const { log, status, state } = frame
  const { ids } = log.world
  const fields = state[node] < 0 ? {} : JSON.parse(log.texts[state[node]])
  return (
    <>
      <h2>
        {ids === null ? `Position ${node}` : `Id ${ids[node]}`}
        {ids !== null && <small> at position {node}</small>}
      </h2>
      <p class="status">{STATUSES[status[node]]}</p>
      <Fields of={fields} />
    </>
  )
}

function FlightView({ frame, flight }: { readonly frame: Frame; readonly flight: number }) {
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
        from position {node} to {peer}, sent in {unit} {at},{' '}
        {Number.isFinite(arrives) ? `arrives in ${unit} ${arrives}` : 'never arrives'}
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
