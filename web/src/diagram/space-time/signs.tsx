import { useSignal } from '@preact/signals'
import { type EventMark, isMarked } from '../../../../src/diagram/space-time/history.ts'
import { paintMark } from '../../../../src/diagram/space-time/marks.ts'
import { KINDS } from '../../recording/events.ts'
import type { RunLog } from '../../recording/run-log.ts'
import { Canvas } from '../../stage/canvas.tsx'
import { theme } from '../../view/theme.ts'
import { coloursOf } from '../diagram-colours.ts'

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
export function Signs({ log }: { readonly log: RunLog }) {
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
