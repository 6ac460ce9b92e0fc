import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'

interface Judged {
  readonly name: string
  readonly holds: boolean | null
  readonly detail: string
}

const SIGNS = { true: '✓', false: '✗', null: '?' } as const
const WORDS = { true: 'holds', false: 'violated', null: 'undecided' } as const

/** What must hold: violations as soon as they happen, all the rest when the end is reached. */
export function VerdictList({ run, player }: { readonly run: Run; readonly player: Player }) {
  const log = run.log.value
  const result = run.result.value
  const step = player.step.value
  const known = run.known.value
  if (log === null) return null
  const broken = log.violations.filter((violation) => violation.step <= step)
  const ended = result !== null && step >= known
  const judged: readonly Judged[] = ended
    ? result.verdict.properties
    : broken.map(({ property, detail }) => ({ name: property, holds: false, detail }))
  return (
    <div class="verdict">
      <h3>What must hold</h3>
      {!ended && judged.length === 0 && <p class="told">Nothing is violated so far.</p>}
      <ul>
        {judged.map(({ name, holds, detail }) => (
          <li key={name} class={WORDS[`${holds}`]}>
            <span aria-hidden="true">{SIGNS[`${holds}`]}</span>
            <span>
              {name}
              <span class="unseen"> {WORDS[`${holds}`]}</span>
              {holds !== true && detail !== '' && <small>{detail}</small>}
            </span>
          </li>
        ))}
      </ul>
      {run.cut.value && ended && (
        <p class="told">Stopped here: the page keeps no more than a million steps.</p>
      )}
    </div>
  )
}
