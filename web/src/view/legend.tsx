import type { ComponentChildren } from 'preact'
import type { Run } from '../model/run.ts'
import { STATUS_WORDS } from '../recording/events.ts'
import { shadeSample } from '../stage/estimates.ts'
import { parts, presenting } from './layout.ts'
import './legend.css'

/** The largest number of message types in the legend; the counts name them too. */
const FEW = 4

/** The legend of the stage: statuses by colour and shape, message types by colour. */
export function Legend({ run }: { readonly run: Run }) {
  const world = run.log.value?.world
  if (world === undefined) return null
  const { types, messageTypes } = world
  // Many types would need a second line, and the counts show their colours too.
  const counted = parts.value.has('figures') && !presenting.value
  const named = counted && messageTypes > FEW ? 0 : messageTypes
  return (
    <ul class="legend" aria-label="Signs">
      {run.cycles.value.length > 0 ? (
        <>
          <li>
            lowest estimate <i class="shades" style={{ background: shadeSample() }} /> highest
          </li>
          <Sign name={STATUS_WORDS.dead}>{DEAD}</Sign>
        </>
      ) : (
        <>
          <Sign name={STATUS_WORDS.asleep}>
            <circle r="6" fill="var(--asleep)" stroke="var(--edge)" stroke-dasharray="2 2" />
          </Sign>
          <Sign name={STATUS_WORDS.unknown}>
            <circle r="6" fill="var(--unknown)" />
          </Sign>
          <Sign name={STATUS_WORDS.lost}>
            <circle r="6" fill="var(--lost)" />
          </Sign>
          <Sign name={STATUS_WORDS.leader}>
            <path d={STAR} fill="var(--leader)" stroke="var(--ink)" />
          </Sign>
          <Sign name={STATUS_WORDS.dead}>{DEAD}</Sign>
        </>
      )}
      {types.slice(0, named).map((name, i) => (
        <Sign key={name} name={name}>
          <path d="M7 0-4 5-1 0-4-5Z" fill={`var(--type-${i % 8})`} />
        </Sign>
      ))}
    </ul>
  )
}

const DEAD = (
  <path
    d="M-5-5h10v10h-10ZM-5-5 5 5M5-5-5 5"
    fill="none"
    stroke="var(--danger)"
    stroke-width="1.5"
  />
)
const STAR = 'M0-8 2-5 6-6 5-2 8 0 5 2 6 6 2 5 0 8-2 5-6 6-5 2-8 0-5-2-6-6-2-5Z'

function Sign({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <li>
      <svg viewBox="-9 -9 18 18" aria-hidden="true">
        {children}
      </svg>
      {name}
    </li>
  )
}
