import type { Player } from '../model/player.ts'
import type { ShownRun } from '../model/run.ts'
import { chosenFlight, chosenNodes } from '../model/selection.ts'
import { STATUS_WORDS, STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import { firstOfMoment } from '../words/describe-moment.ts'
import { nodeLabel, nodeName, sentenceStart } from '../words/names.ts'
import { fieldsOf, type ShownField } from './field-values.ts'
import './inspector.css'

/** The whole state of the chosen node, or the chosen message. */
export function Inspector({ run, player }: { readonly run: ShownRun; readonly player: Player }) {
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
  readonly run: ShownRun
  readonly player: Player
  readonly node: number | null
  readonly flight: number | null
}

/** A separate component, so that playing costs nothing where nothing is chosen. */
function Chosen({ run, player, node, flight }: ChosenProps) {
  run.known.value
  const frame = run.frame(player.step.value)
  if (frame === null) return null
  if (node !== null && node < frame.status.length)
    return <NodeDetails frame={frame} node={node} single={player.single.value} />
  return flight === null ? null : <FlightDetails frame={frame} flight={flight} />
}

interface NodeProps {
  readonly frame: RunFrame
  readonly node: number
  /** Changes are those of the last event, not of its whole moment. */
  readonly single?: boolean
}

/** The whole state of a node; what has just changed is marked, with its former value. */
export function NodeDetails({ frame, node, single = false }: NodeProps) {
  const { log, state } = frame
  const now = stateAt(frame, state[node])
  const before = formerState(frame, node, single)
  return (
    <>
      <h2>
        {sentenceStart(
          log.world.ids === null ? nodeName(frame, node) : `node ${nodeLabel(frame, node)}`,
        )}
        {log.world.ids !== null && <small> at position {node}</small>}
      </h2>
      <p class="status">{statusOf(frame, node)}</p>
      <Fields fields={fieldsOf(frame, now, before)} />
    </>
  )
}

function stateAt({ log }: RunFrame, state: number): Readonly<Record<string, unknown>> {
  return state < 0 ? {} : JSON.parse(log.texts[state])
}

/** The state of a node before its last steps, if these belong to the last event or moment. */
function formerState(frame: RunFrame, node: number, single: boolean) {
  const { log, step } = frame
  if (step === 0) return null
  const first = single ? step - 1 : firstOfMoment(log, step)
  let last = step - 1
  while (last >= first && log.nodeOf(last) !== node) last--
  if (last < first) return null
  let former = first - 1
  while (former >= 0 && step - former < LOOKED_BACK && log.nodeOf(former) !== node) former--
  const known = former >= 0 && log.nodeOf(former) === node
  return known ? stateAt(frame, log.state.at(former)) : null
}

/** The former state of a node is looked for in so many steps. */
const LOOKED_BACK = 20_000

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
  const content = body === '' ? {} : JSON.parse(body)
  return (
    <>
      <h2>
        {type} <small>message {message}</small>
      </h2>
      <p>
        from {nodeName(frame, node)} to {nodeName(frame, peer)}, sent at {unit} {at},{' '}
        {Number.isFinite(arrives) ? `arrives at ${unit} ${arrives}` : 'never arrives'}
      </p>
      <Fields fields={fieldsOf(frame, content, null)} />
    </>
  )
}

function Fields({ fields }: { readonly fields: readonly ShownField[] }) {
  return (
    <dl class="fields">
      {fields.map(({ name, text, former }) => (
        <div key={name} class={former === null ? '' : 'changed'}>
          <dt>{name}</dt>
          <dd>
            {former !== null && (
              <>
                <s>{former}</s> <span aria-hidden="true">→</span> <span class="unseen">now </span>
              </>
            )}
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}
