import { STATUS_WORDS, STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import './inspector.css'

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

/** A message under way: from where to where, when, and all that it carries. */
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
