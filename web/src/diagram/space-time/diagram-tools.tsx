import { type Signal, useSignal } from '@preact/signals'
import { counted } from '../../../../src/core/text-format.ts'
import { type EventMark, isMarked } from '../../../../src/diagram/space-time/history.ts'
import { paintMark } from '../../../../src/diagram/space-time/marks.ts'
import type { RunControls } from '../../model/clock.ts'
import type { ShownRun } from '../../model/run.ts'
import { chooseFlight, chosenNodes } from '../../model/selection.ts'
import { KINDS } from '../../recording/events.ts'
import type { RunLog } from '../../recording/run-log.ts'
import { Canvas } from '../../stage/canvas.tsx'
import { Icon } from '../../view/icon.tsx'
import { theme } from '../../view/theme.ts'
import type { DiagramState } from './diagram-state.ts'
import { LANE_ORDERS, type LaneSorting, wholeSpan } from './lanes.ts'
import { coloursOf } from './live-diagram.ts'
import { nextFound } from './message-search.ts'

interface Props {
  readonly run: ShownRun
  readonly player: RunControls
  readonly state: DiagramState
  readonly zoom: (factor: number) => void
  readonly omitted: number
  readonly found: ReadonlySet<number> | null
}

/** The controls above the diagram. */
export function DiagramTools({ run, player, state, zoom, omitted, found }: Props) {
  // The signs of a run become known with its events.
  run.known.value
  const log = run.log.value
  return (
    <div class="tools">
      <button type="button" title="Zoom in" aria-label="Zoom in" onClick={() => zoom(0.5)}>
        <Icon name="plus" />
      </button>
      <button type="button" title="Zoom out" aria-label="Zoom out" onClick={() => zoom(2)}>
        <Icon name="minus" />
      </button>
      <SpanTools log={log} state={state} />
      <LaneTools state={state} />
      <MessageSearch log={log} player={player} search={state.search} found={found} />
      {log !== null && <Signs log={log} />}
      {omitted > 0 && <span>{counted(omitted, 'message')} left out: zoom in</span>}
    </div>
  )
}

/** Which part of the time is seen, and what of it stands out. */
function SpanTools(props: { readonly log: RunLog | null; readonly state: DiagramState }) {
  const { log, state } = props
  const { span, causal } = state
  return (
    <>
      <button
        type="button"
        onClick={() => {
          if (log !== null) span.value = wholeSpan(log)
        }}
      >
        Whole
      </button>
      <button
        type="button"
        aria-pressed={span.value === null}
        onClick={() => {
          span.value = null
        }}
      >
        Follow
      </button>
      <button
        type="button"
        title="Only what the last event depends on"
        aria-pressed={causal.value}
        onClick={() => {
          causal.value = !causal.value
        }}
      >
        Causal past
      </button>
    </>
  )
}

/** Which nodes have a lane, and in which order. */
function LaneTools({ state: { sorting, only } }: { readonly state: DiagramState }) {
  return (
    <>
      <select
        aria-label="Order of the lanes"
        value={sorting.value}
        onChange={({ currentTarget }) => {
          sorting.value = currentTarget.value as LaneSorting
        }}
      >
        {Object.entries(LANE_ORDERS).map(([name, words]) => (
          <option key={name} value={name}>
            Lanes {words}
          </option>
        ))}
      </select>
      <button
        type="button"
        title="Hide the lanes of all nodes that are not chosen"
        aria-pressed={only.value !== null}
        disabled={only.value === null && chosenNodes.value.size === 0}
        onClick={() => {
          only.value = only.value === null ? new Set(chosenNodes.value) : null
        }}
      >
        {only.value === null ? 'Only chosen nodes' : 'All nodes'}
      </button>
    </>
  )
}

interface SearchProps {
  readonly log: RunLog | null
  readonly player: RunControls
  readonly search: Signal<string>
  readonly found: ReadonlySet<number> | null
}

/** Looks for messages by their text, and goes from one to the next. */
function MessageSearch({ log, player, search, found }: SearchProps) {
  const goToNext = () => {
    if (log === null || found === null) return
    const flight = nextFound(log, found, player.step.value)
    if (flight === null) return
    player.pause()
    player.toStep(log.sentIn.at(flight) + 1)
    chooseFlight(flight)
  }
  return (
    <>
      <input
        type="search"
        class="field"
        aria-label="Search for a message"
        placeholder="Search messages"
        value={search.value}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') goToNext()
        }}
      />
      {found !== null && (
        <>
          <span role="status">{counted(found.size, 'message')}</span>
          <button type="button" disabled={found.size === 0} onClick={goToNext}>
            Next
          </button>
        </>
      )}
    </>
  )
}

const WORDS: Readonly<Record<Exclude<EventMark['kind'], 'draw'>, string>> = {
  wake: 'wakes',
  follow: 'knows the leader',
  stop: 'stops',
  timeout: 'a timer fires',
  lead: 'becomes leader',
  crash: 'crashes',
  recover: 'recovers',
  retire: 'retires',
  down: 'is told that a neighbour is down',
  up: 'is told that a neighbour is up',
  cut: 'a link is cut',
  mend: 'a link works again',
}

/** What the signs on the lanes mean: those that this run has. */
function Signs({ log }: { readonly log: RunLog }) {
  const open = useSignal(false)
  const kinds = (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((kind) => has(log, kind))
  if (kinds.length === 0) return null
  return (
    <details
      class="signs"
      open={open.value}
      onToggle={({ currentTarget }) => {
        open.value = currentTarget.open
      }}
    >
      <summary>Signs</summary>
      {open.value && (
        <ul>
          {kinds.map((kind) => (
            <li key={kind}>
              <Canvas
                aria-hidden="true"
                draw={(pen, width, height) => {
                  const middle = { x: width / 2, y: height / 2, scale: 0.8 }
                  paintMark(pen, { kind }, middle, coloursOf(theme.value))
                }}
              />
              {WORDS[kind]}
            </li>
          ))}
          <li class="words">An arrow that ends in a cross: the message is lost.</li>
        </ul>
      )}
    </details>
  )
}

/** Events that are looked at for their kind: more than enough for all kinds that a run has. */
const LOOKED_AT = 20_000

function has(log: RunLog, kind: keyof typeof WORDS): boolean {
  const number = KINDS.indexOf(kind)
  if (!isMarked(kind)) return false
  const last = Math.min(log.at.length, LOOKED_AT)
  for (let event = 0; event < last; event++) if (log.kind.at(event) === number) return true
  return false
}
