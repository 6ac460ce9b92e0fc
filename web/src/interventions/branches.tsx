import { batch } from '@preact/signals'
import { counted } from '../../../src/core/text-format.ts'
import { branches, compared, compareRuns, player, shown, toggleCompared } from '../model/lab.ts'
import type { ShownRun } from '../model/run.ts'
import { branchName } from '../words/names.ts'

/** The branches of a run: one is shown, another may be compared with it. */
export function Branches() {
  const runs = branches.value
  if (runs.length < 2) return null
  return (
    <>
      <h3>Branches</h3>
      <ul class="branches">
        {runs.map((run, i) => (
          <li key={i} class={i === shown.value ? 'current' : ''}>
            <button
              type="button"
              class="small"
              aria-pressed={i === shown.value}
              onClick={() => show(i)}
            >
              {branchName(run)}
            </button>
            <small>{outcomeOf(run)}</small>
            {i !== shown.value && (
              <button
                type="button"
                class="small"
                aria-pressed={compared.value.includes(run)}
                onClick={() => toggleCompared(run)}
              >
                Compare
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function show(branch: number): void {
  batch(() => {
    compareRuns(compared.value.filter((run) => run !== branches.value[branch]))
    shown.value = branch
    player.toTime(player.time.value)
  })
}

/** The result of a run in few words. */
function outcomeOf(run: ShownRun): string {
  const refusal = run.refusal.value
  const result = run.result.value
  if (refusal !== null) return refusal.message
  if (run.recording !== null) return 'a recording'
  if (result === null) return 'not over yet'
  const messages = counted(result.messages.total, 'message')
  const leads = result.leader?.id ?? result.leader?.node
  const broken = result.verdict.properties.find(({ holds }) => holds === false)
  const who = leads === undefined ? '' : `${leads} leads, `
  return broken ? `${messages}; violated: ${broken.name}` : `${who}${messages}`
}
