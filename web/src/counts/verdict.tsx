import type { Verdict } from '../../../src/core/index.ts'
import { checkMark } from '../../../src/core/text-format.ts'
import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'
import { detailWords } from '../words/names.ts'

const WORDS = { true: 'holds', false: 'violated', null: 'undecided' } as const

/** The properties: violations as soon as they happen, all verdicts at the end. */
export function VerdictList({ run, player }: { readonly run: Run; readonly player: Player }) {
  const log = run.log.value
  const result = run.result.value
  const step = player.step.value
  const known = run.known.value
  const frame = run.frame(step)
  if (log === null || frame === null) return null
  const broken = log.violations.filter((violation) => violation.step <= step)
  const ended = result !== null && step >= known
  const verdicts: readonly Verdict[] = ended
    ? result.verdict.properties
    : broken.map(({ property, detail }) => ({ name: property, holds: false, detail }))
  return (
    <div class="verdict">
      <h3>What must hold</h3>
      {!ended && verdicts.length === 0 && <p class="note">Nothing is violated so far.</p>}
      <ul>
        {verdicts.map(({ name, holds, detail }) => (
          <li key={name} class={WORDS[`${holds}`]}>
            <span aria-hidden="true">{checkMark(holds)}</span>
            <span>
              {name}
              <span class="unseen"> {WORDS[`${holds}`]}</span>
              {holds !== true && detail !== '' && <small>{detailWords(frame, detail)}</small>}
            </span>
          </li>
        ))}
      </ul>
      {run.cut.value && ended && (
        <p class="note">Stopped here: the page keeps no more than a million steps.</p>
      )}
    </div>
  )
}
