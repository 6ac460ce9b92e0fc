import { contextOf } from '../../panel/available-fields.ts'
import { draft, draftError, entry, tryOut, whole } from '../../panel/draft.ts'
import { errorText, TextRow } from '../../panel/field.tsx'
import { Ids } from '../../panel/ids.tsx'
import { Network } from '../../panel/network.tsx'
import { AlgorithmRow } from '../../panel/panel.tsx'
import { Settings, ValuesRow } from '../../panel/settings.tsx'
import { Timing } from '../../panel/timing.tsx'

const TIMING = ['timing', 'delay', 'order', 'wake']
const NETWORK = ['n', 'topology']
/** The fields of the scenario that a task lets the student change. */
export function TaskFields({ fields }: { readonly fields: readonly string[] }) {
  const about = entry.value
  if (about === null) return null
  const context = contextOf(about, draft.value, whole.value)
  const has = (...names: string[]) => fields.some((name) => names.includes(name))
  const special = ['algorithm', 'ids', 'values', 'set', ...NETWORK, ...TIMING]
  const error = draftError.value
  return (
    <form
      class="task-fields"
      onSubmit={(event) => {
        event.preventDefault()
        tryOut()
      }}
    >
      {has('algorithm') && <AlgorithmRow />}
      {has(...NETWORK) && <Network entry={about} />}
      {has('ids') && <Ids entry={about} same={false} task />}
      {has('values') && <ValuesRow decides={false} held />}
      {has(...TIMING) && <Timing context={context} only={fields} />}
      {has('set') && <Settings context={context} />}
      {fields
        .filter((name) => !special.includes(name))
        .map((name) => (
          <TextRow key={name} name={name} />
        ))}
      {error !== null && (error.field === null || !fields.includes(error.field)) && (
        <p class="error" role="alert">
          {errorText(error)}
        </p>
      )}
      <button type="submit" class="unseen" tabIndex={-1}>
        Apply
      </button>
    </form>
  )
}
